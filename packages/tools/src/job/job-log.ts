// Reading the log of a job by positions in bytes. The log grows meanwhile; what is read of it is always whole characters.
import { closeSync, openSync, readSync } from 'node:fs'
import { unfinishedLength } from '../output/decode-output.ts'
import type { OutputSource } from '../output/output-view.ts'

const chunkBytes = 64 * 1024
const keptBytes = 128 * 1024

/** Where a read up to `to` is to end, so that no character is cut: it comes whole with the next read. */
export function findCharacterEnd(path: string, to: number): number {
  return to - unfinishedLength(readBytes(path, Math.max(0, to - 3), to))
}

/** What stands from one position to another: its start, its end, and the totals of all of it. */
export function readRange(path: string, from: number, to: number): OutputSource {
  const middle = Math.min(to, from + keptBytes)
  const last = Math.max(middle, to - keptBytes)
  return {
    bytes: to - from,
    lines: countLines(path, from, to),
    head: readBytes(path, from, middle),
    tail: readBytes(path, last, to),
  }
}

/** The position where the last so many lines before `to` begin. */
export function findLastLines(path: string, lines: number, to: number): number {
  let left = lines
  for (let end = to; end > 0; ) {
    const start = Math.max(0, end - chunkBytes)
    const chunk = readBytes(path, start, end)
    // The newline of the last line itself is no border.
    for (let at = chunk.length - 1 - (end === to ? 1 : 0); at >= 0; at--) {
      if (chunk[at] === 10 && --left === 0) return start + at + 1
    }
    end = start
  }
  return 0
}

/** The position where the first so many lines from `from` end. */
export function findFirstLines(path: string, lines: number, from: number, to: number): number {
  let left = lines
  for (let start = from; start < to; start += chunkBytes) {
    const chunk = readBytes(path, start, Math.min(to, start + chunkBytes))
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) if (--left === 0) return start + at + 1
  }
  return to
}

/** The bytes from one position to another; fewer where the file is shorter, none where there is no file yet. */
export function readBytes(path: string, from: number, to: number): Buffer {
  const buffer = Buffer.alloc(Math.max(0, to - from))
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return buffer.subarray(0, 0)
  }
  try {
    let length = 0
    for (;;) {
      const read = length < buffer.length ? readSync(file, buffer, length, buffer.length - length, from + length) : 0
      if (read === 0) return buffer.subarray(0, length)
      length += read
    }
  } finally {
    closeSync(file)
  }
}

function countLines(path: string, from: number, to: number): number {
  let lines = 0
  let last = 10
  for (let start = from; start < to; start += chunkBytes) {
    const chunk = readBytes(path, start, Math.min(to, start + chunkBytes))
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++
    last = chunk.at(-1) ?? last
  }
  return lines + (last === 10 ? 0 : 1)
}
