import type { ChannelHandOver } from '../channel/output-channel.ts'
import type { OutputFacts } from '../output/output-recorder.ts'
import type { Leftover } from './call-processes.ts'
import type { StopSignal } from './stop-processes.ts'

/** How a command ended: of exit, timeout, cancel and flood, the one that came first. */
export type CommandEnd =
  | { readonly kind: 'exited'; readonly code: number }
  /** The shell itself died by a signal. (A child of it that did shows as exit code 128 + its number.) */
  | { readonly kind: 'killed'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'timed-out'; readonly timeoutMs: number; readonly stop: StopSummary }
  | { readonly kind: 'cancelled'; readonly reason: unknown; readonly stop: StopSummary }
  /** It printed more than `maxBytes`. */
  | { readonly kind: 'capped'; readonly maxBytes: number; readonly stop: StopSummary }
  /** Its time was over, and as was wished it goes on: `call` is to be taken over at once, for nobody reads its output now. */
  | { readonly kind: 'goes-on'; readonly timeoutMs: number; readonly call: RunningCall }
  /** Nothing ran. `missing` says what was not there, where that is the reason. */
  | {
      readonly kind: 'failed-to-start'
      readonly code: string
      readonly message: string
      readonly missing?: 'program' | 'folder'
    }

/** A command that goes on after its call. */
export interface RunningCall {
  /** Of its shell. */
  readonly pid: number
  readonly startTicks: number
  /** Of its shell. */
  readonly exit: Promise<Extract<CommandEnd, { kind: 'exited' | 'killed' }>>
  /** In a sandbox: to be asked once, after the end; see `SandboxedStart`. */
  hasStarted?(): boolean
  /** The mark in the environment of all its processes. */
  readonly token: string
  /** Where its output can be read on; undefined when nobody writes it any more. */
  readonly output: ChannelHandOver | undefined
}

/** What it took to end it, and who is still there. */
export interface StopSummary {
  readonly signals: readonly StopSignal[]
  readonly survivors: readonly Leftover[]
}

/** What outlived the command and is kept running for now. */
export type Leftovers =
  /** All that could be found: in the process group, in the session, or by the mark in their environment. */
  | {
      readonly known: true
      readonly processes: readonly Leftover[]
      /** What was ended, as nothing was to be left running. */
      readonly ended?: readonly Leftover[]
    }
  /** Processes can't be listed on this system; only this is known. */
  | { readonly known: false; readonly isGroupAlive: boolean }

/** The facts of a command that was run. Words are made from it elsewhere. */
export interface CommandOutcome {
  readonly end: CommandEnd
  readonly durationMs: number
  readonly output: OutputFacts
  readonly leftovers: Leftovers
  /** False where stdout and stderr came through two pipes, so that their order is not sure. */
  readonly isOneStream: boolean
}
