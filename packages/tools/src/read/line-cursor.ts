import type { ByteSource } from './byte-source.ts'
import type { Newline } from './newline.ts'

/** Takes the pieces of a line as they come, so that no line is ever held whole. */
export interface LineSink {
  add(piece: Buffer): void
}

/**
 * Walks over the lines of a source in chunks, forwards, with constant memory. A last line without a newline is a line;
 * after a newline at the very end there is none.
 */
export class LineCursor {
  readonly #source: ByteSource
  readonly #newline: Newline
  readonly #chunkBytes: number
  readonly #signal: AbortSignal
  #chunk: Buffer = Buffer.alloc(0)
  #at = 0
  #position: number

  constructor(source: ByteSource, newline: Newline, start: number, chunkBytes: number, signal: AbortSignal) {
    this.#source = source
    this.#newline = newline
    this.#position = start
    this.#chunkBytes = chunkBytes
    this.#signal = signal
  }

  /** Where in the source the next byte lies. */
  get position(): number {
    return this.#position - (this.#chunk.length - this.#at)
  }

  /** Is there another byte? This is found out by reading it, not by the file's size. */
  async hasMore(): Promise<boolean> {
    if (this.#at < this.#chunk.length) return true
    this.#signal.throwIfAborted()
    this.#chunk = await this.#source.read(this.#position, this.#chunkBytes)
    this.#position += this.#chunk.length
    this.#at = 0
    return this.#chunk.length > 0
  }

  /** Passes over up to `count` lines, and over at most about `maxBytes`; says how many lines those were. */
  async skip(count: number, maxBytes = Number.POSITIVE_INFINITY): Promise<number> {
    const end = this.position + maxBytes
    let skipped = 0
    let open = false
    while (skipped < count && this.position < end && (await this.hasMore())) {
      const passed = this.#skipInChunk(count - skipped)
      skipped += passed.lines
      open = passed.open
    }
    const unfinished = skipped < count && open && !(await this.hasMore())
    return unfinished ? skipped + 1 : skipped
  }

  #skipInChunk(count: number): { lines: number; open: boolean } {
    let lines = 0
    while (lines < count) {
      const found = this.#newline.find(this.#chunk, this.#at)
      if (found < 0) {
        const open = this.#at < this.#chunk.length
        this.#at = this.#chunk.length
        return { lines, open }
      }
      this.#at = found + this.#newline.width
      lines++
    }
    return { lines, open: false }
  }

  /** Hands the next line, without its newline, to the sink. False when there is no further line. */
  async next(sink: LineSink): Promise<boolean> {
    if (!(await this.hasMore())) return false
    do {
      const found = this.#newline.find(this.#chunk, this.#at)
      sink.add(this.#chunk.subarray(this.#at, found < 0 ? this.#chunk.length : found))
      if (found >= 0) {
        this.#at = found + this.#newline.width
        return true
      }
      this.#at = this.#chunk.length
    } while (await this.hasMore())
    return true
  }
}
