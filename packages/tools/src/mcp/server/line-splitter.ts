export interface LineSplitterOptions {
  readonly maxBytes: number
  /** Without its line feed. */
  onLine(line: Buffer): void
  /** Once for each line that is longer; nothing of it is kept. */
  onTooLong(): void
}

const lineFeed = 0x0a

/** Cuts a stream of chunks into lines: each byte is copied at most once, however many chunks a line comes in. */
export function createLineSplitter({ maxBytes, onLine, onTooLong }: LineSplitterOptions): (chunk: Buffer) => void {
  let parts: Buffer[] = []
  let bytes = 0
  let isTooLong = false

  function keep(part: Buffer): void {
    bytes += part.length
    if (isTooLong) return
    if (bytes <= maxBytes) parts.push(part)
    else {
      isTooLong = true
      parts = []
      onTooLong()
    }
  }

  function endLine(): void {
    const [only] = parts
    const line = only !== undefined && parts.length === 1 ? only : Buffer.concat(parts)
    const isLine = !isTooLong
    parts = []
    bytes = 0
    isTooLong = false
    if (isLine) onLine(line)
  }

  return chunk => {
    let start = 0
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      keep(chunk.subarray(start, end))
      endLine()
      start = end + 1
    }
    if (start < chunk.length) keep(chunk.subarray(start))
  }
}
