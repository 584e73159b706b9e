import { closeSync, constants, openSync, readSync } from 'node:fs'
import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { openReadBuffer } from '../output/read-buffer.ts'
import { createDropper } from './dropper.ts'
import { type FreeFifo, openReadEnd } from './free-fifo.ts'
import {
  type ChannelState,
  type OutputChannel,
  pipeBytes,
  quietMs,
  settleBytes,
  settleMs,
  type TakeBytes,
} from './output-channel.ts'

/**
 * Opens a FIFO as the output of one command: stdout and stderr are one stream, in the order of printing.
 * `release` is called once, when no process holds the writing end any more and the FIFO can serve another call.
 * Throws the system's error when the FIFO can't be opened.
 *
 * Reader and writer are opened apart: O_NONBLOCK belongs to the opening, and a child that inherited it would fail with
 * EAGAIN when the FIFO is full. The child's end is for writing only, as of a pipe: with O_RDWR, `read -u 2` or vim
 * would wait for input from their own output. The reader is read-only, so the end is seen when the last writer is gone.
 */
export function openFifoChannel({ path, release: onEnd }: FreeFifo): OutputChannel {
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = openWriter(path, reader)
  const { bytes: chunk } = openReadBuffer()
  let take: TakeBytes = () => undefined
  let waiting: Promise<void> | undefined
  let received = 0
  let socket: Socket | undefined
  let isWriterOpen = true
  let hasEnded = false

  function closeReader(): void {
    hasEnded = true
    if (socket) socket.destroy()
    else closeSync(reader)
  }

  function end(): void {
    if (hasEnded) return
    closeReader()
    onEnd()
  }

  function closeWriter(): void {
    if (isWriterOpen) closeSync(writer)
    isWriterOpen = false
  }

  // False stops the socket's reading until `resume`.
  function receive(length: number): boolean {
    received += length
    waiting = take(chunk.subarray(0, length))
    if (!waiting) return true
    waiting.then(() => {
      waiting = undefined
      socket?.resume()
    })
    return false
  }

  function startSocket(): Socket {
    const onread = {
      buffer: chunk,
      callback: (length: number) => hasEnded || receive(length),
    }
    const started = new Socket({ fd: reader, readable: true, writable: false, onread })
    // A failed read of a FIFO of our own means that there is nothing more to come.
    started.on('error', end).on('end', end)
    return started.resume()
  }

  async function drainWhatIsThere(): Promise<ChannelState> {
    for (const limit = received + pipeBytes; received < limit; ) {
      if (waiting) await waiting
      if (hasEnded) return 'ended'
      const length = readNow(reader, chunk)
      if (length === undefined) return 'held'
      if (length === 0) {
        end()
        return 'ended'
      }
      receive(length)
    }
    return 'held'
  }

  // What comes now is held back: it belongs to the output if it soon comes to an end or to a rest, and is dropped when
  // it is a background child that prints on and on, which would push the command's own last words out of sight.
  async function takeWhatFollows(isBusy: () => boolean): Promise<void> {
    const takeForGood = take
    const held: Buffer[] = []
    take = bytes => {
      held.push(Buffer.from(bytes))
      return undefined
    }
    if (await becomesQuiet(isBusy)) for (const bytes of held) await takeForGood(bytes)
    take = createDropper()
  }

  async function becomesQuiet(isBusy: () => boolean): Promise<boolean> {
    const limit = received + settleBytes
    const deadline = performance.now() + settleMs
    let isSilent = true
    while (received < limit && performance.now() < deadline) {
      const before = received
      await sleep(quietMs)
      isSilent = before === received
      if (hasEnded || (isSilent && !isBusy())) return true
    }
    return isSilent
  }

  return {
    path,
    stdio: [writer, writer],
    attach(_child, takeBytes) {
      take = takeBytes
      closeWriter()
      socket = startSocket()
    },
    async drain(isBusy) {
      if ((await drainWhatIsThere()) === 'ended') return 'ended'
      await takeWhatFollows(isBusy)
      return hasEnded ? 'ended' : 'held'
    },
    drop() {
      take = createDropper()
      socket?.unref()
    },
    async handOver() {
      if (hasEnded) return undefined
      const next = openReadEnd(path)
      socket?.pause()
      while (waiting) await waiting
      hasEnded = true
      socket?.destroy()
      return { reader: next, release: onEnd }
    },
    close() {
      closeWriter()
      if (!hasEnded) closeReader()
    },
  }
}

function openWriter(path: string, reader: number): number {
  try {
    return openSync(path, constants.O_WRONLY)
  } catch (error) {
    closeSync(reader)
    throw error
  }
}

// Bytes read; 0: no writer is left; undefined: nothing there now.
function readNow(fd: number, buffer: Uint8Array): number | undefined {
  try {
    return readSync(fd, buffer)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined
    throw error
  }
}
