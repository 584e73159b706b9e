import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { DeckhandError, messageOf, StoreError, type StoreErrorCode } from '@deckhand/core'

type FailureCode = Exclude<StoreErrorCode, 'newer-schema'>

// Primary result codes: https://www.sqlite.org/rescode.html. Those that are not here (a wrong statement, a broken
// constraint) are bugs of ours.
const codes: Readonly<Record<number, FailureCode>> = {
  3: 'io', // PERM
  5: 'locked', // BUSY
  6: 'locked', // LOCKED
  8: 'io', // READONLY
  10: 'io', // IOERR
  11: 'damaged', // CORRUPT
  13: 'full', // FULL
  14: 'io', // CANTOPEN
  15: 'locked', // PROTOCOL
  26: 'damaged', // NOTADB
}

export const busyCode = 5

/** The number that SQLite gave, without its extension; undefined when the error is not SQLite's. */
export function sqliteCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode
  return typeof code === 'number' ? code & 0xff : undefined
}

/** Puts a failure of SQLite into words with the way out. Other errors, and bugs, come back as they are. */
export function toStoreError(error: unknown, file: string, tried: string): unknown {
  if (error instanceof DeckhandError) return error
  const code = codes[sqliteCode(error) ?? -1]
  if (code === undefined) return error
  // A file that can't grow shows itself as an I/O error too: SQLite's index of the log is mapped memory.
  return createStoreFailure(code === 'io' && isDiskFull(file) ? 'full' : code, file, tried, error)
}

/** A StoreError in its full words. */
export function createStoreFailure(code: FailureCode, file: string, tried: string, cause: unknown): StoreError {
  return new StoreError(code, `${tried} failed: ${describe[code](file)} (${messageOf(cause)})`, { file }, { cause })
}

const describe: Readonly<Record<FailureCode, (file: string) => string>> = {
  locked: file =>
    `another process held the database ${file} for too long. Try again; if it stays so, look for a hanging deckhand process.`,
  damaged: file =>
    `the database ${file} is damaged, or no database of Deckhand. Move it away to start anew; "sqlite3 ${file} .recover" prints what can be saved, and copies from before schema changes stand beside it as ${file}.before-NNN.`,
  full: file => `the disk that holds ${file} is full. Make room and try again; what was stored before is safe.`,
  io: file =>
    `the database ${file} could not be read or written. Check that it and its folder are there, are yours, and can be written.`,
}

function isDiskFull(file: string): boolean {
  try {
    return statfsSync(dirname(file)).bavail === 0
  } catch {
    // A folder that can't be asked tells nothing about its disk; the caller's own error stands.
    return false
  }
}
