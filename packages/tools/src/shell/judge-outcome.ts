import { rm } from 'node:fs/promises'
import {
  type CommandEnd,
  type CommandOutcome,
  createOutputLog,
  type OutputFacts,
  type OutputSnapshot,
} from '@deckhand/process'
import { decodeOutput } from '../output/decode-output.ts'
import { describeOutput, type SavedOutput } from '../output/describe-output.ts'
import { type OutputView, viewOutput } from '../output/output-view.ts'
import { renderTerminal } from '../output/render-terminal.ts'
import { type CommandShape, parseShape } from './command-shape.ts'
import { exitCodeOf } from './describe-facts.ts'
import { explainBenignExit } from './exit-meaning.ts'
import { findInteractiveHint } from './interactive-hint.ts'
import { findPipeFailures } from './pipe-failures.ts'
import type { ShellOutcome } from './shell-outcome.ts'

export interface ShellRun {
  readonly command: string
  readonly run: CommandOutcome
  /** The codes of the commands of the pipe that ran last, where the shell told them. */
  readonly pipe: readonly number[] | undefined
  readonly wishedMs: number | undefined
  readonly timeoutMs: number
  readonly limits: { readonly maxTimeoutMs: number; readonly shownHeadBytes: number; readonly shownTailBytes: number }
  readonly logPath: string
  /** Names of variables that are kept from commands. */
  readonly withheld: readonly string[]
}

/** Makes the facts of a call from what ran: what of the output is shown and saved, and what the end means. */
export async function judgeOutcome(call: ShellRun): Promise<ShellOutcome> {
  const { command, run, pipe = [], wishedMs, timeoutMs, limits, withheld } = call
  const view = viewOutput(run.output, { headBytes: limits.shownHeadBytes, tailBytes: limits.shownTailBytes })
  const saved = run.end.kind === 'goes-on' ? run.output.log : await keepWhole(view, run.output, call.logPath)
  const { deciders, lastPipe } = await findShape(command, run, pipe)
  const code = run.end.kind === 'exited' ? run.end.code : 0
  const benign = code === 0 ? undefined : explainBenignExit(code, deciders, wholeOf(view))
  const names = deciders.flatMap(decider => (decider.kind === 'words' ? decider.words.slice(0, 1) : []))
  const hint = code === 0 || benign !== undefined ? undefined : findInteractiveHint(endOf(view), names)
  return {
    command,
    run,
    view,
    timeoutMs,
    maxTimeoutMs: limits.maxTimeoutMs,
    pipeFailures: findPipeFailures(pipe, lastPipe),
    withheld: withheld.filter(name => speaksOf(command, name)),
    ...(saved && { saved }),
    ...(benign !== undefined && { benign }),
    ...(hint !== undefined && { hint }),
    ...(wishedMs !== undefined && wishedMs > timeoutMs && { cappedFromMs: wishedMs }),
  }
}

/** The output so far, for a screen. */
export function describeProgress(snapshot: OutputSnapshot, description?: string): Readonly<Record<string, unknown>> {
  const text = renderTerminal(decodeOutput(snapshot.last, { start: snapshot.bytes > snapshot.last.length, end: true }))
  return { output: text, bytes: snapshot.bytes, lines: snapshot.lines, ...(description && { description }) }
}

/** The facts of a call for programs and screens. */
export function describeResultFacts(outcome: ShellOutcome, description?: string): Readonly<Record<string, unknown>> {
  const { run, view, saved, state, benign } = outcome
  const cwd = state?.workdir ?? state?.cwd
  const { end, leftovers } = run
  return {
    output: describeOutput(view, saved),
    exit: exitOf(end),
    ...(outcome.job && { job: outcome.job.id, pid: outcome.job.pid, cursor: outcome.job.cursor, running: true }),
    ...(end.kind === 'killed' && { signal: end.signal }),
    ...(end.kind === 'timed-out' && { timedOut: true }),
    ...(end.kind === 'cancelled' && { cancelled: true }),
    ...(end.kind === 'capped' && { capped: true }),
    ...(description && { description }),
    truncated: view.kind === 'cut' || view.kind === 'binary',
    ...(saved && saved.bytes > 0 && { outputPath: saved.path }),
    ...(benign !== undefined && { benign }),
    ...(cwd !== undefined && { cwd }),
    ...(leftovers.known && leftovers.processes.length > 0 && { leftovers: leftovers.processes }),
    ...(outcome.sandbox && { sandbox: outcome.sandbox }),
    durationMs: Math.round(run.durationMs),
  }
}

function exitOf(end: CommandEnd): number | null {
  if (end.kind === 'exited') return end.code
  return end.kind === 'killed' ? exitCodeOf(end.signal) : null
}

// A log is there for what is not shown; when rendering made it all fit after all, it is not needed.
async function keepWhole(view: OutputView, output: OutputFacts, logPath: string): Promise<SavedOutput | undefined> {
  const isNeeded = view.kind === 'cut' || view.kind === 'binary'
  if (isNeeded) return output.log ?? createOutputLog(logPath, [output.head, output.tail]).close()
  if (output.log && !output.log.problem) await rm(output.log.path, { force: true })
  return undefined
}

// What a command sets itself, it does not miss.
function speaksOf(command: string, name: string): boolean {
  const escaped = name.replace(/\W/g, '\\$&')
  return new RegExp(`(?<!\\w)${escaped}(?![\\w=])`).test(command)
}

async function findShape(command: string, { end }: CommandOutcome, pipe: readonly number[]): Promise<CommandShape> {
  const isFailure = end.kind === 'exited' && end.code !== 0
  const hidesFailure = pipe.slice(0, -1).some(code => code !== 0)
  return isFailure || hidesFailure ? parseShape(command) : { deciders: [], lastPipe: undefined }
}

function wholeOf(view: OutputView): string | undefined {
  if (view.kind === 'none') return ''
  return view.kind === 'whole' ? view.text : undefined
}

const hintChars = 2000

/** The end of what is shown, where programs say why they fail. */
export function endOf(view: OutputView): string {
  switch (view.kind) {
    case 'whole':
      return view.text.slice(-hintChars)
    case 'cut':
      return view.tail.slice(-hintChars)
    default:
      return ''
  }
}
