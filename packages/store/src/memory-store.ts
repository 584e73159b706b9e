import type { ApprovalStore, Clock, SessionStore } from '@deckhand/core'
import { openSqliteStore } from './sqlite/sqlite-store.ts'

/** A store that is gone with the process: for tests, and for sessions that nobody wants kept. */
export function createMemoryStore(options: { readonly clock?: Clock } = {}): Promise<SessionStore & ApprovalStore> {
  return openSqliteStore({ file: ':memory:', ...options })
}
