import { type BinaryOutput, identifyBinary } from './binary-output.ts'
import { decodeOutput, takeEndOf, takeStartOf } from './decode-output.ts'
import { renderTerminal } from './render-terminal.ts'

/** What is kept of an output: its first and its last bytes (nothing in both), and the totals of all of it. */
export interface OutputSource {
  readonly bytes: number
  readonly lines: number
  readonly head: Buffer
  readonly tail: Buffer
}

/** How much may be shown. */
export interface ViewBudget {
  readonly headBytes: number
  readonly tailBytes: number
}

/** What is shown of an output. */
export type OutputView =
  | { readonly kind: 'none' }
  | { readonly kind: 'whole'; readonly text: string }
  | { readonly kind: 'cut'; readonly head: string; readonly tail: string; readonly cut: CutFacts }
  | { readonly kind: 'binary'; readonly bytes: number; readonly binary: BinaryOutput }

/** What was left out in the middle, of what. Lines that are shown in part are not among those left out. */
export interface CutFacts {
  readonly totalLines: number
  readonly totalBytes: number
  readonly leftOutLines: number
  readonly leftOutBytes: number
  /** The first line that is not shown whole, counted from 1. */
  readonly nextLine: number
}

/**
 * Chooses what to show: all of it when it fits once rendered as a terminal would, else its start and its end, cut at
 * line borders; only a line that is too long for that is cut inside, between two characters.
 */
export function viewOutput(source: OutputSource, budget: ViewBudget): OutputView {
  if (source.bytes === 0) return { kind: 'none' }
  const binary = identifyBinary(source.head, source.tail)
  if (binary) return { kind: 'binary', bytes: source.bytes, binary }
  const isComplete = source.head.length + source.tail.length === source.bytes
  return isComplete ? viewComplete(source, budget) : cutMiddle(source, budget)
}

function viewComplete({ bytes, lines, head, tail }: OutputSource, budget: ViewBudget): OutputView {
  const all = tail.length === 0 ? head : Buffer.concat([head, tail])
  const text = renderTerminal(decodeOutput(all))
  const size = Buffer.byteLength(text)
  if (text === '') return { kind: 'none' }
  if (size <= budget.headBytes + budget.tailBytes) return { kind: 'whole', text }
  const shown = pairLines(all, text)
  const totals = shown.isExact ? { bytes, lines } : { bytes: size, lines: shown.lines.length }
  return cutLines(shown.lines, shown.lines, totals, budget)
}

// Head and tail as they were kept: each may begin or end inside a line.
function cutMiddle({ bytes, lines, head, tail }: OutputSource, budget: ViewBudget): OutputView {
  const start = pairLines(head, renderTerminal(decodeOutput(head, { end: true }))).lines
  const end = pairLines(tail, renderTerminal(decodeOutput(tail, { start: true }))).lines
  return cutLines(start.map(markUnended), end.map(markFirst), { bytes, lines }, budget)
}

interface ShownLine {
  /** With its line break, if it has one. */
  readonly text: string
  /** What it took in the output as it came, before it was rendered. */
  readonly rawBytes: number
  /** Only a part of the line is there. */
  readonly isPart?: boolean
}

// Rendering keeps the number of lines unless the cursor went up: then raw sizes can't be told line by line.
function pairLines(raw: Buffer, text: string): { lines: readonly ShownLine[]; isExact: boolean } {
  const texts = splitLines(text)
  const sizes = lineSizes(raw)
  const isExact = texts.length === sizes.length
  return {
    isExact,
    lines: texts.map((line, index) => ({
      text: line,
      rawBytes: (isExact ? sizes[index] : undefined) ?? Buffer.byteLength(line),
    })),
  }
}

function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function lineSizes(raw: Buffer): number[] {
  const sizes: number[] = []
  for (let start = 0; start < raw.length; ) {
    const end = raw.indexOf(10, start)
    const next = end === -1 ? raw.length : end + 1
    sizes.push(next - start)
    start = next
  }
  return sizes
}

// The last line of the kept head may go on in what was not kept; the first of the tail may have begun in it.
function markUnended(line: ShownLine): ShownLine {
  return line.text.endsWith('\n') ? line : { ...line, isPart: true }
}

function markFirst(line: ShownLine, index: number): ShownLine {
  return index === 0 ? { ...line, isPart: true } : line
}

function cutLines(
  start: readonly ShownLine[],
  end: readonly ShownLine[],
  total: { bytes: number; lines: number },
  { headBytes, tailBytes }: ViewBudget,
): OutputView {
  const head = takeLines(start, headBytes, takeStartOf)
  const tail = takeLines(end.toReversed(), tailBytes, takeEndOf).toReversed()
  const wholeOf = (lines: readonly ShownLine[]) => lines.filter(line => !line.isPart).length
  const partsOf = (lines: readonly ShownLine[]) => lines.filter(line => line.isPart).length
  const leftOutLines = total.lines - wholeOf(head) - wholeOf(tail) - partsOf(head) - partsOf(tail)
  const sum = (lines: readonly ShownLine[]) => lines.reduce((bytes, line) => bytes + line.rawBytes, 0)
  return {
    kind: 'cut',
    head: head.map(line => line.text).join(''),
    tail: tail.map(line => line.text).join(''),
    cut: {
      totalLines: total.lines,
      totalBytes: total.bytes,
      // Both parts may be of one line.
      leftOutLines: Math.max(0, leftOutLines),
      leftOutBytes: Math.max(0, total.bytes - sum(head) - sum(tail)),
      nextLine: wholeOf(head) + 1,
    },
  }
}

// Whole lines as long as they fit, then a part of one that would not fit anywhere.
function takeLines(
  lines: readonly ShownLine[],
  maxBytes: number,
  takePartOf: (text: string, maxBytes: number) => string,
): ShownLine[] {
  const taken: ShownLine[] = []
  let room = maxBytes
  for (const line of lines) {
    const size = Buffer.byteLength(line.text)
    if (size > room) {
      const part = size > maxBytes ? takePartOf(line.text, room) : ''
      if (part !== '') taken.push({ text: part, rawBytes: Buffer.byteLength(part), isPart: true })
      break
    }
    taken.push(line)
    room -= size
  }
  return taken
}
