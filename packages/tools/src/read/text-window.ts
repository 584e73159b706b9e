// A window of a text file: some lines, of any place of a file of any size, with constant memory.
import type { TextEncoding } from '../encoding/text-encoding.ts'
import type { ByteSource } from './byte-source.ts'
import { LineCursor } from './line-cursor.ts'
import { LineText } from './line-text.ts'
import { createNewline, type Newline } from './newline.ts'

/** What was asked for. */
export interface WindowRequest {
  /** The first line, from 1; a negative number counts from the end: -1 is the last line. */
  readonly offset: number
  readonly limit: number
  /** Shows only the line `offset`, from this character (from 1). */
  readonly column?: number
}

export interface WindowLimits {
  /** Of the shown text with its line numbers, in UTF-8. At least one line is shown, whatever its length. */
  readonly maxBytes: number
  /** Longer lines are cut. */
  readonly maxLineChars: number
  /** How much is read at a time. */
  readonly chunkBytes: number
  /** How far behind the window lines are counted, to tell the file's length. */
  readonly maxCountBytes: number
}

export interface ShownLine {
  /** From 1; negative where only the place from the end is known. */
  readonly number: number
  readonly text: string
  readonly column: number
  readonly hiddenChars: number
  readonly totalChars: number
}

/** What was found. */
export interface TextWindow {
  readonly lines: readonly ShownLine[]
  /** Why it ends where it does. `end`: there is nothing behind it. */
  readonly stop: 'end' | 'lines' | 'bytes' | 'column'
  /** The first line that was not shown; set only when it was seen to be there. */
  readonly nextOffset?: number
  /** Known when the end was reached by counting. */
  readonly totalLines?: number
  readonly endings: { readonly crlf: number; readonly lf: number }
  /** Numbers of shown lines with bytes that are no text. */
  readonly damagedLines: readonly number[]
  /** Where in the file the first of them begins. */
  readonly damagedAt?: number
}

/** Reads the window. Rejects only with the signal's reason or an error of the file system. */
export async function readTextWindow(
  source: ByteSource,
  encoding: TextEncoding,
  request: WindowRequest,
  limits: WindowLimits,
  signal: AbortSignal,
): Promise<TextWindow> {
  const newline = createNewline(encoding)
  const start = encoding.bomBytes
  const place =
    request.offset < 0
      ? await findFromEnd(source, newline, start, -request.offset, limits.chunkBytes, signal)
      : { position: start, number: 1, skip: request.offset - 1 }
  const cursor = new LineCursor(source, newline, place.position, limits.chunkBytes, signal)
  const skipped = await cursor.skip(place.skip)
  if (skipped < place.skip || !(await cursor.hasMore())) {
    // After a final newline there is no further line; `skipped` lines is all there are.
    return { lines: [], stop: 'end', totalLines: skipped, endings: { crlf: 0, lf: 0 }, damagedLines: [] }
  }
  return collectLines(cursor, encoding, place.number + place.skip, request, limits)
}

async function collectLines(
  cursor: LineCursor,
  encoding: TextEncoding,
  firstNumber: number,
  request: WindowRequest,
  limits: WindowLimits,
): Promise<TextWindow> {
  const found: Found = { lines: [], crlf: 0, lf: 0, damagedLines: [] }
  const { column = 1 } = request
  const limit = request.column === undefined ? request.limit : 1
  const maxChars = request.column === undefined ? limits.maxLineChars : Number.POSITIVE_INFINITY
  let room = limits.maxBytes
  let stop: TextWindow['stop'] = 'end'
  while (await cursor.hasMore()) {
    const number = firstNumber + found.lines.length
    if (found.lines.length >= limit) {
      stop = request.column === undefined ? 'lines' : 'column'
      break
    }
    const text = new LineText(encoding, { column, maxChars, maxBytes: limits.maxBytes })
    const position = cursor.position
    await cursor.next(text)
    const part = text.finish()
    const bytes = Buffer.byteLength(part.text) + `${number}| \n`.length
    if (bytes > room && found.lines.length > 0) return finishWindow(found, 'bytes', number, 1, cursor, limits)
    room -= bytes
    found.lines.push({ number, column, text: part.text, hiddenChars: part.hiddenChars, totalChars: part.totalChars })
    if (part.damaged) {
      found.damagedLines.push(number)
      found.damagedAt ??= position
    }
    if (part.cr) found.crlf++
    else found.lf++
  }
  return finishWindow(found, stop, firstNumber + found.lines.length, 0, cursor, limits)
}

interface Found {
  readonly lines: ShownLine[]
  crlf: number
  lf: number
  readonly damagedLines: number[]
  damagedAt?: number
}

// `passed` says whether the cursor stands before the line `next` (0) or behind it (1).
async function finishWindow(
  { crlf, lf, ...found }: Found,
  stop: TextWindow['stop'],
  next: number,
  passed: 0 | 1,
  cursor: LineCursor,
  limits: WindowLimits,
): Promise<TextWindow> {
  const facts = { ...found, stop, endings: { crlf, lf } }
  if (stop === 'end') return { ...facts, ...(next > 0 && { totalLines: next - 1 }) }
  if (next <= 0) return { ...facts, nextOffset: next }
  const behind = await cursor.skip(Number.POSITIVE_INFINITY, limits.maxCountBytes)
  const counted = !(await cursor.hasMore())
  const totalLines = next - 1 + behind + passed
  return { ...facts, nextOffset: next, ...(counted && { totalLines }) }
}

interface Place {
  readonly position: number
  /** Of the line that begins there. */
  readonly number: number
  readonly skip: number
}

// Goes backwards chunk by chunk and counts newlines; the newline at the very end closes the last line.
async function findFromEnd(
  source: ByteSource,
  newline: Newline,
  start: number,
  count: number,
  chunkBytes: number,
  signal: AbortSignal,
): Promise<Place> {
  let left = count
  let end = source.size - ((source.size - start) % newline.width)
  let before = end - newline.width
  while (before > start) {
    signal.throwIfAborted()
    const from = Math.max(start, alignDown(before - chunkBytes, start, newline.width))
    const chunk = await source.read(from, before - from)
    for (let at = newline.findBackwards(chunk, chunk.length); at >= 0; at = newline.findBackwards(chunk, at)) {
      if (--left === 0) return placeAt(source, newline, start, from + at + newline.width, count, chunkBytes)
    }
    before = from
  }
  end = start
  return { position: end, number: 1, skip: 0 }
}

function alignDown(position: number, start: number, width: number): number {
  return position - ((((position - start) % width) + width) % width)
}

// Where all before it is one chunk, its lines are counted, so that true line numbers can be shown.
async function placeAt(
  source: ByteSource,
  newline: Newline,
  start: number,
  position: number,
  count: number,
  chunkBytes: number,
): Promise<Place> {
  if (position - start > chunkBytes) return { position, number: -count, skip: 0 }
  const chunk = await source.read(start, position - start)
  let lines = 0
  for (let at = newline.find(chunk, 0); at >= 0; at = newline.find(chunk, at + newline.width)) lines++
  return { position, number: lines + 1, skip: 0 }
}
