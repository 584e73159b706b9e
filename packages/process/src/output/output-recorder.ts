import { createOutputKeeper, type KeptOutput } from './output-keeper.ts'
import { createOutputLog, type LogFacts, type OutputLog } from './output-log.ts'

/** What came out of a command. */
export interface OutputFacts extends KeptOutput {
  /** The file with the whole of it; absent when it fitted in memory (then `head` and `tail` are all). */
  readonly log?: LogFacts
}

/** How an output is doing while its command runs. */
export interface OutputSnapshot {
  readonly bytes: number
  readonly lines: number
  /** The newest bytes, at most 8 KiB. */
  readonly last: Buffer
}

export interface OutputLimits {
  /** Kept in memory from the start of the output. */
  readonly headBytes: number
  /** Kept in memory from its end. */
  readonly tailBytes: number
  /** More than this ends the command. */
  readonly maxBytes: number
  /** The log file is begun when the output outgrows this; at most what is kept in memory, which is also the default. */
  readonly logAfterBytes?: number
}

/** Head and tail are larger than what a model is shown, as progress bars shrink a lot when they are rendered. */
export const defaultOutputLimits: OutputLimits = {
  headBytes: 128 * 1024,
  tailBytes: 128 * 1024,
  maxBytes: 2 * 1024 ** 3,
}

export interface RecorderOptions {
  readonly limits: OutputLimits
  readonly logPath?: string
  /** Called once, when more than `maxBytes` have come. */
  onFlood(): void
  /** Called at most every 100 ms; must not throw. */
  onProgress?(snapshot: OutputSnapshot): void
}

export interface OutputRecorder {
  /** Takes a chunk (the buffer may be reused after); a promise says: wait before the next. */
  take(chunk: Uint8Array): Promise<void> | undefined
  /** Ends the recording and gives the facts. */
  finish(): Promise<OutputFacts>
  /** As `finish`, but all that came is in the log, also what would fit in memory. Needs a `logPath`. */
  finishInLog(): Promise<OutputFacts>
}

const progressEveryMs = 100
const snapshotBytes = 8 * 1024

/**
 * Records an output: counts it, keeps its ends in memory, writes all of it to the log once it outgrows them (from the
 * first byte on), and tells when it gets too much. Beyond `maxBytes` it is still counted and its end kept, but not logged.
 */
export function createOutputRecorder({ limits, logPath, onFlood, onProgress }: RecorderOptions): OutputRecorder {
  const keeper = createOutputKeeper(limits)
  const kept = limits.headBytes + limits.tailBytes
  const logAfterBytes = Math.min(limits.logAfterBytes ?? kept, kept)
  const progress = onProgress && createProgress(() => onProgress(takeSnapshot()))
  let log: OutputLog | undefined
  let isFlood = false

  const takeSnapshot = (): OutputSnapshot => ({
    bytes: keeper.bytes,
    lines: keeper.countLines(),
    last: keeper.last(snapshotBytes),
  })

  function startLog(path: string): OutputLog {
    const { head, tail } = keeper.keep()
    return createOutputLog(path, [head, tail])
  }

  function logChunk(chunk: Uint8Array): Promise<void> | undefined {
    if (logPath === undefined || isFlood || keeper.bytes + chunk.length <= logAfterBytes) return undefined
    log ??= startLog(logPath)
    return log.write(chunk)
  }

  async function finish(): Promise<OutputFacts> {
    progress?.stop()
    const facts = await log?.close()
    return { ...keeper.keep(), ...(facts && { log: facts }) }
  }

  return {
    take(chunk) {
      const behind = logChunk(chunk)
      keeper.add(chunk)
      progress?.touch()
      if (keeper.bytes > limits.maxBytes && !isFlood) {
        isFlood = true
        onFlood()
      }
      return behind
    },
    finish,
    finishInLog() {
      if (logPath !== undefined) log ??= startLog(logPath)
      return finish()
    },
  }
}

// The first news goes out at once, what follows at most every 100 ms, and the newest is never held back for good.
function createProgress(tell: () => void) {
  let timer: NodeJS.Timeout | undefined
  let isNew = false
  const tick = () => {
    timer = undefined
    if (!isNew) return
    isNew = false
    timer = setTimeout(tick, progressEveryMs)
    tell()
  }
  return {
    touch(): void {
      isNew = true
      timer ??= setTimeout(tick, 0)
    },
    stop(): void {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
