import type { TakeBytes } from './output-channel.ts'

const restAfterBytes = 1024 * 1024
const restMs = 10

/** Drops what comes, and rests now and then, so that a child that prints without end does not keep us busy. */
export function createDropper(): TakeBytes {
  let dropped = 0
  return chunk => {
    dropped += chunk.length
    if (dropped < restAfterBytes) return undefined
    dropped = 0
    return new Promise(resolve => setTimeout(resolve, restMs).unref())
  }
}
