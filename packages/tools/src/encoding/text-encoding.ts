// How the bytes of a text file stand for characters: decoding for the model, encoding back without harm.
import { TextDecoder } from 'node:util'

/** An encoding as it was found in a file. */
export interface TextEncoding {
  /** As `TextDecoder` knows it and people write it: `UTF-8`, `UTF-16LE`, `GB18030`, `windows-1252`. */
  readonly name: string
  /** Length of the byte order mark at the start of the file; 0 where there is none. */
  readonly bomBytes: number
  /** Found by statistics, not by a mark or by validity. */
  readonly guessed: boolean
}

export const utf8: TextEncoding = { name: 'UTF-8', bomBytes: 0, guessed: false }

const multiByte = new Set(['gb18030', 'gbk', 'big5', 'shift_jis', 'euc-jp', 'euc-kr', 'iso-2022-jp'])
const marks: Readonly<Record<string, Buffer>> = {
  'UTF-8': Buffer.from([0xef, 0xbb, 0xbf]),
  'UTF-16LE': Buffer.from([0xff, 0xfe]),
  'UTF-16BE': Buffer.from([0xfe, 0xff]),
}

/** UTF-8 with or without a mark? */
export function isUtf8Encoding(encoding: TextEncoding): boolean {
  return encoding.name === 'UTF-8'
}

/** Do characters take two or four bytes, so that a line ends with two? */
export function isUtf16(encoding: TextEncoding): boolean {
  return encoding.name.startsWith('UTF-16')
}

/** Is each byte one character, whatever it is? */
export function isSingleByte(encoding: TextEncoding): boolean {
  return !isUtf8Encoding(encoding) && !isUtf16(encoding) && !multiByte.has(encoding.name.toLowerCase())
}

/** The mark that stands at the start of such a file; empty where it has none. */
export function markOf(encoding: TextEncoding): Buffer {
  return encoding.bomBytes > 0 ? (marks[encoding.name] ?? Buffer.alloc(0)) : Buffer.alloc(0)
}

/** A decoder that never fails (what can't be decoded becomes U+FFFD) and takes no mark out. */
export function createDecoder(encoding: TextEncoding): TextDecoder {
  return new TextDecoder(encoding.name, { ignoreBOM: true })
}

/** Bytes (without a mark) to text. */
export function decodeText(bytes: Uint8Array, encoding: TextEncoding): string {
  return createDecoder(encoding).decode(bytes)
}

/**
 * Text to bytes, without a mark. Undefined when a character can't be written in this encoding: better nothing than a
 * question mark in somebody's file.
 */
export async function encodeText(text: string, encoding: TextEncoding): Promise<Buffer | undefined> {
  if (isUtf8Encoding(encoding)) return text.isWellFormed() ? Buffer.from(text, 'utf8') : undefined
  if (isUtf16(encoding)) return encodeUtf16(text, encoding)
  if (isSingleByte(encoding)) return encodeSingleByte(text, encoding)
  const { default: iconv } = await import('iconv-lite')
  const bytes = iconv.encode(text, encoding.name)
  return decodeText(bytes, encoding) === text ? bytes : undefined
}

function encodeUtf16(text: string, encoding: TextEncoding): Buffer {
  const bytes = Buffer.from(text, 'utf16le')
  return encoding.name === 'UTF-16BE' ? bytes.swap16() : bytes
}

// The exact inverse of TextDecoder: libraries differ from it in the bytes 0x80 to 0x9f.
function encodeSingleByte(text: string, encoding: TextEncoding): Buffer | undefined {
  const table = decodeText(
    Uint8Array.from({ length: 256 }, (_, byte) => byte),
    encoding,
  )
  const byteOf = new Map([...table].map((char, byte) => [char, byte]))
  const bytes = Buffer.alloc(text.length)
  for (let index = 0; index < text.length; index++) {
    const byte = byteOf.get(text[index] ?? '')
    if (byte === undefined || text[index] === '\ufffd') return undefined
    bytes[index] = byte
  }
  return bytes
}
