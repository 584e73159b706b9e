import type { DatabaseSync } from 'node:sqlite'
import { toStoreError } from './store-failure.ts'
import { runTransaction, syncToDisk } from './transaction.ts'

/** A store's one connection. `tried` is what an error of SQLite's says was being done ("Storing events"). */
export interface Connection {
  /** All queries of `act` see one moment of the database. */
  read<Result>(tried: string, act: () => Result): Promise<Result>
  /** All of `act` is stored, or nothing of it. It survives the end of this process. */
  write<Result>(tried: string, act: () => Result): Promise<Result>
  /** As `write`; it, and all that was written before, survives a loss of power too. */
  writeToDisk<Result>(tried: string, act: () => Result): Promise<Result>
  /** Closing twice is fine. */
  close(): Promise<void>
}

/** SQLite's errors come out as StoreError, with the way out; all others as they are. */
export function createConnection(database: DatabaseSync, file: string): Connection {
  // async: what is thrown becomes a rejection, in whatever order the caller awaits.
  const guard = async <Result>(tried: string, act: () => Result): Promise<Result> => {
    try {
      return act()
    } catch (error) {
      throw toStoreError(error, file, tried)
    }
  }
  return {
    read: (tried, act) => guard(tried, () => runTransaction(database, 'read', act)),
    write: (tried, act) => guard(tried, () => runTransaction(database, 'write', act)),
    writeToDisk: (tried, act) => guard(tried, () => syncToDisk(database, () => runTransaction(database, 'write', act))),
    close: async () => {
      if (database.isOpen) database.close()
    },
  }
}
