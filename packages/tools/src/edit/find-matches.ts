/** Where a match lies in the units of a text. */
export interface Match {
  readonly start: number
  readonly end: number
}

/** All places of `needle`, apart from each other, from the start. A line break matches LF and CRLF alike. */
export function findMatches(units: string, needle: string): readonly Match[] {
  const wanted = needle.replaceAll('\r\n', '\n')
  if (wanted === '') return []
  if (!wanted.includes('\n') || !units.includes('\r\n')) return findExact(units, wanted)
  const pattern = wanted.split('\n').map(escapePattern).join('\\r?\\n')
  return [...units.matchAll(new RegExp(pattern, 'g'))].map(({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
  }))
}

function findExact(units: string, wanted: string): readonly Match[] {
  const matches: Match[] = []
  for (let start = units.indexOf(wanted); start >= 0; start = units.indexOf(wanted, start + wanted.length)) {
    matches.push({ start, end: start + wanted.length })
  }
  return matches
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** The line (from 1) in which a place lies. */
export function lineAt(units: string, place: number): number {
  let line = 1
  for (let at = units.indexOf('\n'); at >= 0 && at < place; at = units.indexOf('\n', at + 1)) line++
  return line
}
