import { constants } from 'node:os'
import { type CommandEnd, describeRefusals, type Leftovers, type StopSummary } from '@deckhand/process'
import { describeOutput } from '../output/describe-output.ts'
import { describeSize } from '../output/describe-size.ts'
import { fenceText } from '../output/fence.ts'
import { describeDuration, describeProcess, exitCodeOf } from './describe-facts.ts'
import { describePipeFailures } from './pipe-failures.ts'
import type { ShellOutcome } from './shell-outcome.ts'
import { describeStateFacts } from './state-facts.ts'

/** What the model is told: the output in its fence, then one line of facts, each only where it is true. */
export function describeShellOutcome(outcome: ShellOutcome, createWord?: () => string): string {
  const text = describeOutput(outcome.view, outcome.saved)
  const facts = listFacts(outcome).join(' · ')
  return text === '' ? facts : `${fenceText(text, outcome.command, createWord)}\n${facts}`
}

function listFacts(outcome: ShellOutcome): string[] {
  const { run, view, state, cappedFromMs, maxTimeoutMs } = outcome
  return [
    describeEnd(outcome),
    describePipeFailures(outcome.pipeFailures),
    view.kind === 'none' ? 'no output' : '',
    describeDuration(run.durationMs),
    ...(state ? describeStateFacts(state) : []),
    cappedFromMs === undefined
      ? ''
      : `timeoutMs ${cappedFromMs} was capped: at most ${maxTimeoutMs} (${describeDuration(maxTimeoutMs)})`,
    describeLeftovers(run.leftovers),
    describeEndedLeftovers(run.leftovers),
    run.isOneStream ? '' : 'the order of stdout and stderr may differ',
    ...describeSandbox(outcome),
    describeWithheld(outcome.withheld),
    outcome.hint ?? '',
  ].filter(fact => fact !== '')
}

function describeEnd({ run: { end }, benign, job, hasNoRoom, timeoutMs, maxTimeoutMs }: ShellOutcome): string {
  switch (end.kind) {
    case 'exited':
      return describeExit(end.code, benign)
    case 'killed':
      return `killed by ${end.signal} (exit ${exitCodeOf(end.signal)})${describeSignalCause(end.signal)}`
    case 'timed-out':
      return `timed out after ${describeDuration(end.timeoutMs)}: ${describeStop(end.stop)}. ${hasNoRoom ? noRoom : describeLonger(timeoutMs, maxTimeoutMs)}`
    case 'cancelled':
      return `${describeCancel(end.reason)}: ${describeStop(end.stop)}`
    case 'capped':
      return `ended as it printed more than ${describeSize(end.maxBytes)}: ${describeStop(end.stop)}`
    case 'goes-on':
      return `not ended after ${describeDuration(end.timeoutMs)}: it goes on${job ? ` as ${job.id} (pid ${job.pid}); go on with job output | wait | stop, id ${job.id}, cursor ${job.cursor}` : ''}`
    case 'failed-to-start':
      return describeStartFailure(end)
  }
}

/** Why nothing ran, and what to do. */
export function describeStartFailure(end: Extract<CommandEnd, { kind: 'failed-to-start' }>): string {
  if (end.missing === 'folder') return 'The command was not started: its folder does not exist any more.'
  if (end.missing === 'program')
    return 'The command was not started: bash was not found. Install bash, or put it on PATH.'
  if (end.code === 'E2BIG')
    return 'The command was not started: it is longer than the system takes (128 KB). Write the long text to a file first, with the write tool.'
  return `The command was not started: ${end.message}.`
}

function describeExit(code: number, benign: string | undefined): string {
  if (benign !== undefined) return `exit ${code}: ${benign}; not a failure`
  if (code === 126) return 'exit 126: found, but not a program that can be run'
  if (code === 127) return 'exit 127: command not found'
  const signal = signalOf(code - 128)
  if (signal) return `exit ${code}: usually a command killed by ${signal}${describeSignalCause(signal)}`
  return `exit ${code}`
}

// Programs may choose such codes themselves, so it is "usually"; the rare signals are left to them.
const tellingSignals = [
  'SIGHUP',
  'SIGINT',
  'SIGQUIT',
  'SIGILL',
  'SIGTRAP',
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGKILL',
  'SIGSEGV',
  'SIGPIPE',
  'SIGALRM',
  'SIGTERM',
  'SIGXCPU',
  'SIGXFSZ',
  'SIGSYS',
] as const

function signalOf(number: number): NodeJS.Signals | undefined {
  return tellingSignals.find(signal => constants.signals[signal] === number)
}

function describeSignalCause(signal: NodeJS.Signals): string {
  switch (signal) {
    case 'SIGKILL':
      return ', often sent by the system when memory runs out'
    case 'SIGSEGV':
    case 'SIGBUS':
      return ', a crash'
    case 'SIGPIPE':
      return ', as the reader of its output had ended'
    default:
      return ''
  }
}

function describeStop({ signals, survivors }: StopSummary): string {
  const sent = signals.length === 0 ? 'it had just ended' : `sent ${signals.join(', then ')}`
  const names = survivors.map(describeProcess).join(', ')
  return `${sent}; survivors: ${names || 'none'}`
}

const noRoom = 'It could not go on as a job, as too many run already: stop one with job stop'

function describeLonger(timeoutMs: number, maxTimeoutMs: number): string {
  const raise = timeoutMs < maxTimeoutMs ? `Raise timeoutMs (at most ${maxTimeoutMs}), or start` : 'Start'
  return `${raise} it with background true and wait for it with job wait`
}

function describeCancel(reason: unknown): string {
  return reason instanceof Error && reason.name === 'TimeoutError'
    ? "cancelled at the turn's time limit"
    : 'cancelled by the user'
}

function describeLeftovers(leftovers: Leftovers): string {
  if (!leftovers.known) return leftovers.isGroupAlive ? 'something it started is still running' : ''
  if (leftovers.processes.length === 0) return ''
  return `still running: ${leftovers.processes.map(describeProcess).join('; ')} (ended when Deckhand ends; what it prints here is dropped)`
}

function describeEndedLeftovers(leftovers: Leftovers): string {
  if (!leftovers.known || !leftovers.ended?.length) return ''
  return `ended what it left running: ${leftovers.ended.map(describeProcess).join('; ')}`
}

function describeSandbox({ sandbox }: ShellOutcome): readonly string[] {
  if (!sandbox) return []
  const { refusals, leave, masked } = sandbox
  const refused = describeRefusals(refusals)
  if (leave?.kind === 'outside') return [`run twice: ${refused}; this is the second run, outside it, as was allowed`]
  if (leave?.kind === 'network')
    return [`run twice: ${refused}; this is the second run, with the network, as was allowed`]
  return [
    refused,
    leave?.kind === 'refused' ? `not let out of the sandbox: ${leave.why}` : '',
    masked.length > 0 ? `in the sandbox it can't read ${masked.join(', ')}` : '',
  ]
}

function describeWithheld(names: readonly string[]): string {
  if (names.length === 0) return ''
  return `not handed to commands, as a credential: ${names.join(', ')} (the user can allow it with shell.allowEnvironment)`
}
