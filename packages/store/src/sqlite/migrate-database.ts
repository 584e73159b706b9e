import type { DatabaseSync } from 'node:sqlite'
import { StoreError } from '@deckhand/core'
import type { Migration } from '../migrations/migration.ts'
import { backUpDatabase } from './back-up-database.ts'
import { runTransaction } from './transaction.ts'

/**
 * Brings the schema up to date, under the write lock: of many processes one does it, the others find it done. All that
 * is missing is applied in one transaction, after a copy was made of a file that had a schema before; when any of it
 * fails, the file stays as it was.
 */
export function migrateDatabase(database: DatabaseSync, file: string, migrations: readonly Migration[]): void {
  const newest = migrations.at(-1)?.version ?? 0
  if (readVersion(database) === newest) return
  runTransaction(database, 'write', () => {
    // Read again: another process may have done it while this one waited for the lock.
    const version = readVersion(database)
    if (version > 0 && version < newest) backUpDatabase(file, version + 1)
    for (const migration of migrations.filter(candidate => candidate.version > version)) {
      migration.run(database)
      database.exec(`PRAGMA user_version = ${migration.version}`)
    }
  })
}

/**
 * Looks whether the file may be touched at all. Throws StoreError `newer-schema` for a newer program's file, and
 * `damaged` for another program's.
 */
export function refuseStrangers(database: DatabaseSync, file: string, migrations: readonly Migration[]): void {
  const newest = migrations.at(-1)?.version ?? 0
  // One moment of the file: another process may be giving it its first schema right now.
  const { version, tables } = runTransaction(database, 'read', () => ({
    version: readVersion(database),
    tables: readTables(database),
  }))
  if (version > newest) {
    throw new StoreError(
      'newer-schema',
      `The database ${file} was written by a newer Deckhand: its schema is ${version}, this program knows ${newest}. Update Deckhand, or choose another place with DECKHAND_HOME.`,
      { file, version, newest },
    )
  }
  if (version === 0 && tables.length > 0) {
    throw new StoreError(
      'damaged',
      `The database ${file} belongs to another program: it has the table ${tables[0]}, and no schema of Deckhand. Nothing was changed. Move it away, or choose another place with DECKHAND_HOME.`,
      { file, tables },
    )
  }
}

function readVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version)
}

function readTables(database: DatabaseSync): string[] {
  const rows = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
  return rows.map(({ name }) => String(name))
}
