// Sessions in one SQLite file. Raw SQL: a query builder would double the start-up of a program that lives for one turn.
// A file per table stands beside; here each method of the store says in which transaction it uses them.
import type { DatabaseSync } from 'node:sqlite'
import {
  type ApprovalStore,
  type AuditStore,
  type Clock,
  type Log,
  type Session,
  type SessionStore,
  type Store,
  type StoredEvent,
  silentLog,
  systemClock,
  type TrustStore,
} from '@deckhand/core'
import { createSessionExport } from '../create-session-export.ts'
import { createForkEvents } from '../fork-events.ts'
import { type ApprovalTable, createApprovalTable } from './approval-table.ts'
import { type Connection, createConnection } from './connection.ts'
import { createDamageReport } from './damage.ts'
import { createEventTable, type EventTable } from './event-table.ts'
import { createMessageTable, type MessageTable } from './message-table.ts'
import { openDatabase } from './open-database.ts'
import { createSessionTable, type SessionTable } from './session-table.ts'
import { storeEvents } from './store-events.ts'
import { createStoreFailure, sqliteCode, toStoreError } from './store-failure.ts'
import { createTrustTable, type TrustTable } from './trust-table.ts'
import { createTurnOwnerTable, type TurnOwnerTable } from './turn-owner-table.ts'
import { createVerdictTable, type VerdictTable } from './verdict-table.ts'

export interface SqliteStoreOptions {
  /** Made with its folder where it is missing, 0600 and 0700. `:memory:` lives as long as the store. */
  readonly file: string
  readonly clock?: Clock
  /** Told, through `warn`, of damaged records that were restored or skipped. */
  readonly log?: Log
}

/**
 * Opens the store of a file. Every method may be called at any time by many processes: writes wait for each other.
 * Rejects with StoreError when the file is of a newer program, damaged, locked, on a full disk or out of reach.
 */
export async function openSqliteStore({
  file,
  clock = systemClock,
  log = silentLog,
}: SqliteStoreOptions): Promise<Store> {
  return createSqliteStore(await openDatabase(file), file, clock, log)
}

/** The store over a database that is open and has the newest schema. Closes the database when it is not as it should be. */
export function createSqliteStore(database: DatabaseSync, file: string, clock: Clock, log: Log): Store {
  const connection = createConnection(database, file)
  const tables = createTables(database, file, log)
  return {
    ...createSessionMethods(connection, tables, clock),
    ...createCopyMethods(connection, tables, clock),
    ...createTurnMethods(connection, tables),
    ...createApprovalMethods(connection, tables),
    ...createAuditMethods(connection, tables),
    ...createTrustMethods(connection, tables),
    close: connection.close,
  }
}

interface Tables {
  readonly sessions: SessionTable
  readonly events: EventTable
  readonly messages: MessageTable
  readonly turnOwners: TurnOwnerTable
  readonly approvals: ApprovalTable
  readonly verdicts: VerdictTable
  readonly trust: TrustTable
}

function createTables(database: DatabaseSync, file: string, log: Log): Tables {
  const reportDamage = createDamageReport(log, file)
  try {
    return {
      sessions: createSessionTable(database, reportDamage),
      events: createEventTable(database, reportDamage),
      messages: createMessageTable(database, reportDamage),
      turnOwners: createTurnOwnerTable(database),
      approvals: createApprovalTable(database),
      verdicts: createVerdictTable(database),
      trust: createTrustTable(database),
    }
  } catch (error) {
    database.close()
    // 1, a wrong statement: the file says that it has this schema, and a table or a column of it is missing.
    const tried = 'Opening the store of sessions'
    throw sqliteCode(error) === 1 ? createStoreFailure('damaged', file, tried, error) : toStoreError(error, file, tried)
  }
}

type SessionMethods = Pick<SessionStore, 'create' | 'get' | 'list' | 'append' | 'events' | 'messages' | 'delete'>

function createSessionMethods({ read, write, writeToDisk }: Connection, tables: Tables, clock: Clock): SessionMethods {
  const { sessions, events, messages } = tables
  return {
    create: session =>
      write('Storing a session', () => {
        sessions.insert(session)
        const event = { type: 'session.created', session } as const
        sessions.touch(
          session.id,
          storeEvents(tables, session.id, [{ time: session.time.created, event }]),
          session.time.updated,
        )
      }),
    get: id => read('Reading a session', () => sessions.find(id)),
    list: (filter = {}) => read('Listing sessions', () => sessions.list(filter)),
    append: (id, added) => {
      const storeSafely = added.some(({ type }) => type === 'turn.ended') ? writeToDisk : write
      return storeSafely('Storing events', () => {
        if (added.length === 0) return sessions.lastSeq(id)
        const time = clock.now()
        const seq = storeEvents(
          tables,
          id,
          added.map(event => ({ time, event })),
        )
        sessions.touch(id, seq, time)
        return seq
      })
    },
    events: (id, after, limit) =>
      read('Reading events', () => {
        sessions.require(id)
        return events.read(id, after, limit)
      }),
    messages: id =>
      read('Reading messages', () => {
        sessions.require(id)
        return messages.read(id)
      }),
    delete: id => write('Deleting a session', () => sessions.remove(id)),
  }
}

function createCopyMethods(
  { read, write }: Connection,
  tables: Tables,
  clock: Clock,
): Pick<SessionStore, 'fork' | 'export' | 'import'> {
  const { sessions, events, messages } = tables
  return {
    fork: (id, session) =>
      write('Copying a session', () => {
        sessions.require(id)
        const time = clock.now()
        const copied = createForkEvents(messages.read(id), session).map(event => ({ time, event }))
        sessions.insert(session)
        sessions.touch(session.id, storeEvents(tables, session.id, copied), session.time.updated)
      }),
    export: id => read('Exporting a session', () => createSessionExport(sessions.require(id), events.read(id, 0))),
    import: async data => {
      // Only here: the schema library costs more to load than the whole store.
      const { parseSessionExport } = await import('../parse-session-export.ts')
      const { session, events: imported } = parseSessionExport(data)
      return write('Importing a session', () => importSession(tables, session, imported))
    },
  }
}

function importSession(tables: Tables, session: Session, events: readonly StoredEvent[]): Session {
  const { sessions } = tables
  sessions.insert(session)
  const seq = storeEvents(tables, session.id, events)
  // The export says how the session is now, whatever its events left of title, model and directory.
  sessions.update(session.id, session)
  sessions.touch(session.id, seq, session.time.updated)
  return session
}

function createTurnMethods(
  { write }: Connection,
  { sessions, turnOwners }: Tables,
): Pick<SessionStore, 'claimTurn' | 'releaseTurn'> {
  return {
    claimTurn: (id, owner, isAlive) =>
      write('Claiming a turn', () => {
        sessions.require(id)
        turnOwners.claim(id, owner, isAlive)
      }),
    releaseTurn: (id, owner) => write('Giving a turn back', () => turnOwners.release(id, owner)),
  }
}

function createApprovalMethods({ read, write }: Connection, { approvals }: Tables): ApprovalStore {
  return {
    listApprovals: (filter = {}) => read('Listing approvals', () => approvals.list(filter)),
    addApproval: approval => write('Storing an approval', () => approvals.add(approval)),
    revokeApproval: id => write('Revoking an approval', () => approvals.remove(id)),
  }
}

function createAuditMethods({ read, write }: Connection, { verdicts }: Tables): AuditStore {
  return {
    addVerdict: verdict => write('Writing the audit log', () => verdicts.add(verdict)),
    listVerdicts: (filter = {}) => read('Reading the audit log', () => verdicts.list(filter)),
  }
}

function createTrustMethods({ read, write }: Connection, { trust }: Tables): TrustStore {
  return {
    listTrust: () => read('Reading which projects are trusted', () => trust.list()),
    setTrust: said => write('Storing whether a project is trusted', () => trust.set(said)),
    removeTrust: path => write('Taking trust back', () => trust.remove(path)),
  }
}
