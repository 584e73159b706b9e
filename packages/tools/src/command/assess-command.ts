// What a command would do, before it is run: parse it, walk it, judge each simple command, and word that as the parts
// of a permission question. What programs do with their words stands in the table under programs/.
import type { PermissionPart } from '@deckhand/core'
import type { Workspace } from '../workspace/workspace.ts'
import { crudeSpellings } from './crude-spellings.ts'
import { readDefinitions, type ShellDefinitions } from './definitions.ts'
import { Facts } from './facts.ts'
import { type FolderFacts, systemFolders } from './folder-facts.ts'
import type { FollowedCommand } from './followed-command.ts'
import { findForeignSyntax } from './foreign-syntax.ts'
import { loadUnbash, parseCommand, type Unbash } from './parse.ts'
import { createCommandParts, createUnknownPart } from './parts.ts'
import type { AskOwnParser } from './powershell/own-parser.ts'
import { collectSimpleCommands } from './simple-commands.ts'

export interface AssessOptions {
  /** The folder that the command starts in. */
  readonly cwd: string
  readonly workspace: Workspace
  readonly home: string
  readonly shell: 'bash' | 'zsh' | 'sh' | 'fish' | 'powershell' | 'cmd'
  /** The variables that the command gets, as far as they are known; the value of any other can't be known. */
  readonly env?: Readonly<Record<string, string>>
  /** What earlier commands of the same shell have defined. */
  readonly definitions?: ShellDefinitions
  /** For PowerShell: its own parser, where it is installed. What that finds besides is asked. */
  readonly askOwnParser?: AskOwnParser
  /** What is asked about folders; default: the machine's. */
  readonly folders?: FolderFacts
  /** Adds a part of the permission `network` for what surely needs it; for commands that would run without it. */
  readonly asksNetwork?: boolean
}

/**
 * The parts to ask permission for before a command runs; at least one. Nothing is run. What can't be parsed, is too
 * long, too deep or empty, and what can't be known, is a part that is asked whatever a rule allows.
 */
export async function assessCommand(text: string, options: AssessOptions): Promise<readonly PermissionPart[]> {
  const { facts, problem, isEmpty } = await followCommand(text, options)
  if (problem) return [createUnknownPart(text, problem, await spellingsOf(text, facts, options.shell))]
  const parts = createCommandParts(facts, options.workspace, options)
  if (parts.some(part => part.permission === 'shell')) return parts
  if (isEmpty) return [createUnknownPart(text, 'there is no command in it')]
  // Only assignments and tests, which the shell does by itself.
  return [{ permission: 'shell', pattern: text.trim(), effect: 'read', harmless: true }, ...parts]
}

/** Parses a text for its shell and walks through it. */
export async function followCommand(text: string, options: AssessOptions): Promise<FollowedCommand> {
  if (options.shell === 'cmd') return followInCmd(text, options)
  const unbash = await loadUnbash()
  return options.shell === 'powershell' ? followInPowershell(text, options, unbash) : followBash(text, options, unbash)
}

async function followInCmd(text: string, options: AssessOptions): Promise<FollowedCommand> {
  const { followCmd } = await import('./cmd/follow.ts')
  const workspace = { ...options.workspace, home: options.home }
  return followCmd(text, options.cwd, { workspace, folders: options.folders ?? systemFolders })
}

async function followInPowershell(text: string, options: AssessOptions, unbash: Unbash): Promise<FollowedCommand> {
  const { followPowershell, addOwnParse } = await import('./powershell/follow.ts')
  const followed = followPowershell(text, {
    cwd: options.cwd,
    workspace: { ...options.workspace, home: options.home },
    folders: options.folders ?? systemFolders,
    runBash(inner, facts) {
      const { script, problem } = parseCommand(inner, unbash)
      if (problem) facts.addDoubt(inner, `a script in it can't be read: ${problem}`)
      if (script) collect(script, options, unbash, facts)
    },
  })
  const own = followed.problem === undefined ? await options.askOwnParser?.(text) : undefined
  return own ? addOwnParse(text, followed, own) : followed
}

function followBash(text: string, options: AssessOptions, unbash: Unbash): FollowedCommand {
  const { script, problem } = parseCommand(text, unbash)
  const facts = new Facts()
  const doubt = findForeignSyntax(text, options.shell)
  if (doubt !== undefined) facts.addDoubt(text, doubt)
  if (script) collect(script, options, unbash, facts)
  const isEmpty = !script || script.commands.length === 0
  if (problem) return { facts, isEmpty, problem: `the command can't be judged: ${problem}` }
  return facts.isTooMuch
    ? { facts, isEmpty, problem: 'it holds more commands and paths than can be followed' }
    : { facts, isEmpty }
}

function collect(
  script: NonNullable<ReturnType<typeof parseCommand>['script']>,
  options: AssessOptions,
  unbash: Unbash,
  facts: Facts,
): void {
  const workspace = { ...options.workspace, home: options.home }
  const folders = options.folders ?? systemFolders
  const environment = options.env ?? {}
  const definitions = readDefinitions(options.definitions, unbash)
  collectSimpleCommands(script, options.cwd, { workspace, folders, unbash, facts, environment, definitions })
}

// What is denied stays denied, also in a text that can't be judged: bash runs the whole lines before an error.
async function spellingsOf(text: string, facts: Facts, shell: AssessOptions['shell']): Promise<readonly string[]> {
  const followed = facts.commands.flatMap(command => [command.pattern, ...command.denyPatterns])
  // Neither knows letter case.
  const crude =
    shell === 'powershell' || shell === 'cmd'
      ? (await import('./powershell/crude-spellings.ts')).crudePowershellSpellings(text)
      : crudeSpellings(text)
  return [...new Set([...followed, ...crude])]
}
