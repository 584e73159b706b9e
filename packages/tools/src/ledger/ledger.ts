// What a session has read. Reads are recorded here; write and edit ask it before they touch a file.
import { type ContentStamp, isSameContent } from './content-stamp.ts'
import { addRange, type LineRange } from './line-range.ts'

/** What was seen of one file, and of which content. */
export interface SeenFile {
  readonly stamp: ContentStamp
  /** All of it was seen, or we wrote it ourselves. */
  readonly whole: boolean
  /** Lines that were shown in full, sorted, apart from each other. */
  readonly ranges: readonly LineRange[]
  /** How far lines that were cut have been read: line number to characters seen from its start. */
  readonly cutLines: Readonly<Record<number, number>>
  /** Known once the end of the file was seen. */
  readonly totalLines?: number
}

/** What one read showed. */
export interface Sighting {
  /** Lines that were shown in full. */
  readonly ranges?: readonly LineRange[]
  /** Lines that were shown in part: from which character (1-based) to which, and whether that was its end. */
  readonly cut?: readonly {
    readonly line: number
    readonly from: number
    readonly to: number
    readonly ended: boolean
  }[]
  readonly totalLines?: number
}

/** What a session knows of a file's state before it changes it. */
export type Knowledge =
  | { readonly state: 'never-read' }
  | { readonly state: 'changed' }
  | { readonly state: 'partly'; readonly seen: SeenFile }
  | { readonly state: 'whole' }

/**
 * Per session, by real path. In memory for now; `entries` and `initial` let a store keep it.
 * Windows that were shown are known until `forgetWindows` (after a compaction, when they are out of the context).
 */
export interface Ledger {
  get(path: string): SeenFile | undefined
  /** Adds to what was seen of this content; other content than before starts anew. */
  recordRead(path: string, stamp: ContentStamp, sighting: Sighting): void
  /** What we wrote ourselves is known whole. */
  recordWrite(path: string, stamp: ContentStamp): void
  /** After an edit: what was known stays known; of a partly seen file only the lines before `firstLine`. */
  recordEdit(path: string, stamp: ContentStamp, firstLine: number): void
  /** Is this very window, of this very content, still in the context? */
  hasWindow(path: string, window: string, stamp: ContentStamp): boolean
  recordWindow(path: string, window: string, stamp: ContentStamp): void
  forgetWindows(): void
  /** Runs one action per path at a time, in the order of asking. */
  exclusive<T>(path: string, action: () => Promise<T>): Promise<T>
  entries(): readonly (readonly [string, SeenFile])[]
}

/** Makes a ledger that lives as long as the process. */
export function createMemoryLedger(initial: Iterable<readonly [string, SeenFile]> = []): Ledger {
  const files = new Map<string, SeenFile>(initial)
  const windows = new Map<string, Map<string, ContentStamp>>()
  const queues = new Map<string, Promise<unknown>>()
  const set = (path: string, seen: SeenFile) => {
    files.set(path, seen)
    if (![...(windows.get(path)?.values() ?? [])].every(stamp => isSameContent(stamp, seen.stamp))) windows.delete(path)
  }
  return {
    get: path => files.get(path),
    recordRead: (path, stamp, sighting) => set(path, addSighting(files.get(path), stamp, sighting)),
    recordWrite: (path, stamp) => set(path, { stamp, whole: true, ranges: [], cutLines: {} }),
    recordEdit: (path, stamp, firstLine) => set(path, afterEdit(files.get(path), stamp, firstLine)),
    hasWindow: (path, window, stamp) => {
      const known = windows.get(path)?.get(window)
      return known !== undefined && isSameContent(known, stamp)
    },
    recordWindow: (path, window, stamp) => {
      const known = windows.get(path) ?? new Map<string, ContentStamp>()
      windows.set(path, known.set(window, stamp))
    },
    forgetWindows: () => windows.clear(),
    exclusive: (path, action) => inTurn(queues, path, action),
    entries: () => [...files],
  }
}

/** What the session knows of a file whose content is now `current`. */
export function evaluateKnowledge(seen: SeenFile | undefined, current: ContentStamp): Knowledge {
  if (!seen) return { state: 'never-read' }
  if (!isSameContent(seen.stamp, current)) return { state: 'changed' }
  return seen.whole ? { state: 'whole' } : { state: 'partly', seen }
}

function addSighting(before: SeenFile | undefined, stamp: ContentStamp, sighting: Sighting): SeenFile {
  const known = before && isSameContent(before.stamp, stamp) ? before : undefined
  if (known?.whole) return { ...known, stamp }
  let ranges = known?.ranges ?? []
  for (const range of sighting.ranges ?? []) ranges = addRange(ranges, range)
  const cutLines: Record<number, number> = { ...known?.cutLines }
  for (const { line, from, to, ended } of sighting.cut ?? []) {
    const reached = cutLines[line] ?? 0
    if (from > reached + 1) continue
    cutLines[line] = Math.max(reached, to)
    if (ended) ranges = addRange(ranges, { from: line, to: line })
  }
  const totalLines = sighting.totalLines ?? known?.totalLines
  const whole = totalLines !== undefined && coversAll(ranges, totalLines)
  return { stamp, whole, ranges, cutLines, ...(totalLines !== undefined && { totalLines }) }
}

function coversAll(ranges: readonly LineRange[], totalLines: number): boolean {
  return totalLines === 0 || (ranges.length === 1 && ranges[0]?.from === 1 && ranges[0].to >= totalLines)
}

function afterEdit(before: SeenFile | undefined, stamp: ContentStamp, firstLine: number): SeenFile {
  if (before?.whole) return { stamp, whole: true, ranges: [], cutLines: {} }
  const ranges = (before?.ranges ?? [])
    .filter(range => range.from < firstLine)
    .map(({ from, to }) => ({ from, to: Math.min(to, firstLine - 1) }))
  return { stamp, whole: false, ranges, cutLines: {} }
}

async function inTurn<T>(queues: Map<string, Promise<unknown>>, path: string, action: () => Promise<T>): Promise<T> {
  const before = queues.get(path)
  const run = before ? before.then(action, action) : action()
  queues.set(path, run)
  try {
    return await run
  } finally {
    if (queues.get(path) === run) queues.delete(path)
  }
}
