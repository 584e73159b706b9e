import { isAbsolute, join, relative } from 'node:path'
import { type PermissionMode, parseRules } from '@deckhand/core'
import type { ConfigFile } from './config-file.ts'
import { listPlugins } from './plugin-entry.ts'

/** A project's file with what it may not decide taken out, and what a person should know of that. */
export interface TightenedFile {
  readonly file: ConfigFile
  /** What did not count. */
  readonly notices: readonly string[]
  /** What makes things looser in it, a line each: what a person is shown before they trust it. */
  readonly loosening: readonly string[]
}

export interface TightenOptions {
  readonly user: ConfigFile | undefined
  readonly root: string
  /** The person has seen what makes things looser in it, and said that it counts. */
  readonly isTrusted: boolean
  /** By what each of its plugins is known again. */
  readonly pluginMarks: readonly string[]
}

interface AgentValues {
  readonly mode?: PermissionMode
  readonly prompt?: string
  readonly permission?: unknown
}

interface ModeValues {
  readonly mode?: PermissionMode
  readonly agent?: Readonly<Record<string, AgentValues>>
  readonly instructions?: readonly string[]
  readonly shell?: Readonly<Record<string, unknown>>
  readonly sandbox?: Readonly<Record<string, unknown>>
  readonly plugins?: readonly unknown[]
}

/**
 * Whoever wrote a repository must not decide what runs on a person's machine: a project's file can be stricter than
 * the user's, and looser only where the person trusts it. A looser mode (its own, or that of an agent) is taken out, and
 * so is what would bring text from outside the repository to the model: instructions, and references in an agent's
 * prompt, and plugins, which are code that runs. A mode that the person has set themselves is the bound also for a file that they trust.
 */
export function tightenProjectFile(
  file: ConfigFile,
  { user, root, isTrusted, pluginMarks }: TightenOptions,
): TightenedFile {
  const { mode, agent, instructions, shell, sandbox, plugins, ...rest } = file.values as ModeValues
  const ofUser = (user?.values ?? {}) as ModeValues
  const notices: string[] = []
  const loosening: string[] = []
  const tell = (words: string) => void notices.push(`${file.path}: ${words}`)
  const loosen = (line: string, words: string) => {
    loosening.push(line)
    if (!isTrusted) tell(words)
    return isTrusted
  }
  const context = { file, root, tell, loosen }
  const agents = Object.entries(agent ?? {}).map(([name, own]) => {
    const before = ofUser.agent && Object.hasOwn(ofUser.agent, name) ? ofUser.agent[name]?.mode : undefined
    return [name, tightenAgent(name, own, before ?? ofUser.mode, context)]
  })
  const values = {
    ...rest,
    ...(isTakenMode('mode', mode, ofUser.mode, context) && { mode }),
    ...(shell && { shell: withoutLoosening('shell', shell, context) }),
    ...(sandbox && { sandbox: withoutLoosening('sandbox', sandbox, context) }),
    ...(plugins && arePluginsTaken(pluginMarks, context) && { plugins }),
    ...(agent && { agent: Object.fromEntries(agents) }),
    ...(instructions && { instructions: instructions.filter(entry => isTakenInstruction(entry, context)) }),
  }
  const allows = listAllows(file.values as ModeValues)
  loosening.push(...allows)
  if (allows.length > 0 && !isTrusted)
    tell('its "allow" rules count as "ask", since a project can\'t allow itself things.')
  return { file: { ...file, values }, notices, loosening }
}

interface Tightening {
  readonly file: ConfigFile
  readonly root: string
  tell(words: string): void
  /** Is what makes things looser taken? If not, the words say so. */
  loosen(line: string, words: string): boolean
}

const loosening: readonly string[] = [
  'shell.allowEnvironment',
  'sandbox.enabled',
  'sandbox.writableRoots',
  'sandbox.readablePaths',
]

function withoutLoosening(
  section: string,
  values: Readonly<Record<string, unknown>>,
  { loosen }: Tightening,
): Readonly<Record<string, unknown>> {
  const isTaken = ([key, value]: readonly [string, unknown]) => {
    const place = `${section}.${key}`
    if (!loosening.includes(place)) return true
    return loosen(
      `${place} = ${JSON.stringify(value)}`,
      `"${place}" is not taken from a project's file. Set it in your own configuration.`,
    )
  }
  return Object.fromEntries(Object.entries(values).filter(isTaken))
}

const shownMark = 12

// All or none: a plugin may rely on what the one before it does.
function arePluginsTaken(marks: readonly string[], { file, loosen }: Tightening): boolean {
  const taken = listPlugins(file).map(({ path, options }, index) => {
    const given = Object.keys(options).length === 0 ? '' : ` with ${JSON.stringify(options)}`
    return loosen(
      `plugins = ${path}${given}: code that runs as a part of Deckhand, outside the sandbox (sha256 ${marks[index]?.slice(0, shownMark)})`,
      `its plugin ${path} is not loaded, as that would run the project's code. Name it in your own configuration, or trust the project.`,
    )
  })
  return taken.every(Boolean)
}

function tightenAgent(
  name: string,
  { mode, prompt, ...rest }: AgentValues,
  bound: PermissionMode | undefined,
  context: Tightening,
): AgentValues {
  return {
    ...rest,
    ...(isTakenMode(`agent.${name}.mode`, mode, bound, context) && { mode }),
    ...(isTakenPrompt(`agent.${name}.prompt`, prompt, context) && { prompt }),
  }
}

function isTakenMode(
  place: string,
  mode: PermissionMode | undefined,
  ofUser: PermissionMode | undefined,
  { tell, loosen }: Tightening,
): boolean {
  if (mode === undefined) return false
  const bound = ofUser ?? 'workspace'
  if (looseness[mode] <= looseness[bound]) return true
  const words = `"${place}": "${mode}" is not taken from a project's file, as it is looser than "${bound}". Use --mode ${mode}, or set it in your own configuration.`
  if (ofUser === undefined) return loosen(`${place} = "${mode}"`, words)
  tell(words)
  return false
}

const looseness: Readonly<Record<PermissionMode, number>> = { plan: 0, ask: 1, workspace: 2, auto: 3 }

function isTakenInstruction(entry: string, { file, root, loosen }: Tightening): boolean {
  if (isInside(isAbsolute(entry) ? entry : join(file.path, '..', entry), root) && !/^~[\\/]/.test(entry)) return true
  return loosen(
    `instructions = ${entry}`,
    `"instructions" names ${entry}, which is outside the repository, and is not taken from a project's file. Name it in your own configuration to use it.`,
  )
}

function isTakenPrompt(place: string, prompt: string | undefined, { root, loosen }: Tightening): boolean {
  if (prompt === undefined) return false
  const foreign = [...prompt.matchAll(/\{(env|file):([^}]+)\}/g)].filter(
    ([, kind, path = '']) => kind === 'env' || !isInside(path, root),
  )
  const [first] = foreign
  if (!first) return true
  return loosen(
    `${place} with ${foreign.map(([reference]) => reference).join(', ')}`,
    `"${place}" refers to ${first[0]}, which is outside the repository, and is not taken from a project's file. Set it in your own configuration to use it.`,
  )
}

/** Of an absolute path; `~/…` is none. */
function isInside(path: string, root: string): boolean {
  const rest = relative(root, path)
  return isAbsolute(path) && !/^\.\.([\\/]|$)/.test(rest) && !isAbsolute(rest)
}

function listAllows({ permission, agent }: ModeValues & { readonly permission?: unknown }): string[] {
  const ofAgents = Object.entries(agent ?? {}).flatMap(([name, own]) =>
    describeAllows(own.permission).map(line => `agent.${name}: ${line}`),
  )
  return [...describeAllows(permission), ...ofAgents]
}

function describeAllows(section: unknown): string[] {
  return parseRules(section, { source: 'project' })
    .filter(({ action }) => action === 'allow')
    .map(({ permission, pattern }) => `allow ${permission}: ${JSON.stringify(pattern)}`)
}
