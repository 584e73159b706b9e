import { isUtf16, type TextEncoding } from '../encoding/text-encoding.ts'

/** How a line's end looks in an encoding: one byte, or two at an even place. */
export interface Newline {
  readonly width: 1 | 2
  /** Where the next newline begins at or after `from`; -1 where there is none. */
  find(bytes: Buffer, from: number): number
  /** Where the last newline that begins before `before` does; -1 where there is none. */
  findBackwards(bytes: Buffer, before: number): number
}

/** The newline of this encoding. Chunks must begin at an even place of the file for UTF-16. */
export function createNewline(encoding: TextEncoding): Newline {
  if (!isUtf16(encoding)) {
    return {
      width: 1,
      find: (bytes, from) => bytes.indexOf(10, from),
      findBackwards: (bytes, before) => (before <= 0 ? -1 : bytes.lastIndexOf(10, before - 1)),
    }
  }
  const low = encoding.name === 'UTF-16LE' ? 0 : 1
  const isNewline = (bytes: Buffer, at: number) => bytes[at + low] === 10 && bytes[at + 1 - low] === 0
  return {
    width: 2,
    find(bytes, from) {
      for (let at = from; at + 1 < bytes.length; at += 2) if (isNewline(bytes, at)) return at
      return -1
    },
    findBackwards(bytes, before) {
      for (let at = (before & ~1) - 2; at >= 0; at -= 2) if (isNewline(bytes, at)) return at
      return -1
    },
  }
}
