import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/**
 * Puts a copy of the database beside it, as `FILE.before-002`, from the moment before that migration. A copy of an
 * earlier attempt at it is replaced: the file has moved on since. To be called while the caller holds the write lock;
 * a reader of its own makes the copy, so what is in the log and not yet in the file is in it too.
 */
export function backUpDatabase(file: string, nextVersion: number): void {
  const copy = `${file}.before-${String(nextVersion).padStart(3, '0')}`
  const draft = `${copy}.partial`
  createEmptyPrivateFile(draft)
  const reader = new DatabaseSync(file)
  try {
    reader.prepare('VACUUM INTO ?').run(draft)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  } finally {
    reader.close()
  }
  // Under its own name only when it is whole and on the disk: a kill in between leaves no half copy that looks good.
  syncFile(draft)
  renameSync(draft, copy)
}

// SQLite fills an empty file, and would make one that others can read.
function createEmptyPrivateFile(file: string): void {
  rmSync(file, { force: true })
  closeSync(openSync(file, 'wx', 0o600))
}

function syncFile(file: string): void {
  const descriptor = openSync(file, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
