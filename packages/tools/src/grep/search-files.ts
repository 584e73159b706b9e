import { createGlobTest } from '../workspace/glob-pattern.ts'
import { commonRipgrepArgs, runRipgrep } from '../workspace/ripgrep.ts'
import type { GrepInput } from './schema.ts'

/** A line of a file that was searched. */
export interface GrepLine {
  readonly number: number
  /** False for a line of context. */
  readonly isMatch: boolean
  readonly text: string
  /** The line was longer: the text is the part around the match. */
  readonly isPart: boolean
}

export interface FileMatches {
  readonly path: string
  matches: number
  /** Those that were kept; fewer than there were in a flood. */
  readonly lines: GrepLine[]
}

export interface GrepFacts {
  /** By path. */
  readonly files: readonly FileMatches[]
  readonly totalMatches: number
  /** Matching lines that were counted but not kept. */
  readonly dropped: number
  /** Matches in files that are not to be shown, by path. */
  readonly withheld: ReadonlyMap<string, number>
  readonly timedOut: boolean
  readonly exitCode: number | null
  readonly errorText: string
}

export interface GrepSearch {
  readonly input: GrepInput
  readonly rgPath: string
  /** Where ripgrep runs, absolute, and what it is to search there: `.` or a file's name. */
  readonly cwd: string
  readonly what: string
  readonly signal: AbortSignal
  readonly timeoutMs: number
  /** Must this file's content stay unseen? */
  isWithheld(path: string): boolean
}

const maxKeptLines = 5000
const maxLineChars = 400

/** Searches. Rejects with the signal's reason, or ToolFailure where ripgrep is missing. */
export async function searchFiles(search: GrepSearch): Promise<GrepFacts> {
  const { input } = search
  const files = new Map<string, FileMatches>()
  const withheld = new Map<string, number>()
  const isIncluded = input.include === undefined ? () => true : createGlobTest(input.include)
  let totalMatches = 0
  let kept = 0
  let dropped = 0
  let pathStart = ''
  const take = (path: string, line: GrepLine) => {
    if (search.isWithheld(path)) {
      if (line.isMatch) withheld.set(path, (withheld.get(path) ?? 0) + 1)
      return
    }
    const file = files.get(path) ?? { path, matches: 0, lines: [] }
    files.set(path, file)
    if (line.isMatch) {
      file.matches++
      totalMatches++
    }
    if (kept < maxKeptLines && !input.filesOnly) {
      kept++
      file.lines.push(line)
    } else if (line.isMatch) dropped++
  }
  const end = await runRipgrep({
    ...search,
    args: createArgs(input, search.what),
    separator: '\n',
    onRecord(record) {
      const nul = record.indexOf(0)
      if (nul < 0) {
        // A name with a line break in it comes in pieces; separators and remarks end with none.
        pathStart = isRemark(record) ? '' : `${pathStart}${record.toString('utf8')}\n`
        return
      }
      const path = `${pathStart}${record.toString('utf8', 0, nul)}`.replace(/^\.[/\\]/, '')
      pathStart = ''
      const line = parseLine(record.subarray(nul + 1))
      if (line && isIncluded(path)) take(path, line)
    },
  })
  const sorted = [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  return { ...end, files: sorted, totalMatches, dropped, withheld }
}

function createArgs(input: GrepInput, what: string): readonly string[] {
  return [
    ...commonRipgrepArgs,
    '--null',
    '--with-filename',
    '--line-number',
    '--column',
    '--no-heading',
    '--crlf',
    ...(input.literal ? ['--fixed-strings'] : ['--engine=auto']),
    ...(input.ignoreCase ? ['--ignore-case'] : []),
    ...(input.context ? [`--context=${input.context}`] : []),
    ...(input.ignored ? ['--no-ignore'] : []),
    ...typeArgs(input.include),
    `--regexp=${input.pattern}`,
    '--',
    what,
  ]
}

// `--glob` would bring back ignored files; a file type does not. It knows names only, so folders are judged by us.
function typeArgs(include: string | undefined): readonly string[] {
  if (include === undefined || (include.includes('/') && include.includes('{'))) return []
  const name = include.split('/').at(-1)
  return !name || name.includes('**') ? [] : [`--type-add=included:${name}`, '--type=included']
}

function isRemark(record: Buffer): boolean {
  const text = record.toString('utf8', 0, 4096)
  return /^--\r?$/.test(text) || /binary file matches \(found|WARNING: stopped searching binary file/.test(text)
}

// `12:5:text` is a match at column 5 (in bytes), `13-text` a line of context.
function parseLine(record: Buffer): GrepLine | undefined {
  const found = /^(\d+)(?::(\d+):|-)/.exec(record.toString('latin1', 0, 40))
  if (!found) return undefined
  const [head, number, column] = found
  const bytes = withoutCr(record.subarray(head.length))
  return { number: Number(number), isMatch: column !== undefined, ...cutAround(bytes, Number(column ?? 1) - 1) }
}

function withoutCr(bytes: Buffer): Buffer {
  return bytes.at(-1) === 13 ? bytes.subarray(0, -1) : bytes
}

function cutAround(bytes: Buffer, place: number): { text: string; isPart: boolean } {
  if (bytes.length <= maxLineChars) return { text: bytes.toString('utf8'), isPart: false }
  const start = place > maxLineChars * 0.75 && place < bytes.length ? place - maxLineChars / 4 : 0
  const part = bytes.subarray(start, start + maxLineChars)
  const text = part.toString('utf8').replace(/^\ufffd{1,3}|\ufffd{1,3}$/g, '')
  return { text: `${start > 0 ? '…' : ''}${text}…`, isPart: true }
}
