import { createHash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'

/** Files up to this size are known by their content, larger ones by size and time. */
export const maxHashedBytes = 1024 * 1024

/** By what a file's content is known again. Plain values, so that a store can keep it. */
export interface ContentStamp {
  readonly size: number
  /** Nanoseconds since 1970, as text. */
  readonly mtimeNs: string
  /** Of the whole content, where the file is small. */
  readonly sha1?: string
}

/** The stamp of a file with these stats. `content` is its whole content, where it was read. */
export function createContentStamp(stats: BigIntStats, content?: Uint8Array): ContentStamp {
  const base = { size: Number(stats.size), mtimeNs: String(stats.mtimeNs) }
  if (!content || content.length > maxHashedBytes) return base
  return { ...base, size: content.length, sha1: createHash('sha1').update(content).digest('hex') }
}

/**
 * Is it the same content? By hash where both have one, so a mere `touch` is no change and a change within the same
 * tick of the clock is one; else by size and time.
 */
export function isSameContent(a: ContentStamp, b: ContentStamp): boolean {
  if (a.size !== b.size) return false
  if (a.sha1 && b.sha1) return a.sha1 === b.sha1
  return a.mtimeNs === b.mtimeNs
}
