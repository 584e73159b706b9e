export { createMemoryStore } from './memory-store.ts'
export { openSqliteStore, type SqliteStoreOptions } from './sqlite/sqlite-store.ts'
