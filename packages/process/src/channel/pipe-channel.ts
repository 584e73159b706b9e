import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDropper } from './dropper.ts'
import { type OutputChannel, quietMs, settleMs, type TakeBytes } from './output-channel.ts'

/**
 * Two plain pipes, where FIFOs can't be had (Windows, a file system without them). The same rules on completion; the
 * order between stdout and stderr is only roughly kept, and on Linux `> /dev/stderr` fails in the child, as Node's pipes
 * are sockets.
 */
export function openPipeChannel(): OutputChannel {
  let take: TakeBytes = () => undefined
  let streams: readonly Readable[] = []
  let received = 0
  let open = 0

  function follow(stream: Readable): void {
    open++
    stream.on('data', (chunk: Buffer) => {
      received += chunk.length
      const waiting = take(chunk)
      if (!waiting) return
      stream.pause()
      waiting.then(() => stream.resume())
    })
    stream.on('error', () => stream.destroy())
    stream.on('close', () => open--)
  }

  return {
    stdio: ['pipe', 'pipe'],
    attach({ stdout, stderr }: ChildProcess, takeBytes) {
      take = takeBytes
      streams = [stdout, stderr].filter(stream => stream !== null)
      streams.forEach(follow)
    },
    async drain(isBusy) {
      const deadline = performance.now() + settleMs
      for (let before = -1; open > 0 && (before !== received || isBusy()) && performance.now() < deadline; ) {
        before = received
        await sleep(quietMs)
      }
      return open === 0 ? 'ended' : 'held'
    },
    drop() {
      take = createDropper()
      for (const stream of streams) if ('unref' in stream && typeof stream.unref === 'function') stream.unref()
    },
    close() {
      for (const stream of streams) stream.destroy()
    },
  }
}
