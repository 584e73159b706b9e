import { DeckhandError, messageOf, StoreError, type StoreErrorCode } from '@deckhand/core'

// Primary result codes: https://www.sqlite.org/rescode.html
const codes: Readonly<Record<number, StoreErrorCode>> = {
  5: 'locked',
  6: 'locked',
  11: 'damaged',
  13: 'full',
  26: 'damaged',
}

/** The number that SQLite gave, without its extension; undefined when the error is not SQLite's. */
export function sqliteCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode
  return typeof code === 'number' ? code & 0xff : undefined
}

/** Puts an error of SQLite into words with the way out; anything else comes back as it is. */
export function toStoreError(error: unknown, file: string, tried: string): unknown {
  if (error instanceof DeckhandError) return error
  const code = sqliteCode(error)
  if (code === undefined) return error
  const kind = codes[code] ?? 'io'
  return new StoreError(
    kind,
    `${tried} failed: ${describe[kind](file)} (${messageOf(error)})`,
    { file },
    { cause: error },
  )
}

const describe: Readonly<Record<StoreErrorCode, (file: string) => string>> = {
  locked: file =>
    `another process held the database ${file} for too long. Try again; if it stays so, look for a hanging deckhand process`,
  damaged: file =>
    `the database ${file} is damaged or no SQLite file. Move it away and start anew, or restore it with "sqlite3 FILE .recover"; copies from before migrations stand beside it`,
  full: file => `the disk that holds ${file} is full. Make room and try again; what was stored before is safe`,
  'newer-schema': file => `the database ${file} was written by a newer Deckhand`,
  io: file =>
    `the database ${file} could not be read or written. Check that its folder is there, is yours, and can be written`,
}
