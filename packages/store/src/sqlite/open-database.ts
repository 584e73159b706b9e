import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StoreError, systemClock } from '@deckhand/core'
import { migrations as allMigrations } from '../migrations/index.ts'
import type { Migration } from '../migrations/migration.ts'
import { sqliteCode, toStoreError } from './store-failure.ts'

const busyTimeoutMs = 10_000
const openTimeoutMs = 20_000

/**
 * Opens a database of sessions, makes it where it is missing, and brings its schema up to date. Many processes may do
 * so at the same moment. Throws StoreError: `newer-schema`, `damaged`, `locked`, `full` or `io`.
 */
export async function openDatabase(
  file: string,
  migrations: readonly Migration[] = allMigrations,
): Promise<DatabaseSync> {
  try {
    if (file !== ':memory:') createPrivateFile(file)
    const database = new DatabaseSync(file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true })
    try {
      await retryWhileBusy(() => prepare(database))
      await retryWhileBusy(() => migrate(database, file, migrations))
      return database
    } catch (error) {
      database.close()
      throw error
    }
  } catch (error) {
    throw toStoreError(error, file, 'Opening the store of sessions')
  }
}

// SQLite makes its -wal and -shm files with the rights of the database file.
function createPrivateFile(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    if (existsSync(file)) return
    closeSync(openSync(file, 'a', 0o600))
    chmodSync(file, 0o600)
  } catch (error) {
    throw new StoreError(
      'io',
      `The store of sessions could not be made at ${file}: ${(error as Error).message}. Choose another place with DECKHAND_HOME.`,
      { file },
      { cause: error },
    )
  }
}

// NORMAL: a commit is a write to the log without waiting for the disk. A killed process loses nothing; `syncToDisk` is
// for the moments after which a loss of power must not either. FULL would wait for the disk several times in each step.
function prepare(database: DatabaseSync): void {
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY')
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

// The switch to WAL and some lock upgrades answer "busy" at once, whatever the timeout.
async function retryWhileBusy(act: () => void): Promise<void> {
  const deadline = systemClock.monotonic() + openTimeoutMs
  for (let delayMs = 5; ; delayMs = Math.min(delayMs * 2, 200)) {
    try {
      return act()
    } catch (error) {
      if (sqliteCode(error) !== 5 || systemClock.monotonic() > deadline) throw error
      await systemClock.sleep(delayMs)
    }
  }
}

function migrate(database: DatabaseSync, file: string, migrations: readonly Migration[]): void {
  const newest = migrations.at(-1)?.version ?? 0
  if (readVersion(database, file, newest) === newest) return
  database.exec('BEGIN IMMEDIATE')
  try {
    // Read again: another process may have done it while this one waited for the lock.
    const version = readVersion(database, file, newest)
    if (version > 0 && version < newest) backUp(file, version + 1)
    for (const migration of migrations.filter(candidate => candidate.version > version)) {
      migration.run(database)
      database.exec(`PRAGMA user_version = ${migration.version}`)
    }
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

function readVersion(database: DatabaseSync, file: string, newest: number): number {
  const version = Number(database.prepare('PRAGMA user_version').get()?.user_version)
  if (version > newest) {
    throw new StoreError(
      'newer-schema',
      `The database ${file} was written by a newer Deckhand: its schema is ${version}, this program knows ${newest}. Update Deckhand, or choose another place with DECKHAND_HOME.`,
      { file, version, newest },
    )
  }
  return version
}

/** A copy from before the migration. A reader of its own makes it, beside the transaction that holds the write lock. */
function backUp(file: string, nextVersion: number): void {
  if (file === ':memory:') return
  const copy = `${file}.before-${String(nextVersion).padStart(3, '0')}`
  if (existsSync(copy)) return
  const reader = new DatabaseSync(file, { timeout: busyTimeoutMs, readOnly: false })
  try {
    reader.prepare('VACUUM INTO ?').run(copy)
    chmodSync(copy, 0o600)
  } finally {
    reader.close()
  }
}
