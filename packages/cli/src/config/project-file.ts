import { isAbsolute, join, relative } from 'node:path'
import { type PermissionMode, parseRules } from '@deckhand/core'
import type { ConfigFile } from './config-file.ts'

/** A project's file with what it may not decide taken out, and what a person should know of that. */
export interface TightenedFile {
  readonly file: ConfigFile
  readonly notices: readonly string[]
}

interface AgentValues {
  readonly mode?: PermissionMode
  readonly prompt?: string
}

interface ModeValues {
  readonly mode?: PermissionMode
  readonly agent?: Readonly<Record<string, AgentValues>>
  readonly instructions?: readonly string[]
  readonly shell?: Readonly<Record<string, unknown>>
  readonly sandbox?: Readonly<Record<string, unknown>>
}

/**
 * Whoever wrote a repository must not decide what runs on a person's machine: a project's file can be stricter than
 * the user's, never looser. A looser mode (its own, or that of an agent) is taken out, and so is what would bring text
 * from outside the repository to the model: instructions, and references in an agent's prompt.
 */
export function tightenProjectFile(file: ConfigFile, user: ConfigFile | undefined, root: string): TightenedFile {
  const { mode, agent, instructions, shell, sandbox, ...rest } = file.values as ModeValues
  const ofUser = (user?.values ?? {}) as ModeValues
  const notices: string[] = []
  const context = { file, root, tell: (words: string) => void notices.push(`${file.path}: ${words}`) }
  const agents = Object.entries(agent ?? {}).map(([name, own]) => {
    const before = ofUser.agent && Object.hasOwn(ofUser.agent, name) ? ofUser.agent[name]?.mode : undefined
    return [name, tightenAgent(name, own, before ?? ofUser.mode, context)]
  })
  const values = {
    ...rest,
    ...(isStrict('mode', mode, ofUser.mode, context) && { mode }),
    ...(shell && { shell: withoutLoosening('shell', shell, context) }),
    ...(sandbox && { sandbox: withoutLoosening('sandbox', sandbox, context) }),
    ...(agent && { agent: Object.fromEntries(agents) }),
    ...(instructions && { instructions: instructions.filter(entry => isTakenInstruction(entry, context)) }),
  }
  notices.push(...describeLoweredAllows(file))
  return { file: { ...file, values }, notices }
}

interface Tightening {
  readonly file: ConfigFile
  readonly root: string
  tell(words: string): void
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
  { tell }: Tightening,
): Readonly<Record<string, unknown>> {
  const isLoosening = (key: string) => loosening.includes(`${section}.${key}`)
  for (const key of Object.keys(values).filter(isLoosening))
    tell(`"${section}.${key}" is not taken from a project's file. Set it in your own configuration.`)
  return Object.fromEntries(Object.entries(values).filter(([key]) => !isLoosening(key)))
}

function tightenAgent(
  name: string,
  { mode, prompt, ...rest }: AgentValues,
  bound: PermissionMode | undefined,
  context: Tightening,
): AgentValues {
  return {
    ...rest,
    ...(isStrict(`agent.${name}.mode`, mode, bound, context) && { mode }),
    ...(isTakenPrompt(`agent.${name}.prompt`, prompt, context) && { prompt }),
  }
}

function isStrict(
  place: string,
  mode: PermissionMode | undefined,
  bound: PermissionMode = 'workspace',
  { tell }: Tightening,
): boolean {
  if (mode === undefined) return false
  if (looseness[mode] <= looseness[bound]) return true
  tell(
    `"${place}": "${mode}" is not taken from a project's file, as it is looser than "${bound}". Use --mode ${mode}, or set it in your own configuration.`,
  )
  return false
}

const looseness: Readonly<Record<PermissionMode, number>> = { plan: 0, ask: 1, workspace: 2, auto: 3 }

function isTakenInstruction(entry: string, { file, root, tell }: Tightening): boolean {
  if (isInside(isAbsolute(entry) ? entry : join(file.path, '..', entry), root) && !/^~[\\/]/.test(entry)) return true
  tell(
    `"instructions" names ${entry}, which is outside the repository, and is not taken from a project's file. Name it in your own configuration to use it.`,
  )
  return false
}

function isTakenPrompt(place: string, prompt: string | undefined, { root, tell }: Tightening): boolean {
  if (prompt === undefined) return false
  const foreign = [...prompt.matchAll(/\{(env|file):([^}]+)\}/g)].find(
    ([, kind, path = '']) => kind === 'env' || !isInside(path, root),
  )
  if (!foreign) return true
  tell(
    `"${place}" refers to ${foreign[0]}, which is outside the repository, and is not taken from a project's file. Set it in your own configuration to use it.`,
  )
  return false
}

/** Of an absolute path; `~/…` is none. */
function isInside(path: string, root: string): boolean {
  const rest = relative(root, path)
  return isAbsolute(path) && !/^\.\.([\\/]|$)/.test(rest) && !isAbsolute(rest)
}

function describeLoweredAllows(file: ConfigFile): string[] {
  const rules = parseRules(file.values.permission, { source: 'project' })
  return rules.some(rule => rule.action === 'allow')
    ? [
        `${file.path}: its "allow" rules count as "ask", since a project can't allow itself things. Put them into your own configuration to have them count.`,
      ]
    : []
}
