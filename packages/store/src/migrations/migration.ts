import type { DatabaseSync } from 'node:sqlite'

/** One step of the schema. Never changed once published; the next change is the next number. */
export interface Migration {
  /** 1, 2, 3, …: what `PRAGMA user_version` is after it. */
  readonly version: number
  readonly name: string
  /** Runs inside a transaction of the caller's. */
  run(database: DatabaseSync): void
}
