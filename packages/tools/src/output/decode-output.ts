/** Which ends of the bytes are cuts, so that a character may be in two there. */
export interface CutEnds {
  readonly start?: boolean
  readonly end?: boolean
}

/**
 * The text of a command's output: UTF-8, with U+FFFD for what is not. A character that a cut at either end has gone
 * through is left out whole.
 */
export function decodeOutput(bytes: Buffer, cut: CutEnds = {}): string {
  const from = cut.start ? continuationLength(bytes) : 0
  const to = bytes.length - (cut.end ? unfinishedLength(bytes) : 0)
  return bytes.toString('utf8', from, Math.max(from, to))
}

const isContinuation = (byte: number) => (byte & 0xc0) === 0x80

// Bytes at the start that belong to a character before.
function continuationLength(bytes: Buffer): number {
  let length = 0
  while (length < 3 && isContinuation(bytes[length] ?? 0)) length++
  return length
}

/** How many bytes at the end begin a character and don't complete it. */
export function unfinishedLength(bytes: Buffer): number {
  for (let length = 1; length <= Math.min(3, bytes.length); length++) {
    const byte = bytes[bytes.length - length] ?? 0
    if (!isContinuation(byte)) return characterLength(byte) > length ? length : 0
  }
  return 0
}

function characterLength(lead: number): number {
  if (lead >= 0xf0) return 4
  if (lead >= 0xe0) return 3
  return lead >= 0xc0 ? 2 : 1
}

/** The longest start of the text that fits into so many bytes of UTF-8, with whole characters. */
export function takeStartOf(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text)
  return bytes.length <= maxBytes ? text : decodeOutput(bytes.subarray(0, maxBytes), { end: true })
}

/** The longest end of the text that fits into so many bytes of UTF-8, with whole characters. */
export function takeEndOf(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text)
  return bytes.length <= maxBytes ? text : decodeOutput(bytes.subarray(bytes.length - maxBytes), { start: true })
}
