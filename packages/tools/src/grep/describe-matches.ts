import { describeBytes, describeCount } from '../workspace/describe-bytes.ts'
import { showPath } from '../workspace/show-path.ts'
import type { GrepInput } from './schema.ts'
import type { FileMatches, GrepFacts, GrepLine } from './search-files.ts'

export interface GrepWords {
  readonly input: GrepInput
  readonly place: string
  readonly notes: readonly string[]
  readonly maxMatches: number
  readonly maxBytes: number
  /** A path of the facts as people read it. */
  shown(path: string): string
}

/** What was found, for the model. */
export function describeMatches(facts: GrepFacts, words: GrepWords): string {
  const { input, place, notes } = words
  const where = place === '.' ? '' : ` in ${showPath(place)}`
  const asked = `${JSON.stringify(input.pattern)}${where}${input.include ? ` (${input.include})` : ''}`
  const remarks = [...notes, ...describeLimits(facts, words)].map(note => `Note: ${note}.`)
  const unsearched = input.ignored
    ? ''
    : ' Files that .gitignore leaves out were not searched; ignored: true searches them too.'
  if (facts.totalMatches === 0) return [`No line matches ${asked}.${unsearched}`, ...remarks].join('\n')
  const lines = describeCount(facts.totalMatches, 'line')
  const header = `${lines} ${facts.totalMatches === 1 ? 'matches' : 'match'} ${asked}, in ${describeCount(facts.files.length, 'file')}:`
  const body = input.filesOnly ? describeFiles(facts, words) : describeLines(facts, words)
  return [header, ...remarks, ...body].join('\n')
}

function describeLimits(facts: GrepFacts, { shown }: GrepWords): readonly string[] {
  const notes: string[] = []
  if (facts.timedOut)
    notes.push('the search ran out of time; there may be more, and the counts are of what was searched')
  for (const [path, count] of facts.withheld) {
    notes.push(
      `${describeCount(count, 'matching line')} of ${shown(path)} not shown, as it may hold secrets; read the file to be asked`,
    )
  }
  const troubles = facts.errorText
    .trim()
    .split('\n')
    .filter(line => line !== '')
  if (troubles.length > 0) notes.push(`not everything could be searched: ${troubles.slice(0, 3).join('; ')}`)
  return notes
}

function describeFiles({ files }: GrepFacts, { maxMatches, shown }: GrepWords): readonly string[] {
  const told = files.slice(0, maxMatches).map(({ path, matches }) => `${shown(path)}: ${matches}`)
  const left = files.length - told.length
  return left > 0 ? [...told, `[${describeCount(left, 'more file')} left out; narrow with path or include]`] : told
}

function describeLines(facts: GrepFacts, words: GrepWords): readonly string[] {
  const lines: string[] = []
  let matches = 0
  let bytes = 0
  let full = false
  for (const file of facts.files) {
    const told = describeFile(file, words.maxMatches - matches, words.maxBytes - bytes)
    if (told.matches === 0) {
      full = true
      break
    }
    lines.push(words.shown(file.path), ...told.lines)
    matches += told.matches
    bytes += told.bytes
    full = told.full
    if (full) break
  }
  if (matches === facts.totalMatches && !full) return lines
  const limit = matches >= words.maxMatches ? `${words.maxMatches} lines` : describeBytes(words.maxBytes)
  const left = facts.totalMatches - matches
  return left === 0
    ? lines
    : [
        ...lines,
        `[${describeCount(left, 'more matching line')} left out (limit of ${limit}); narrow with path or include, or see names with filesOnly: true]`,
      ]
}

interface ToldFile {
  readonly lines: readonly string[]
  readonly matches: number
  readonly bytes: number
  readonly full: boolean
}

function describeFile({ lines }: FileMatches, maxMatches: number, maxBytes: number): ToldFile {
  const told: string[] = []
  let matches = 0
  let bytes = 0
  let last: number | undefined
  for (const line of [...lines].sort((a, b) => a.number - b.number)) {
    const text = describeLine(line)
    if ((line.isMatch && matches >= maxMatches) || bytes + text.length > maxBytes)
      return { lines: told, matches, bytes, full: true }
    const hasGap = last !== undefined && line.number > last + 1 && lines.some(({ isMatch }) => !isMatch)
    if (hasGap) told.push('  --')
    told.push(text)
    bytes += Buffer.byteLength(text) + 1
    last = line.number
    if (line.isMatch) matches++
  }
  return { lines: told, matches, bytes, full: false }
}

function describeLine({ number, isMatch, text }: GrepLine): string {
  return `  ${number}${isMatch ? ':' : '-'} ${text.replaceAll('\0', '␀')}`
}
