import type { DatabaseSync } from 'node:sqlite'

/**
 * Runs `act` in a transaction: all of it or nothing. `read` sees one moment of the database, whatever others write
 * meanwhile. `write` takes the write lock at once, since a later upgrade from reading could fail without waiting.
 */
export function runTransaction<Result>(database: DatabaseSync, kind: 'read' | 'write', act: () => Result): Result {
  database.exec(kind === 'read' ? 'BEGIN' : 'BEGIN IMMEDIATE')
  try {
    const result = act()
    database.exec('COMMIT')
    return result
  } catch (error) {
    // SQLite rolls back by itself after some errors (a full disk): a second ROLLBACK would fail and hide the first error.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** Runs a transaction that waits until it, and every commit before it, is on the disk. */
export function syncToDisk<Result>(database: DatabaseSync, transaction: () => Result): Result {
  database.exec('PRAGMA synchronous = FULL')
  try {
    return transaction()
  } finally {
    database.exec('PRAGMA synchronous = NORMAL')
  }
}
