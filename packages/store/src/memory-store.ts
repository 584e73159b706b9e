import type { Store } from '@deckhand/core'
import { openSqliteStore, type SqliteStoreOptions } from './sqlite/sqlite-store.ts'

/**
 * A store that is gone with the process: for tests, and for sessions that nobody wants kept. It is SQLite in memory, so
 * that it can't differ from the real one.
 */
export function createMemoryStore(options: Omit<SqliteStoreOptions, 'file'> = {}): Promise<Store> {
  return openSqliteStore({ file: ':memory:', ...options })
}
