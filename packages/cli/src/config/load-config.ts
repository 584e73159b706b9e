import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  builtinRules,
  ConfigError,
  lowerProjectAllows,
  type PermissionMode,
  parseRules,
  type Rule,
} from '@deckhand/core'
import { resolvePlaces } from '../places.ts'
import { type ConfigFile, isOpencodeFile, parseConfigFile } from './config-file.ts'
import { type Config, configSchema } from './config-schema.ts'

/** The merged configuration of a folder, and where each value comes from. */
export interface LoadedConfig {
  readonly config: Config
  /** Built-in rules first, then the user's, then the project's: the last match wins. */
  readonly rules: readonly Rule[]
  /** Entries of `instructions`, each absolute or relative to the folder beside it. */
  readonly instructions: readonly { readonly entry: string; readonly directory: string }[]
  /** Dotted key to the file that set it last; what is not here is a default. */
  readonly sources: ReadonlyMap<string, string>
  /** The files that were read, in the order in which they count. */
  readonly files: readonly string[]
  readonly notices: readonly string[]
  /** The repository's root; the folder itself where there is none. */
  readonly root: string
}

export interface LoadConfigOptions {
  /** Absolute path of the workspace. */
  readonly directory: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
}

/**
 * Reads the user's file, then the project's from the repository's root down to the folder; later files win, lists are
 * replaced, maps are merged, `permission` and `instructions` are added up.
 * A project can make things stricter, never looser: its allow rules only lead to a question, and of `mode` only "plan"
 * and "ask" count there. Throws ConfigError, which lists every problem of the first file that has some.
 */
export function loadConfig({ directory, env, home }: LoadConfigOptions): LoadedConfig {
  const places = resolvePlaces(env, home)
  const root = findRepositoryRoot(directory)
  const user =
    readFirst(places.configDirectory, deckhandNames) ?? readFirst(places.opencodeConfigDirectory, opencodeNames)
  const project = foldersDown(root, directory).flatMap(
    folder => readFirst(folder, deckhandNames) ?? readFirst(folder, opencodeNames) ?? [],
  )
  const projectFiles = project.map(tightenProject)
  const files = [...(user ? [user] : []), ...projectFiles.map(({ file }) => file)]
  return {
    config: mergeConfig(files),
    rules: [
      ...builtinRules,
      ...rulesOf(user, 'user'),
      ...lowerProjectAllows(projectFiles.flatMap(({ file }) => rulesOf(file, 'project'))),
    ],
    instructions: files.flatMap(listInstructions),
    sources: listSources(files),
    files: files.map(({ path }) => path),
    notices: [...files.flatMap(describeUnused), ...projectFiles.flatMap(({ notices }) => notices)],
    root,
  }
}

const deckhandNames = ['deckhand.json', 'deckhand.jsonc']
const opencodeNames = ['opencode.json', 'opencode.jsonc']

/** The nearest folder above (or the folder itself) that holds `.git`. */
function findRepositoryRoot(directory: string): string {
  for (let folder = directory; ; folder = dirname(folder)) {
    if (statSync(join(folder, '.git'), { throwIfNoEntry: false })) return folder
    if (dirname(folder) === folder) return directory
  }
}

function foldersDown(root: string, directory: string): string[] {
  const folders = [directory]
  for (let folder = directory; folder !== root; ) {
    folder = dirname(folder)
    folders.unshift(folder)
  }
  return folders
}

function readFirst(folder: string, names: readonly string[]): ConfigFile | undefined {
  const found = names
    .map(name => join(folder, name))
    .filter(path => statSync(path, { throwIfNoEntry: false })?.isFile())
  const [path, second] = found
  if (path === undefined) return undefined
  if (second !== undefined) {
    throw new ConfigError(
      'invalid',
      `Both ${path} and ${second} are there, and only one can count. Delete one of them.`,
      { files: found },
    )
  }
  return parseConfigFile(path, readText(path))
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    throw new ConfigError(
      'unreadable',
      `${path} can't be read: ${(error as Error).message}.`,
      { file: path },
      { cause: error },
    )
  }
}

const strictModes: readonly PermissionMode[] = ['plan', 'ask']

function tightenProject(file: ConfigFile): { file: ConfigFile; notices: readonly string[] } {
  const { mode, ...rest } = file.values as { mode?: PermissionMode }
  const notices: string[] = []
  const isLoose = mode !== undefined && !strictModes.includes(mode)
  if (isLoose)
    notices.push(
      `${file.path}: "mode": "${mode}" is not taken from a project's file. Use --mode ${mode}, or set it in your own configuration.`,
    )
  if (rulesOf(file, 'project').some(rule => rule.action === 'allow')) {
    notices.push(
      `${file.path}: its "allow" rules count as "ask", since a project can't allow itself things. Put them into your own configuration to have them count.`,
    )
  }
  return { file: isLoose ? { ...file, values: rest } : file, notices }
}

function rulesOf(file: ConfigFile | undefined, source: 'user' | 'project'): readonly Rule[] {
  return file ? parseRules(file.values.permission, { source, origin: file.path }) : []
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

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listInstructions({ path, values }: ConfigFile): { entry: string; directory: string }[] {
  const entries = (values.instructions ?? []) as readonly string[]
  return entries.map(entry => ({ entry, directory: dirname(path) }))
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
  return isOpencodeFile(path) && unused.length > 0 ? [`${path}: Deckhand does not use ${unused.join(', ')}.`] : []
}
