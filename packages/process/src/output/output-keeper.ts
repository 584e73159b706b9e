import { countNewlines } from './count-newlines.ts'

/** What is kept of an output in memory, and its true totals. */
export interface KeptOutput {
  /** Bytes that came, all of them. */
  readonly bytes: number
  /** Lines that came; a last one without a newline counts. */
  readonly lines: number
  /** The first bytes. */
  readonly head: Buffer
  /** The last bytes, after the head: nothing is in both. With `head.length + tail.length === bytes`, this is all. */
  readonly tail: Buffer
}

/** Keeps head and tail of a stream of bytes in bounded memory, and counts all of it. */
export interface OutputKeeper {
  readonly bytes: number
  /** Copies what it keeps; the chunk may be reused. */
  add(chunk: Uint8Array): void
  /** A copy of what is kept so far. */
  keep(): KeptOutput
  /** A copy of the last bytes, at most `maxBytes`. */
  last(maxBytes: number): Buffer
  /** Lines so far. */
  countLines(): number
}

export interface KeeperLimits {
  readonly headBytes: number
  readonly tailBytes: number
}

/** Makes a keeper: the head fills first, then a ring holds the newest bytes. Memory is taken as it is needed. */
export function createOutputKeeper({ headBytes, tailBytes }: KeeperLimits): OutputKeeper {
  const head = createGrowingBuffer(headBytes)
  const ring = createRing(tailBytes)
  let bytes = 0
  let newlines = 0
  let endsWithNewline = true

  const countLines = () => newlines + (endsWithNewline ? 0 : 1)
  return {
    get bytes() {
      return bytes
    },
    add(chunk) {
      if (chunk.length === 0) return
      bytes += chunk.length
      newlines += countNewlines(chunk)
      endsWithNewline = chunk.at(-1) === 0x0a
      const taken = head.add(chunk)
      if (taken < chunk.length) ring.add(chunk.subarray(taken))
    },
    keep: () => ({ bytes, lines: countLines(), head: head.copy(), tail: ring.last(tailBytes) }),
    last(maxBytes) {
      const tail = ring.last(maxBytes)
      return tail.length === maxBytes ? tail : Buffer.concat([head.last(maxBytes - tail.length), tail])
    },
    countLines,
  }
}

function createGrowingBuffer(maxBytes: number) {
  let buffer = Buffer.alloc(0)
  let length = 0
  const grow = (needed: number) => {
    const larger = Buffer.allocUnsafeSlow(Math.min(maxBytes, Math.max(needed, buffer.length * 2)))
    larger.set(buffer.subarray(0, length))
    buffer = larger
  }
  return {
    /** Takes what has room and tells how much that was. */
    add(chunk: Uint8Array): number {
      const taken = Math.min(chunk.length, maxBytes - length)
      if (taken === 0) return 0
      if (length + taken > buffer.length) grow(length + taken)
      buffer.set(chunk.subarray(0, taken), length)
      length += taken
      return taken
    },
    copy: () => Buffer.from(buffer.subarray(0, length)),
    last: (maxBytes: number) => Buffer.from(buffer.subarray(Math.max(0, length - maxBytes), length)),
  }
}

function createRing(size: number) {
  let ring: Buffer | undefined
  let length = 0
  let next = 0
  const write = (buffer: Buffer, bytes: Uint8Array) => {
    const first = Math.min(bytes.length, size - next)
    buffer.set(bytes.subarray(0, first), next)
    buffer.set(bytes.subarray(first), 0)
    next = (next + bytes.length) % size
    length = Math.min(size, length + bytes.length)
  }
  return {
    add(chunk: Uint8Array): void {
      if (size === 0) return
      ring ??= Buffer.allocUnsafeSlow(size)
      write(ring, chunk.length > size ? chunk.subarray(chunk.length - size) : chunk)
    },
    last(maxBytes: number): Buffer {
      if (!ring) return Buffer.alloc(0)
      const wanted = Math.min(maxBytes, length)
      const start = (next - wanted + size) % size
      return start + wanted <= size
        ? Buffer.from(ring.subarray(start, start + wanted))
        : Buffer.concat([ring.subarray(start), ring.subarray(0, start + wanted - size)])
    },
  }
}
