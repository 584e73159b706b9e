import { isAbsolute, join, relative } from 'node:path'
import { type PermissionMode, parseRules } from '@deckhand/core'
import type { ConfigFile } from './config-file.ts'

/** A project's file with what it may not decide taken out, and what a person should know of that. */
export interface TightenedFile {
  readonly file: ConfigFile
  readonly notices: readonly string[]
}

type Agents = Readonly<Record<string, { readonly mode?: PermissionMode }>>

interface ModeValues {
  readonly mode?: PermissionMode
  readonly agent?: Agents
  readonly instructions?: readonly string[]
}

/**
 * Whoever wrote a repository must not decide what runs on a person's machine: a project's file can be stricter than
 * the user's, never looser. A looser mode (its own, or that of an agent) is taken out, and so are instructions from
 * outside the repository, as their text goes to the model.
 */
export function tightenProjectFile(file: ConfigFile, user: ConfigFile | undefined, root: string): TightenedFile {
  const { mode, agent, instructions, ...rest } = file.values as ModeValues
  const ofUser = (user?.values ?? {}) as ModeValues
  const notices: string[] = []
  const isTaken = (place: string, own: PermissionMode | undefined, bound: PermissionMode = 'ask') => {
    if (own === undefined || looseness[own] <= looseness[bound]) return true
    notices.push(
      `${file.path}: "${place}": "${own}" is not taken from a project's file, as it is looser than "${bound}". Use --mode ${own}, or set it in your own configuration.`,
    )
    return false
  }
  const agents = Object.entries(agent ?? {}).map(([name, { mode: own, ...others }]) => {
    const before = ofUser.agent && Object.hasOwn(ofUser.agent, name) ? ofUser.agent[name]?.mode : undefined
    const keeps = own !== undefined && isTaken(`agent.${name}.mode`, own, before ?? ofUser.mode)
    return [name, keeps ? { ...others, mode: own } : others]
  })
  const values = {
    ...rest,
    ...(mode !== undefined && isTaken('mode', mode, ofUser.mode) && { mode }),
    ...(agent && { agent: Object.fromEntries(agents) }),
    ...(instructions && { instructions: takeInside(instructions, file, root, notices) }),
  }
  notices.push(...describeLoweredAllows(file))
  return { file: { ...file, values }, notices }
}

const looseness: Readonly<Record<PermissionMode, number>> = { plan: 0, ask: 1, workspace: 2, auto: 3 }

function takeInside(entries: readonly string[], file: ConfigFile, root: string, notices: string[]): readonly string[] {
  return entries.filter(entry => {
    const path = isAbsolute(entry) ? entry : join(file.path, '..', entry)
    const rest = relative(root, path)
    const isInside = !/^~[\\/]/.test(entry) && !/^\.\.([\\/]|$)/.test(rest) && !isAbsolute(rest)
    if (isInside) return true
    notices.push(
      `${file.path}: "instructions" names ${entry}, which is outside the repository, and is not taken from a project's file. Name it in your own configuration to use it.`,
    )
    return false
  })
}

function describeLoweredAllows(file: ConfigFile): string[] {
  const rules = parseRules(file.values.permission, { source: 'project' })
  return rules.some(rule => rule.action === 'allow')
    ? [
        `${file.path}: its "allow" rules count as "ask", since a project can't allow itself things. Put them into your own configuration to have them count.`,
      ]
    : []
}
