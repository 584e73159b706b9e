// What a command would do, as facts for people and programs. The parts of a permission question are made of the same.
import type { Arg } from './arg.ts'
import { type AssessOptions, followCommand } from './assess-command.ts'
import type { CommandFact, Facts, PathFact, WrittenCommand } from './facts.ts'
import type { NetworkUse } from './programs/network.ts'

/** A word of a command after quote removal; `reason` says why it can't be known. */
export type AnalysedWord =
  | { readonly text: string; readonly known: true }
  | { readonly text: string; readonly known: false; readonly reason: string }

/** One simple command that could run. */
export interface AnalysedCommand {
  readonly argv: readonly AnalysedWord[]
  /** Its words joined by single blanks: what rules are matched against. */
  readonly pattern: string
  /** The commands that start it, outermost first: `sudo`, `env`. */
  readonly wrappers: readonly string[]
  readonly readOnly: YesNoUnknown
  readonly network: NetworkUse
  /** Why it is asked for whatever a rule allows. */
  readonly asks: readonly string[]
  /** Where it stands in the text; absent for one that stands in no text of its own, such as what `xargs` starts. */
  readonly written?: WrittenCommand
}

/** A path that it may use, with every folder that could be the current one. */
export interface AnalysedPath {
  /** Absolute, symlinks followed. */
  readonly real: string
  /** As it is written, made absolute. */
  readonly written: string
  readonly inside: boolean
  readonly isFolder: boolean
  readonly effect: PathFact['effect']
}

export type YesNoUnknown = 'yes' | 'no' | 'unknown'

/** All that is known of a text before it is run. */
export interface CommandAnalysis {
  readonly shell: AssessOptions['shell']
  readonly commands: readonly AnalysedCommand[]
  readonly paths: readonly AnalysedPath[]
  /** What can't be known, in words for a person. */
  readonly unknown: readonly { readonly text: string; readonly reason: string }[]
  readonly readOnly: YesNoUnknown
  readonly network: NetworkUse
}

/**
 * Analyses a text for a shell. Pure but for the look-up of paths; nothing is run. What can't be parsed, and what is too
 * long or too deep, gives what was found and says so in `unknown`: then more may happen than is listed.
 */
export async function analyseCommand(text: string, options: AssessOptions): Promise<CommandAnalysis> {
  const { facts, problem } = await followCommand(text, options)
  const commands = facts.commands.map(describeCommand)
  const unknown = [...(problem === undefined ? [] : [{ text, reason: problem }]), ...facts.doubts]
  return {
    shell: options.shell,
    commands,
    paths: [...facts.paths.values()].map(describePath),
    unknown,
    readOnly: judgeReadOnly(facts, commands, unknown.length > 0),
    network: unknown.length > 0 ? strictestUse(commands, 'unknown') : strictestUse(commands, 'no'),
  }
}

function describeCommand(fact: CommandFact): AnalysedCommand {
  return {
    argv: fact.args.filter(arg => !arg.isHidden).map(describeWord),
    pattern: fact.pattern,
    wrappers: fact.wrappers,
    readOnly: fact.isReadOnly ? 'yes' : fact.asks.length > 0 ? 'unknown' : 'no',
    network: fact.network,
    asks: fact.asks,
    ...(fact.written && { written: fact.written }),
  }
}

function describeWord({ text, values, unknown, isGlob }: Arg): AnalysedWord {
  if (values !== undefined && values.length === 1 && !isGlob) return { text, known: true }
  return { text, known: false, reason: unknown ?? (isGlob ? 'the shell expands it' : 'it has several values') }
}

function describePath({ real, absolute, inside, isFolder, effect }: PathFact): AnalysedPath {
  return { real, written: absolute, inside, isFolder, effect }
}

function judgeReadOnly(facts: Facts, commands: readonly AnalysedCommand[], hasUnknown: boolean): YesNoUnknown {
  const writes = [...facts.paths.values()].some(path => path.effect === 'write')
  if (writes || commands.some(command => command.readOnly === 'no')) return 'no'
  return hasUnknown || commands.some(command => command.readOnly === 'unknown') ? 'unknown' : 'yes'
}

function strictestUse(commands: readonly AnalysedCommand[], least: NetworkUse): NetworkUse {
  if (commands.some(({ network }) => network === 'yes')) return 'yes'
  return commands.some(({ network }) => network === 'unknown') ? 'unknown' : least
}
