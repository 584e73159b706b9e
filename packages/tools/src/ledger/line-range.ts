/** Lines from `from` to `to`, both included, counted from 1. */
export interface LineRange {
  readonly from: number
  readonly to: number
}

/** The union, sorted; ranges that touch become one. An empty range changes nothing. */
export function addRange(ranges: readonly LineRange[], added: LineRange): readonly LineRange[] {
  if (added.to < added.from) return ranges
  const merged: LineRange[] = []
  for (const range of [...ranges, added].sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last && range.from <= last.to + 1)
      merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, range.to) }
    else merged.push(range)
  }
  return merged
}

/** Words: "lines 1-10 and 40-50". */
export function describeRanges(ranges: readonly LineRange[]): string {
  const words = ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`))
  if (words.length === 0) return 'no line in full'
  return `${words.length === 1 && ranges[0]?.from === ranges[0]?.to ? 'line' : 'lines'} ${words.join(', ')}`
}
