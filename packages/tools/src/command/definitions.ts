// What earlier commands of the same shell have defined, as the walk through a command needs it.
import type { SyntaxNode } from 'unbash'
import { parseCommand, type Unbash } from './parse.ts'

/** Names that mean something else than a program, as earlier commands have defined them. */
export interface ShellDefinitions {
  /** The text that defines the functions. */
  readonly functions: string
  readonly functionNames: readonly string[]
  readonly aliasNames: readonly string[]
}

export interface EarlierDefinitions {
  /** Functions by name. */
  readonly functions: ReadonlyMap<string, SyntaxNode>
  /** Names of which only this is known: that they are not the program of that name. */
  readonly opaque: ReadonlySet<string>
}

/** Reads them; a function whose text can't be read is opaque, as an alias is. */
export function readDefinitions(given: ShellDefinitions | undefined, unbash: Unbash): EarlierDefinitions {
  if (!given) return { functions: new Map(), opaque: new Set() }
  const { script, problem } = given.functions === '' ? {} : parseCommand(given.functions, unbash)
  const functions = new Map<string, SyntaxNode>()
  for (const { command } of problem ? [] : (script?.commands ?? []))
    if (command.type === 'Function') functions.set(command.name.value, command.body)
  const unread = given.functionNames.filter(name => !functions.has(name))
  return { functions, opaque: new Set([...unread, ...given.aliasNames]) }
}
