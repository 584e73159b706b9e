import type { BigIntStats, Stats } from 'node:fs'

/** Why a path must not be opened: it may block for ever, never end, or act on the machine. */
export interface SpecialFile {
  /** "a named pipe (FIFO)". */
  readonly words: string
}

// Regular files by their type, but endless, blocking or the machine's memory.
const endless =
  /^\/proc\/(kmsg|kcore|kpage[a-z]+|sysrq-trigger|acpi\/event)$|^\/proc\/([^/]+\/)?(task\/[^/]+\/)?(mem|pagemap|clear_refs)$|\/(trace|snapshot)_pipe(_raw)?$/

/** What makes this path special, by its stats and its real path; undefined for plain files and folders. */
export function findSpecialFile(realPath: string, stats: Stats | BigIntStats): SpecialFile | undefined {
  if (stats.isFIFO()) return { words: 'a named pipe (FIFO)' }
  if (stats.isSocket()) return { words: 'a socket' }
  if (stats.isCharacterDevice()) return { words: 'a character device' }
  if (stats.isBlockDevice()) return { words: 'a block device' }
  if (endless.test(realPath)) return { words: 'a special file of the kernel that may block or never end' }
  return undefined
}
