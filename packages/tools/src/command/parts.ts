import { dirname, relative } from 'node:path'
import type { PermissionPart } from '@deckhand/core'
import { folderPattern, offerFolder, offerPath } from '../workspace/folder-pattern.ts'
import { findLaterCode } from '../workspace/later-code.ts'
import { findSecret } from '../workspace/secret-file.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { alwaysPatterns } from './arity.ts'
import type { CommandFact, DoubtFact, Facts, PathFact } from './facts.ts'

/** The parts of a permission question that the facts of a command ask for: commands, doubts, paths. */
export function createCommandParts(
  facts: Facts,
  workspace: Workspace,
  { asksNetwork = false }: { readonly asksNetwork?: boolean } = {},
): readonly PermissionPart[] {
  const paths = [...facts.paths.values()]
  const parts = [
    ...facts.commands.map(createCommandPart),
    ...(asksNetwork ? createNetworkParts(facts) : []),
    ...facts.doubts.map(createDoubtPart),
    ...paths.flatMap(path => createPathParts(path, workspace)),
  ]
  return withoutRepeats(parts)
}

/** A part for a text that can't be judged: always asked, never for good. */
export function createUnknownPart(text: string, reason: string, denyPatterns?: readonly string[]): PermissionPart {
  return {
    permission: 'shell',
    pattern: text,
    effect: 'execute',
    floor: { action: 'ask', reason },
    ...(denyPatterns && denyPatterns.length > 0 && { denyPatterns }),
  }
}

function createCommandPart(fact: CommandFact): PermissionPart {
  const { pattern, denyPatterns, asks, isReadOnly, isShown } = fact
  const always = asks.length === 0 ? alwaysPatterns(fact.args, pattern) : exactPattern(fact)
  return {
    permission: 'shell',
    pattern,
    effect: isReadOnly ? 'read' : 'execute',
    ...(denyPatterns.length > 0 && { denyPatterns }),
    ...(asks.length > 0 && { floor: { action: 'ask' as const, reason: asks.join('; '), ...(isShown && { isShown }) } }),
    ...(isReadOnly && { harmless: true }),
    ...(always.length > 0 && { always }),
  }
}

// A wildcard in the code would stand for more than that code.
function exactPattern({ pattern, isShown }: CommandFact): readonly string[] {
  return isShown && !/[*?]/.test(pattern) ? [pattern] : []
}

/**
 * Where a command surely needs the network, it is asked for beforehand, and for all others in the same text that could
 * use it then.
 */
function createNetworkParts({ commands }: Facts): readonly PermissionPart[] {
  if (!commands.some(({ network }) => network === 'yes')) return []
  const users = commands.filter(({ network }) => network !== 'no')
  return users.map(fact => {
    const { harmless, ...part } = createCommandPart(fact)
    return { ...part, permission: 'network', effect: 'execute' }
  })
}

function createDoubtPart({ text, reason }: DoubtFact): PermissionPart {
  return createUnknownPart(text, reason)
}

/**
 * Inside the workspace a path is asked for only where a rule about reading or editing says so, or where it is a secret
 * or code that runs later; outside it is asked for as an external directory too.
 */
function createPathParts(path: PathFact, workspace: Workspace): readonly PermissionPart[] {
  const own = createOwnPart(path, workspace)
  return path.inside ? [own] : [own, createExternalPart(path, workspace)]
}

function createOwnPart(path: PathFact, workspace: Workspace): PermissionPart {
  const find = (file: string) => (path.effect === 'write' ? findLaterCode(file) : findSecret(file, workspace))
  const reason = find(path.real) ?? find(path.absolute)
  const spellings = [path.absolute, path.real, relative(workspace.directory, path.real) || '.']
  return {
    permission: path.effect === 'write' ? 'edit' : 'read',
    pattern: path.shown,
    denyPatterns: [...new Set(spellings)].filter(spelling => spelling !== path.shown),
    effect: path.effect,
    ...(reason
      ? { floor: { action: 'ask' as const, reason: `${path.shown}: ${reason}` } }
      : { harmless: true, always: offerPath(path.shown) }),
  }
}

function createExternalPart(path: PathFact, workspace: Workspace): PermissionPart {
  const folder = path.isFolder ? path.real : dirname(path.real)
  const always = offerFolder(folder, workspace)
  return {
    permission: 'external_directory',
    pattern: folderPattern(folder),
    denyPatterns: [path.real, path.absolute, folder].filter((spelling, index, all) => all.indexOf(spelling) === index),
    effect: path.effect,
    ...(always.length > 0 && { always }),
  }
}

function withoutRepeats(parts: readonly PermissionPart[]): readonly PermissionPart[] {
  const seen = new Map<string, { readonly part: PermissionPart; readonly spellings: Set<string> }>()
  for (const part of parts) {
    const key = `${part.permission} ${part.effect} ${part.floor?.reason ?? ''} ${part.harmless ?? ''} ${part.pattern}`
    const known = seen.get(key)
    if (!known) seen.set(key, { part, spellings: new Set(part.denyPatterns) })
    else for (const spelling of part.denyPatterns ?? []) known.spellings.add(spelling)
  }
  return [...seen.values()].map(({ part, spellings }) =>
    spellings.size > 0 ? { ...part, denyPatterns: [...spellings] } : part,
  )
}
