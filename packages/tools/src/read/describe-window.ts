import { groupDigits } from '@deckhand/core'
import { describeLineEndings } from '../encoding/line-ending.ts'
import type { TextEncoding } from '../encoding/text-encoding.ts'
import { describeBytes, describeCount } from '../workspace/describe-bytes.ts'
import { showPath } from '../workspace/show-path.ts'
import { type Confusable, describeConfusables, findConfusables } from './confusables.ts'
import { countChars } from './line-text.ts'
import type { ShownLine, TextWindow, WindowLimits, WindowRequest } from './text-window.ts'

/** What is said of a text file besides its lines. */
export interface TextFacts {
  readonly shown: string
  readonly sizeBytes: number
  readonly encoding: TextEncoding
  /** What the path was put right to, and the like. */
  readonly notes: readonly string[]
  readonly request: WindowRequest
  /** Was `limit` the caller's wish? */
  readonly limitAsked: boolean
  readonly limits: WindowLimits
}

/** The result of a read, for the model: header, notes, numbered lines, closing line. */
export function describeWindow(facts: TextFacts, window: TextWindow): string {
  const notes = [...facts.notes, ...findNotes(window)].map(note => `Note: ${note}`)
  const lines = window.lines.map(describeLine)
  return [describeHeader(facts, window), ...notes, ...lines, describeEnd(facts, window)].join('\n')
}

function describeHeader({ shown, sizeBytes, encoding }: TextFacts, window: TextWindow): string {
  return [
    showPath(shown),
    'text',
    describeBytes(sizeBytes),
    describeEncoding(encoding),
    describeLineEndings(window.endings),
  ]
    .filter(part => part !== undefined)
    .join(' · ')
}

function describeEncoding({ name, bomBytes, guessed }: TextEncoding): string | undefined {
  if (name === 'UTF-8') return bomBytes > 0 ? 'UTF-8 with BOM' : undefined
  return `encoding ${name}${bomBytes > 0 ? ' with BOM' : ''}${guessed ? ' (guessed)' : ''}`
}

function findNotes(window: TextWindow): readonly string[] {
  const notes: string[] = []
  const confusables: Confusable[] = window.lines.flatMap(({ text, number }) => [...findConfusables(text, number)])
  const misleading = describeConfusables(confusables)
  if (misleading) notes.push(misleading)
  if (confusables.some(({ code }) => code === 'U+0000')) notes.push('NUL bytes are shown as ␀')
  if (window.damagedLines.length > 0) notes.push(describeDamage(window.damagedLines))
  return notes
}

function describeDamage(lines: readonly number[]): string {
  const told = lines.slice(0, 5).join(', ')
  const more = lines.length > 5 ? ` and ${lines.length - 5} more` : ''
  return `${lines.length === 1 ? 'line' : 'lines'} ${told}${more}: bytes that are no valid text are shown as \ufffd`
}

function describeLine({ number, text, column, hiddenChars }: ShownLine): string {
  const shown = text.replaceAll('\0', '␀')
  if (hiddenChars === 0) return `${number}| ${shown}`
  const next = column + countChars(text)
  return `${number}| ${shown} [… ${describeCount(hiddenChars, 'more character')}; see them with offset: ${number}, column: ${next}]`
}

function describeEnd(facts: TextFacts, window: TextWindow): string {
  const first = window.lines[0]
  if (!first) return describeNothing(facts, window)
  if (facts.request.column !== undefined) return describeColumnEnd(first, window)
  const range = describeRange(window)
  const of = window.totalLines === undefined ? '' : ` of ${groupDigits(window.totalLines)}`
  if (window.stop === 'end') {
    if (first.number === 1) return `End of file: all ${describeCount(window.lines.length, 'line')} shown.`
    return first.number > 0 ? `End of file: ${range}${of}.` : `End of file: ${range}, counted from the end.`
  }
  const start = `${range[0]?.toUpperCase()}${range.slice(1)}${of} shown (${describeStop(facts, window)})`
  return `${start}; ${describeMore(facts, window)}. Go on with offset: ${window.nextOffset}.`
}

function describeRange({ lines }: TextWindow): string {
  const [from, to] = [lines[0]?.number, lines.at(-1)?.number]
  return from === to ? `line ${from}` : `lines ${from}${(from ?? 0) < 0 ? ' to ' : '-'}${to}`
}

function describeStop({ limitAsked, limits, request }: TextFacts, window: TextWindow): string {
  if (window.stop === 'bytes') return `limit of ${describeBytes(limits.maxBytes)}`
  return limitAsked ? 'as asked' : `limit of ${describeCount(request.limit, 'line')}`
}

function describeMore({ sizeBytes }: TextFacts, { totalLines, nextOffset = 0 }: TextWindow): string {
  if (nextOffset < 0) return describeCount(-nextOffset, 'more line')
  if (totalLines !== undefined) return describeCount(totalLines - nextOffset + 1, 'more line')
  return `more lines follow; the end was not reached by counting (the file has ${describeBytes(sizeBytes)})`
}

function describeNothing({ request, shown, sizeBytes }: TextFacts, { totalLines = 0 }: TextWindow): string {
  if (totalLines === 0) {
    return sizeBytes === 0
      ? 'The file is empty: it exists and has 0 bytes.'
      : 'The file has no lines: nothing follows its byte order mark.'
  }
  return `Offset ${request.offset} is past the end: ${showPath(shown)} has ${describeCount(totalLines, 'line')}. Use an offset from 1 to ${totalLines}, or a negative one to count from the end.`
}

function describeColumnEnd(line: ShownLine, { nextOffset }: TextWindow): string {
  const total = describeCount(line.totalChars, 'character')
  if (line.column > line.totalChars) return `Column ${line.column} is past the end: line ${line.number} has ${total}.`
  const last = line.column + countChars(line.text) - 1
  const part = `Line ${line.number}: characters ${line.column}-${last} of ${groupDigits(line.totalChars)} shown`
  if (line.hiddenChars > 0) return `${part}. Go on with offset: ${line.number}, column: ${last + 1}.`
  return nextOffset === undefined
    ? `${part}, to its end, which is the end of the file.`
    : `${part}, to its end. Go on with offset: ${nextOffset}.`
}
