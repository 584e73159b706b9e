import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { messageOf, StoreError, systemClock } from '@deckhand/core'
import { migrations as allMigrations } from '../migrations/index.ts'
import type { Migration } from '../migrations/migration.ts'
import { migrateDatabase, refuseStrangers } from './migrate-database.ts'
import { busyCode, sqliteCode, toStoreError } from './store-failure.ts'

// SQLite waits for a lock in a call that blocks the thread, so it may not wait for long.
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
  let database: DatabaseSync | undefined
  try {
    if (file !== ':memory:') createPrivateFile(file)
    const opened = new DatabaseSync(file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true })
    database = opened
    await retryWhileBusy(() => refuseStrangers(opened, file, migrations))
    await retryWhileBusy(() => setUp(opened))
    await retryWhileBusy(() => migrateDatabase(opened, file, migrations))
    return opened
  } catch (error) {
    database?.close()
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
      `The store of sessions could not be made at ${file}: ${messageOf(error)}. Choose another place with DECKHAND_HOME.`,
      { file },
      { cause: error },
    )
  }
}

// NORMAL: a commit is a write to the log without waiting for the disk. A killed process loses nothing; `syncToDisk` is
// for the moments after which a loss of power must not either. FULL would wait for the disk several times in each step.
function setUp(database: DatabaseSync): void {
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY')
}

// The switch to WAL and some lock upgrades answer "busy" at once, whatever the timeout.
async function retryWhileBusy(act: () => void): Promise<void> {
  const deadline = systemClock.monotonic() + openTimeoutMs
  for (let delayMs = 5; ; delayMs = Math.min(delayMs * 2, 200)) {
    try {
      return act()
    } catch (error) {
      if (sqliteCode(error) !== busyCode || systemClock.monotonic() > deadline) throw error
      await systemClock.sleep(delayMs)
    }
  }
}
