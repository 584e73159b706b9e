import type { CommandOutcome } from '@deckhand/process'
import type { SavedOutput } from '../output/describe-output.ts'
import type { OutputView } from '../output/output-view.ts'

/** The facts of one shell call. `describeShellOutcome` words them. */
export interface ShellOutcome {
  readonly command: string
  readonly run: Pick<CommandOutcome, 'end' | 'durationMs' | 'leftovers' | 'isOneStream'>
  readonly view: OutputView
  /** Where all of the output is, when not all of it is shown. */
  readonly saved?: SavedOutput
  /** The folder that it ran in, when that was not the workspace's own. */
  readonly folder?: string
  /** Why a code that is not 0 is no failure. */
  readonly benign?: string
  /** It wanted a person: what to do instead. */
  readonly hint?: string
  /** It did `cd`, `export` or the like, which the next call will not see. */
  readonly changesState: boolean
  /** Variables that it names and that are kept from commands, as they look like credentials. */
  readonly withheld: readonly string[]
  /** The timeout that was asked for, when it was above the limit. */
  readonly cappedFromMs?: number
  readonly timeoutMs: number
  readonly maxTimeoutMs: number
}
