import { isAscii, isUtf8 } from 'node:buffer'
import type { TextDecoder } from 'node:util'
import { createDecoder, isSingleByte, isUtf8Encoding, isUtf16, type TextEncoding } from '../encoding/text-encoding.ts'
import type { LineSink } from './line-cursor.ts'

/** The part of a line that is shown. */
export interface LinePart {
  readonly text: string
  /** Characters after the shown part. */
  readonly hiddenChars: number
  /** Characters of the whole line. */
  readonly totalChars: number
  /** Did the line end with a carriage return? It is not part of the text. */
  readonly cr: boolean
  /** Bytes of the shown part are no characters of this encoding; they are shown as U+FFFD. */
  readonly damaged: boolean
}

export interface LineLimits {
  /** The first character that is shown, from 1. */
  readonly column: number
  readonly maxChars: number
  readonly maxBytes: number
}

/**
 * Collects one line: decodes what is to be shown and only counts the rest, so that a line of any length takes constant
 * memory. Characters are code points.
 */
export class LineText implements LineSink {
  readonly #encoding: TextEncoding
  readonly #decoder: TextDecoder
  readonly #count: (piece: Buffer) => number
  readonly #limits: LineLimits
  #toSkip: number
  #text = ''
  #full = false
  #total = 0
  #lastByte: number | undefined
  #beforeLast: number | undefined
  #damaged = false

  constructor(encoding: TextEncoding, limits: LineLimits) {
    this.#encoding = encoding
    this.#decoder = createDecoder(encoding)
    this.#count = createCharCounter(encoding)
    this.#limits = limits
    this.#toSkip = limits.column - 1
  }

  add(piece: Buffer): void {
    if (piece.length === 0) return
    this.#total += this.#count(piece)
    this.#beforeLast = piece.length > 1 ? piece[piece.length - 2] : this.#lastByte
    this.#lastByte = piece[piece.length - 1]
    if (!this.#full) this.#append(this.#decoder.decode(piece, { stream: true }), piece)
  }

  finish(): LinePart {
    if (!this.#full) this.#append(this.#decoder.decode(), undefined)
    const cr = this.#endsWithCr()
    const totalChars = this.#total - (cr ? 1 : 0)
    const shown = countChars(this.#text)
    const past = Math.min(this.#limits.column - 1, totalChars)
    const whole = past + shown > totalChars
    const text = cr && whole && this.#text.endsWith('\r') ? this.#text.slice(0, -1) : this.#text
    const hiddenChars = Math.max(0, totalChars - past - countChars(text))
    return { text, hiddenChars, totalChars, cr, damaged: this.#damaged }
  }

  #append(decoded: string, piece: Buffer | undefined): void {
    const text = this.#skipTo(decoded)
    if (text.includes('\ufffd') && !(piece && isUtf8Encoding(this.#encoding) && isUtf8(piece))) this.#damaged = true
    const room = this.#limits.maxChars - countChars(this.#text)
    const { cut, stopped } = cutText(text, room, this.#limits.maxBytes - Buffer.byteLength(this.#text))
    this.#text += cut
    this.#full = stopped
  }

  #skipTo(decoded: string): string {
    if (this.#toSkip === 0) return decoded
    const { cut } = cutText(decoded, this.#toSkip, Number.POSITIVE_INFINITY)
    this.#toSkip -= countChars(cut)
    return decoded.slice(cut.length)
  }

  #endsWithCr(): boolean {
    if (!isUtf16(this.#encoding)) return this.#lastByte === 13
    const [low, high] =
      this.#encoding.name === 'UTF-16LE' ? [this.#beforeLast, this.#lastByte] : [this.#lastByte, this.#beforeLast]
    return low === 13 && high === 0
  }
}

/** The longest start of `text` within both limits, never cut inside a character. */
function cutText(text: string, maxChars: number, maxBytes: number): { cut: string; stopped: boolean } {
  // No text is longer than its limit in units: then neither limit can be reached.
  if (text.length <= maxChars && text.length * 3 <= maxBytes) return { cut: text, stopped: false }
  let chars = 0
  let bytes = 0
  let at = 0
  while (at < text.length) {
    const code = text.codePointAt(at) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
    chars++
    if (chars > maxChars || bytes > maxBytes) return { cut: text.slice(0, at), stopped: true }
    at += code > 0xffff ? 2 : 1
  }
  return { cut: text, stopped: false }
}

/** Code points of a text. */
export function countChars(text: string): number {
  let count = text.length
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit >= 0xdc00 && unit <= 0xdfff) count--
  }
  return count
}

// Counting needs no decoding where bytes show by themselves which of them begin a character.
function createCharCounter(encoding: TextEncoding): (piece: Buffer) => number {
  if (isSingleByte(encoding)) return piece => piece.length
  if (isUtf8Encoding(encoding)) return countUtf8
  const decoder = createDecoder(encoding)
  return piece => countChars(decoder.decode(piece, { stream: true }))
}

function countUtf8(piece: Buffer): number {
  if (isAscii(piece)) return piece.length
  let count = 0
  for (let at = 0; at < piece.length; at++) if (((piece[at] ?? 0) & 0xc0) !== 0x80) count++
  return count
}
