import { type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  builtinRules,
  ConfigError,
  expandHomePattern,
  lowerProjectAllows,
  type ProjectTrust,
  parseRules,
  type Rule,
} from '@deckhand/core'
import { resolvePlaces } from '../places.ts'
import type { ConfigFile } from './config-file.ts'
import { type Config, configSchema } from './config-schema.ts'
import { type ForeignAddress, findForeignAddresses } from './foreign-address.ts'
import { listPlugins, type PluginEntry } from './plugin-entry.ts'
import { type TightenedFile, tightenProjectFile } from './project-file.ts'
import { isMap, markPlugins, type ReadFile, readConfigFiles } from './read-config-file.ts'
import { describeUntrusted, isTrusted, type UntrustedFile } from './untrusted-file.ts'

/** The merged configuration of a folder, and where each value comes from. */
export interface LoadedConfig {
  readonly config: Config
  /** Built-in rules first, then the user's, then the project's: the last match wins. */
  readonly rules: readonly Rule[]
  /** Rules of an agent, by its name: they come after all others. */
  readonly agentRules: ReadonlyMap<string, readonly Rule[]>
  /** Entries of `instructions` of all files, each absolute or relative to the folder beside it. */
  readonly instructions: readonly InstructionEntry[]
  /** Entries of `plugins` of all files that may name some, in the order in which they count. */
  readonly plugins: readonly PluginEntry[]
  /** Dotted key to the file that set it last; what is not here is a default. */
  readonly sources: ReadonlyMap<string, string>
  /** The files that were read, in the order in which they count. */
  readonly files: readonly string[]
  readonly notices: readonly string[]
  /** Files of the project that would make things looser, and don't count so far as they do. */
  readonly untrusted: readonly UntrustedFile[]
  /** Checked by `refuseForeignAddress` before a provider is used. */
  readonly foreignAddresses: readonly ForeignAddress[]
  /** The repository's root; the folder itself where there is none. */
  readonly root: string
}

export interface InstructionEntry {
  readonly entry: string
  readonly directory: string
}

export interface LoadConfigOptions {
  /** Absolute path of the workspace. */
  readonly directory: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** What the person said about files of projects; without it, none is trusted. */
  readonly trust?: readonly ProjectTrust[]
}

/**
 * Reads the user's file, then the project's from the repository's root down to the folder; later files win, lists are
 * replaced, maps are merged, `permission`, `instructions` and `plugins` are added up.
 * A project can make things stricter, and looser only where the person trusts its file (project-file.ts). References such
 * as `{env:NAME}` stay references.
 * Throws ConfigError that lists every problem of every file.
 */
export function loadConfig({ directory, env, home, trust = [] }: LoadConfigOptions): LoadedConfig {
  const root = findRepositoryRoot(directory)
  const { user, project } = readFiles(directory, root, env, home)
  const tightened = project.map(file => {
    const options = { user, root, isTrusted: isTrusted(file, trust), pluginMarks: file.pluginMarks }
    return { ...tightenProjectFile(file, options), isTrusted: options.isTrusted }
  })
  const files = [...(user ? [user] : []), ...tightened.map(({ file }) => file)]
  const untrusted = listUntrusted(tightened, project, trust)
  return {
    config: mergeConfig(files),
    rules: [
      ...builtinRules,
      ...(user ? rulesOf(user, 'user', home) : []),
      ...tightened.flatMap(each => lowerUnlessTrusted(rulesOf(each.file, 'project', home), each)),
    ],
    agentRules: collectAgentRules(user, tightened, home),
    instructions: files.flatMap(file => listInstructions(file, home)),
    plugins: files.flatMap(listPlugins),
    sources: listSources(files),
    files: files.map(({ path }) => path),
    notices: [
      ...files.flatMap(describeUnused),
      ...tightened.flatMap(({ notices }) => notices),
      ...untrusted.flatMap(describeUntrusted),
    ],
    untrusted,
    foreignAddresses: findForeignAddresses(project, user),
    root,
  }
}

const deckhandNames = ['deckhand.json', 'deckhand.jsonc']
const opencodeNames = ['opencode.json', 'opencode.jsonc']

/** The nearest folder above (or the folder itself) that holds `.git`. */
export function findRepositoryRoot(directory: string): string {
  for (let folder = directory; ; folder = dirname(folder)) {
    if (lookAt(join(folder, '.git'))) return folder
    if (dirname(folder) === folder) return directory
  }
}

// A folder above that may not be entered holds nothing for us.
function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function readFiles(directory: string, root: string, env: LoadConfigOptions['env'], home: string) {
  const { configDirectory, opencodeConfigDirectory } = resolvePlaces(env, home)
  const userPath =
    findFile(configDirectory, deckhandNames) ??
    (opencodeConfigDirectory === undefined ? undefined : findFile(opencodeConfigDirectory, opencodeNames))
  // Where a person works on the configuration itself, their file is no project's.
  const projectPaths = foldersDown(root, directory)
    .flatMap(folder => findFile(folder, deckhandNames) ?? findFile(folder, opencodeNames) ?? [])
    .filter(path => path !== userPath)
  const [user, ...project] = readConfigFiles([userPath, ...projectPaths])
  return { user, project: project.flatMap(file => (file ? [markPlugins(file, { env, home })] : [])) }
}

function foldersDown(root: string, directory: string): string[] {
  const folders = [directory]
  for (let folder = directory; folder !== root; ) {
    folder = dirname(folder)
    folders.unshift(folder)
  }
  return folders
}

function findFile(folder: string, names: readonly string[]): string | undefined {
  const found = names.map(name => join(folder, name)).filter(path => lookAt(path)?.isFile())
  const [path, second] = found
  if (second === undefined) return path
  throw new ConfigError(
    'invalid',
    `Both ${path} and ${second} are there, and only one can count. Delete one of them.`,
    { files: found },
  )
}

function rulesOf({ path, values }: ConfigFile, source: 'user' | 'project', home: string): readonly Rule[] {
  return expandHome(parseRules(values.permission, { source, origin: path }), home)
}

function expandHome(rules: readonly Rule[], home: string): readonly Rule[] {
  return rules.map(rule => ({ ...rule, pattern: expandHomePattern(rule.permission, rule.pattern, home) }))
}

type JudgedFile = TightenedFile & { readonly isTrusted: boolean }

function lowerUnlessTrusted(rules: readonly Rule[], { isTrusted }: JudgedFile): readonly Rule[] {
  return isTrusted ? rules : lowerProjectAllows(rules)
}

function listUntrusted(
  tightened: readonly JudgedFile[],
  project: readonly ReadFile[],
  trust: readonly ProjectTrust[],
): readonly UntrustedFile[] {
  return tightened.flatMap(({ file: { path }, loosening, isTrusted }) => {
    const file = project.find(each => each.path === path)
    if (!file || isTrusted || loosening.length === 0) return []
    const { realPath, sha256 } = file
    return [{ path, realPath, sha256, lines: loosening, before: trust.find(each => each.path === realPath) }]
  })
}

// The source stays the file's owner's: what the user denies to an agent, no project allows it.
function collectAgentRules(
  user: ConfigFile | undefined,
  tightened: readonly JudgedFile[],
  home: string,
): ReadonlyMap<string, readonly Rule[]> {
  const rules = new Map<string, readonly Rule[]>()
  const add = (name: string, more: readonly Rule[]) => rules.set(name, [...(rules.get(name) ?? []), ...more])
  if (user) for (const name of agentNames(user)) add(name, agentRulesOf(name, user, 'user', home))
  for (const each of tightened)
    for (const name of agentNames(each.file))
      add(name, lowerUnlessTrusted(agentRulesOf(name, each.file, 'project', home), each))
  return rules
}

type AgentSections = Readonly<Record<string, { readonly permission?: unknown }>>

function agentNames({ values }: ConfigFile): readonly string[] {
  return Object.keys((values.agent ?? {}) as AgentSections)
}

function agentRulesOf(name: string, { path, values }: ConfigFile, source: 'user' | 'project', home: string) {
  const section = (values.agent as AgentSections)[name]?.permission
  return expandHome(parseRules(section, { source, origin: `${path}, agent ${name}` }), home)
}

function mergeConfig(files: readonly ConfigFile[]): Config {
  const merged = files.reduce<Record<string, unknown>>((all, { values }) => mergeMaps(all, values), {})
  return configSchema.parse(merged)
}

function mergeMaps(
  base: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(more)) {
    const before = Object.hasOwn(merged, key) ? merged[key] : undefined
    merged[key] = isMap(before) && isMap(value) ? mergeMaps(before, value) : value
  }
  return merged
}

function listInstructions({ path, values }: ConfigFile, home: string): InstructionEntry[] {
  const entries = (values.instructions ?? []) as readonly string[]
  return entries.map(entry => ({
    entry: /^~[\\/]/.test(entry) ? join(home, entry.slice(2)) : entry,
    directory: dirname(path),
  }))
}

function listSources(files: readonly ConfigFile[]): ReadonlyMap<string, string> {
  const sources = new Map<string, string>()
  for (const { path, values } of files) for (const key of listKeys(values)) sources.set(key, path)
  return sources
}

/** Every leaf as a dotted key. */
export function listKeys(value: unknown, place = ''): string[] {
  if (!isMap(value) || Object.keys(value).length === 0) return place === '' ? [] : [place]
  return Object.entries(value).flatMap(([key, inner]) => listKeys(inner, place === '' ? key : `${place}.${key}`))
}

function describeUnused({ path, unused }: ConfigFile): string[] {
  return unused.length > 0 ? [`${path}: Deckhand does not use ${unused.join(', ')}.`] : []
}
