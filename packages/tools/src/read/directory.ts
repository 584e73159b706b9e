import type { Dirent } from 'node:fs'
import { opendir } from 'node:fs/promises'
import { groupDigits } from '@deckhand/core'
import { describeCount } from '../workspace/describe-bytes.ts'
import { showPath } from '../workspace/show-path.ts'

/** At most so many names are taken in; a folder with more is told as such. */
const maxEntries = 100_000

export interface FolderListing {
  /** Sorted; folders end with a slash, links with `@`. */
  readonly names: readonly string[]
  readonly folders: number
  readonly others: number
  /** There are more than were taken in. */
  readonly cut: boolean
}

/** Lists a folder, hidden names too, one level. Rejects with the system's error, or the signal's reason. */
export async function listFolder(path: string, signal: AbortSignal): Promise<FolderListing> {
  const names: string[] = []
  let folders = 0
  let cut = false
  for await (const entry of await opendir(path)) {
    signal.throwIfAborted()
    if (names.length >= maxEntries) {
      cut = true
      break
    }
    if (entry.isDirectory()) folders++
    names.push(describeEntry(entry))
  }
  names.sort((a, b) => (a < b ? -1 : 1))
  return { names, folders, others: names.length - folders, cut }
}

function describeEntry(entry: Dirent): string {
  const name = showPath(entry.name)
  if (entry.isDirectory()) return `${name}/`
  if (entry.isSymbolicLink()) return `${name}@`
  if (entry.isFIFO()) return `${name} (named pipe)`
  if (entry.isSocket()) return `${name} (socket)`
  return entry.isCharacterDevice() || entry.isBlockDevice() ? `${name} (device)` : name
}

export interface ListingWindow {
  readonly offset: number
  readonly limit: number
}

/** The result of reading a folder, for the model. */
export function describeListing(
  shown: string,
  listing: FolderListing,
  { offset, limit }: ListingWindow,
  notes: readonly string[],
): string {
  const total = listing.names.length
  const start = offset < 0 ? Math.max(0, total + offset) : offset - 1
  const names = listing.names.slice(start, start + limit)
  const counts = `${describeCount(listing.folders, 'folder')}, ${describeCount(listing.others, 'file')}`
  const header = `${showPath(shown)} · folder · ${counts}${listing.cut ? ' or more (listing stopped there)' : ''}`
  return [header, ...notes.map(note => `Note: ${note}`), ...names, describeListingEnd(names.length, start, total)].join(
    '\n',
  )
}

function describeListingEnd(shown: number, start: number, total: number): string {
  if (total === 0) return 'The folder is empty.'
  if (shown === 0) return `Offset ${start + 1} is past the end: there are ${describeCount(total, 'entry', 'entries')}.`
  const left = total - start - shown
  if (left > 0) {
    return `Entries ${start + 1}-${start + shown} of ${groupDigits(total)} shown; ${groupDigits(left)} left out. Go on with offset: ${start + shown + 1}.`
  }
  return start === 0
    ? `All ${describeCount(total, 'entry', 'entries')} shown.`
    : `Entries ${start + 1}-${total} shown; that is the end.`
}
