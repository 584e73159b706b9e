import { writeSync } from 'node:fs'
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Where the whole output is, or why it isn't. */
export interface LogFacts {
  readonly path: string
  /** Bytes that are in the file. */
  readonly bytes: number
  /** Why the rest is not: the system's code (ENOSPC, EACCES, …) and its words. */
  readonly problem?: { readonly code: string; readonly message: string }
}

/** A file that takes an output as it comes. A file that can't be written never stops the output: it is told at the end. */
export interface OutputLog {
  /**
   * Takes a copy of at most `maxChunkBytes`. A promise says that the disk is behind: wait for it before the next chunk,
   * so that memory stays flat.
   */
  write(chunk: Uint8Array): Promise<void> | undefined
  /** Writes what is left and closes the file. Closing twice gives the same facts. */
  close(): Promise<LogFacts>
}

export const maxChunkBytes = 64 * 1024
const blockBytes = 256 * 1024
const defaultSlowWriteMs = 100

/**
 * Opens a new file, readable by its owner only, and writes `first` into it. Each chunk is written as it comes: on the
 * way through another thread, a fast printer would be held up twice as long. From the first write on that takes
 * `slowWriteMs`, two blocks take turns instead: one is filled while the other is on its way, so a slow disk does not
 * hold up the program.
 */
export function createOutputLog(
  path: string,
  first: readonly Uint8Array[] = [],
  slowWriteMs = defaultSlowWriteMs,
): OutputLog {
  const file = createLogFile(path, slowWriteMs)
  let filling = Buffer.allocUnsafeSlow(blockBytes)
  let spare = Buffer.allocUnsafeSlow(blockBytes)
  let filled = 0
  let writing: Promise<void> | undefined = file.write(...first).then(afterWrite)
  let closing: Promise<LogFacts> | undefined

  const isFull = () => blockBytes - filled < maxChunkBytes

  function flush(): void {
    const block = filling.subarray(0, filled)
    ;[filling, spare] = [spare, filling]
    filled = 0
    writing = file.write(block).then(afterWrite)
  }

  function afterWrite(): void {
    writing = undefined
    if (filled > 0) flush()
  }

  function writeNow(chunk: Uint8Array): void {
    if (filled > 0) file.writeNow(filling.subarray(0, filled))
    filled = 0
    file.writeNow(chunk)
  }

  async function finish(): Promise<LogFacts> {
    while (writing) await writing
    if (filled > 0) await file.write(filling.subarray(0, filled))
    return file.close()
  }

  return {
    write(chunk) {
      if (file.hasFailed()) return undefined
      if (!writing && file.isQuick()) return void writeNow(chunk)
      filling.set(chunk, filled)
      filled += chunk.length
      if (!isFull()) return undefined
      if (writing) return writing
      flush()
      return undefined
    },
    close: () => {
      closing ??= finish()
      return closing
    },
  }
}

function createLogFile(path: string, slowWriteMs: number) {
  let handle: FileHandle | undefined
  let bytes = 0
  let slowestMs = 0
  let problem: LogFacts['problem']

  async function openFile(): Promise<FileHandle> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    return open(path, 'wx', 0o600)
  }

  async function writeWhole(to: FileHandle, block: Uint8Array): Promise<void> {
    for (let at = 0; at < block.length; ) {
      const { bytesWritten } = await to.write(block, at, block.length - at)
      at += bytesWritten
      bytes += bytesWritten
    }
  }

  function writeWholeNow({ fd }: FileHandle, block: Uint8Array): void {
    const startMs = performance.now()
    for (let at = 0; at < block.length; ) {
      const written = writeSync(fd, block, at)
      at += written
      bytes += written
    }
    slowestMs = Math.max(slowestMs, performance.now() - startMs)
  }

  const fail = (error: unknown) => {
    const { code = 'UNKNOWN', message } = error as NodeJS.ErrnoException
    problem ??= { code, message }
  }

  return {
    hasFailed: () => problem !== undefined,
    /** May `writeNow` be used: is the file open, and did the disk never let us wait? */
    isQuick: () => handle !== undefined && slowestMs < slowWriteMs,
    writeNow(block: Uint8Array): void {
      if (problem || !handle) return
      try {
        writeWholeNow(handle, block)
      } catch (error) {
        fail(error)
      }
    },
    async write(...blocks: readonly Uint8Array[]): Promise<void> {
      if (problem) return
      try {
        handle ??= await openFile()
        for (const block of blocks) await writeWhole(handle, block)
      } catch (error) {
        fail(error)
      }
    },
    async close(): Promise<LogFacts> {
      // Some file systems tell only now that there was no room.
      await handle?.close().catch(fail)
      return { path, bytes, ...(problem && { problem }) }
    },
  }
}
