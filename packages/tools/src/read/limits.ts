import type { WindowLimits } from './text-window.ts'

export const defaultReadLimits: ReadLimits = {
  maxLines: 2000,
  maxBytes: 50 * 1024,
  maxLineChars: 2000,
  chunkBytes: 1024 * 1024,
  maxCountBytes: 64 * 1024 * 1024,
  maxTotalBytes: 100 * 1024,
}

/** What holds for one file. */
export interface FileLimits extends WindowLimits {
  readonly maxLines: number
}

/** What holds for one call. */
export interface ReadLimits extends FileLimits {
  /** Over all files of one call. */
  readonly maxTotalBytes: number
}
