import type { Match } from './find-matches.ts'

/** The least that must change for one match: what lies between its first and its last difference. */
export interface Cut {
  readonly start: number
  readonly end: number
  readonly insert: string
}

/**
 * Turns "replace this match by that text" into a cut. Lines that are the same before and after keep their own line
 * ending; a line break of the new text takes the ending of the line that it replaces, else of the lines around it.
 */
export function planCut(units: string, match: Match, replacement: string): Cut {
  const wanted = replacement.replaceAll('\r\n', '\n')
  const head = commonStart(units, match, wanted)
  const tail = commonEnd(units, { start: head.at, end: match.end }, wanted.slice(head.taken))
  const inserted = wanted.slice(head.taken, wanted.length - tail.taken)
  return { start: head.at, end: tail.at, insert: withEndings(units, { start: head.at, end: tail.at }, inserted) }
}

/** How far a side is the same: the place in the units, and the length in the new text. */
interface Same {
  readonly at: number
  readonly taken: number
}

function commonStart(units: string, { start, end }: Match, wanted: string): Same {
  let at = start
  let taken = 0
  while (at < end && taken < wanted.length) {
    const width = units.startsWith('\r\n', at) && wanted[taken] === '\n' ? 2 : 1
    if (at + width > end || (width === 1 && units[at] !== wanted[taken])) break
    at += width
    taken++
  }
  return { at, taken }
}

function commonEnd(units: string, { start, end }: Match, wanted: string): Same {
  let at = end
  let taken = 0
  while (at > start && taken < wanted.length && units[at - 1] === wanted[wanted.length - taken - 1]) {
    const crlf = units[at - 1] === '\n' && at - 2 >= start && units[at - 2] === '\r'
    at -= crlf ? 2 : 1
    taken++
  }
  return { at, taken }
}

function withEndings(units: string, { start, end }: Match, text: string): string {
  if (!text.includes('\n')) return text
  const own = units.slice(start, end).match(/\r?\n/g) ?? []
  const around = own.at(-1) ?? endingAround(units, start, end)
  let index = 0
  return text.replace(/\n/g, () => own[index++] ?? around)
}

// The next line break after the place, else the last before it; a file of one line has none.
function endingAround(units: string, start: number, end: number): string {
  const after = units.indexOf('\n', end)
  const found = after >= 0 ? after : units.lastIndexOf('\n', start - 1)
  return found > 0 && units[found - 1] === '\r' ? '\r\n' : '\n'
}
