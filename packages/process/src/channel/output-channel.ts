import type { ChildProcess } from 'node:child_process'

/** Takes bytes as they come. The buffer is reused after. A promise says: no more until it resolves. */
export type TakeBytes = (chunk: Uint8Array) => Promise<void> | undefined

/** Does some process still hold the writing end? */
export type ChannelState = 'ended' | 'held'

/**
 * How a command's output reaches us. A call ends with its shell and never with the end of this channel, as background
 * children keep it open for as long as they like.
 */
export interface OutputChannel {
  /** Where it is among the files; a process that holds it open shows this path. */
  readonly path?: string
  /** What the child gets as stdout and stderr. */
  readonly stdio: readonly [number | 'pipe', number | 'pipe']
  /** Starts reading; to be called right after the child was started. */
  attach(child: ChildProcess, take: TakeBytes): void
  /**
   * To be called after the shell's exit: takes what is there by now, and what a short-lived child (such as
   * `> >(tee log)`) still writes, until nothing comes and `isBusy` says that nobody is at work who could write more.
   * Bounded in time and in bytes, however much a background child prints.
   */
  drain(isBusy: () => boolean): Promise<ChannelState>
  /** Goes on reading and drops it all, so that nobody who holds the channel is blocked or gets SIGPIPE. */
  drop(): void
  /**
   * Ends our reading, once all that was read has been taken, and gives an open descriptor from which another process can
   * go on. Undefined where nobody writes any more. Absent where the channel can't be handed over.
   */
  handOver?(): Promise<ChannelHandOver | undefined>
  /** Ends the reading for good. Closing twice is fine. */
  close(): void
}

/** A channel that another process is to read on. */
export interface ChannelHandOver {
  /** Open for reading; to be closed by who takes it. */
  readonly reader: number
  /** To be called when nobody holds the channel any more. */
  release(): void
}

/** After the shell's exit: quiet for this long means that nobody is about to write. */
export const quietMs = 20
/** The longest wait for that quiet. */
export const settleMs = 300
/** The most that comes in that time. */
export const settleBytes = 1024 * 1024
/** What a pipe holds: no more than this can be from before the exit. */
export const pipeBytes = 64 * 1024
