import { closeSync, constants, openSync } from 'node:fs'

/** A FIFO that nobody has open. It is to be released once nobody holds an end of it any more. */
export interface FreeFifo {
  readonly path: string
  release(): void
}

/**
 * Opens the end that a process reads from, without waiting for somebody who writes, and blocking for the reader itself.
 * Throws the system's error.
 */
export function openReadEnd(path: string): number {
  return openBeside(path, constants.O_RDONLY)
}

/** Opens the end that a process writes into, in the same way. With `O_NONBLOCK` in `flags` a write never waits. */
export function openWriteEnd(path: string, flags = 0): number {
  return openBeside(path, constants.O_WRONLY | flags)
}

// While both ends are held by one descriptor, opening either end does not wait. Linux and macOS allow that.
function openBeside(path: string, flags: number): number {
  const both = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  try {
    return openSync(path, flags)
  } finally {
    closeSync(both)
  }
}
