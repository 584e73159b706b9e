// When oldText is not there: which lines of the file come closest, and how they differ.

const maxFileLines = 20_000
const maxOldLines = 60
const maxLineChars = 400

/** A sentence that shows the closest place, or says that nothing is close. */
export async function describeNearest(text: string, oldText: string): Promise<string> {
  const lines = splitLines(text).slice(0, maxFileLines)
  const wanted = splitLines(oldText).slice(0, maxOldLines)
  while (wanted.length > 1 && wanted.at(-1)?.trim() === '') wanted.pop()
  while (wanted.length > 1 && wanted[0]?.trim() === '') wanted.shift()
  const place = findBestPlace(lines, wanted)
  return place === undefined ? describeSimilar(lines, wanted) : describePlace(lines, wanted, place)
}

function splitLines(text: string): string[] {
  return text.split(/\r?\n/)
}

// The place where most lines are the same, blanks apart; undefined where none is.
function findBestPlace(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const bare = wanted.map(bareOf)
  const placesOf = new Map<string, number[]>()
  for (const [index, line] of lines.entries()) {
    const key = bareOf(line)
    if (key !== '' && bare.includes(key)) placesOf.set(key, [...(placesOf.get(key) ?? []).slice(0, 50), index])
  }
  const scores = new Map<number, number>()
  for (const [index, key] of bare.entries()) {
    for (const place of placesOf.get(key) ?? []) scores.set(place - index, (scores.get(place - index) ?? 0) + 1)
  }
  const [best] = [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0])
  return best?.[0]
}

function bareOf(line: string): string {
  return line.replace(/\s+/g, ' ').trim()
}

function describePlace(lines: readonly string[], wanted: readonly string[], place: number): string {
  const differing = wanted.findIndex((line, index) => lines[place + index] !== line)
  const from = Math.max(1, place + 1)
  const range = wanted.length === 1 ? `line ${from}` : `lines ${from}-${place + wanted.length}`
  if (differing < 0)
    return `Closest: ${range}; they look the same, so blanks at an end, or characters that look alike, must differ.`
  const has = lines[place + differing]
  const asked = wanted[differing] ?? ''
  if (has === undefined) return `Closest: ${range}, but the file ends before oldText does.`
  const number = place + differing + 1
  return `Closest: ${range}. Line ${number} differs${describeDifference(has, asked)}: the file has ${quote(has)}, oldText has ${quote(asked)}.`
}

function describeDifference(has: string, asked: string): string {
  if (bareOf(has) === bareOf(asked)) return has.trim() === asked.trim() ? ' in its blanks at an end' : ' in its blanks'
  if (has.toLowerCase() === asked.toLowerCase()) return ' in upper and lower case'
  if (plainOf(has) === plainOf(asked)) return ' in quotes, dashes or kinds of blanks'
  return ''
}

function plainOf(line: string): string {
  return line
    .normalize('NFKC')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u2010-\u2015]/g, '-')
}

// No line is the same: the one with the least to change against the longest line of oldText.
async function describeSimilar(lines: readonly string[], wanted: readonly string[]): Promise<string> {
  const { distance } = await import('fastest-levenshtein')
  const longest = wanted
    .reduce((a, b) => (b.trim().length > a.trim().length ? b : a), '')
    .trim()
    .slice(0, maxLineChars)
  let best = { line: -1, score: Math.floor(longest.length * 0.5) }
  for (const [index, line] of lines.entries()) {
    const bare = line.trim().slice(0, maxLineChars)
    if (Math.abs(bare.length - longest.length) >= best.score) continue
    const score = distance(bare, longest)
    if (score < best.score) best = { line: index, score }
  }
  const found = lines[best.line]
  if (found === undefined) return 'No line of the file is close to it; read the file again.'
  return `Closest: line ${best.line + 1}: ${quote(found)}.`
}

function quote(line: string): string {
  return JSON.stringify(line.length > 200 ? `${line.slice(0, 200)}…` : line)
}
