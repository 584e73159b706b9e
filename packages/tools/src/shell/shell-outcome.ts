import type { CommandOutcome, SandboxRefusal } from '@deckhand/process'
import type { SavedOutput } from '../output/describe-output.ts'
import type { OutputView } from '../output/output-view.ts'
import type { PipeFailure } from './pipe-failures.ts'
import type { StateFacts } from './state-facts.ts'

/** What the sandbox had to do with it. */
export interface SandboxStory {
  /** What it kept the command from; of two runs, the first. */
  readonly refusals: readonly SandboxRefusal[]
  /** Secrets of the workspace that can't be read in it; told of a command that failed. */
  readonly masked: readonly string[]
  /** Undefined: nobody was asked, as nothing was refused. */
  readonly leave?:
    | { readonly kind: 'outside' | 'network' }
    /** It was not let out, and why. */
    | { readonly kind: 'refused'; readonly why: string }
}

/** The facts of one shell call. `describeShellOutcome` words them. */
export interface ShellOutcome {
  readonly command: string
  readonly run: Pick<CommandOutcome, 'end' | 'durationMs' | 'leftovers' | 'isOneStream'>
  readonly view: OutputView
  /** Where all of the output is, when not all of it is shown. */
  readonly saved?: SavedOutput
  /** Why a code that is not 0 is no failure. */
  readonly benign?: string
  /** It wanted a person: what to do instead. */
  readonly hint?: string
  /** Commands of the pipe that ran last which failed though its code does not say so. */
  readonly pipeFailures: readonly PipeFailure[]
  /** What became of the shell's state; absent until it is known. */
  readonly state?: StateFacts
  /** Variables that it names and that are kept from commands, as they look like credentials. */
  readonly withheld: readonly string[]
  readonly sandbox?: SandboxStory
  /** The timeout that was asked for, when it was above the limit. */
  readonly cappedFromMs?: number
  /** What it went on as after its timeout. */
  readonly job?: { readonly id: string; readonly pid: number; readonly cursor: number }
  /** At the timeout it was to go on, and did not, as too many jobs run already. */
  readonly hasNoRoom?: boolean
  readonly timeoutMs: number
  readonly maxTimeoutMs: number
}
