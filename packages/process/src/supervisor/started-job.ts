import type { Exit } from '../command/command-call.ts'

/** A job of ours that has just been started, with or without a terminal. */
export interface StartedJob {
  readonly pid: number
  readonly startTicks: number
  /** Of its shell. */
  readonly exit: Promise<Exit>
  /** All of its output is in the log. */
  readonly logEnded: Promise<void>
  readonly input?: JobInput
  readonly terminal?: JobTerminal
  /** In a sandbox: to be asked once, after the end; see `SandboxedStart`. */
  hasStarted?(): boolean
}

/** Its standard input. */
export interface JobInput {
  /**
   * Hands the bytes over, and waits where it takes no more for now. Never throws but for a signal that was aborted
   * before: when it aborts meanwhile, or nobody reads any more, the count says how far it came.
   */
  write(bytes: Uint8Array, signal: AbortSignal): Promise<{ readonly taken: number; readonly isClosed: boolean }>
  /** No more will come. Twice is fine. */
  end(): void
}

/** Its terminal. */
export interface JobTerminal {
  readonly columns: number
  readonly rows: number
  resize(columns: number, rows: number): void
  /** What a person would see on it now, line by line; empty lines at the end are left out. */
  readScreen(): Promise<string>
}
