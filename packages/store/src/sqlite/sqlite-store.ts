// Sessions in one SQLite file. Raw SQL: a query builder would double the start-up of a program that lives for one turn.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import {
  type Approval,
  type ApprovalStore,
  type Clock,
  createId,
  type Log,
  type Message,
  type MessageWithParts,
  type ModelRef,
  type Part,
  type Session,
  SessionError,
  type SessionEvent,
  type SessionID,
  type SessionStore,
  type SessionSummary,
  type StoredEvent,
  silentLog,
  systemClock,
  type TurnOwner,
} from '@deckhand/core'
import { createForkEvents } from '../fork-events.ts'
import { openDatabase, syncToDisk } from './open-database.ts'
import { createProjection } from './project-event.ts'
import { toStoreError } from './store-failure.ts'

export interface SqliteStoreOptions {
  /** Made with its folder where it is missing, 0600 and 0700. `:memory:` lives as long as the store. */
  readonly file: string
  readonly clock?: Clock
  /** Told of damaged records that were skipped. */
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
}: SqliteStoreOptions): Promise<SessionStore & ApprovalStore> {
  const database = await openDatabase(file)
  const project = createProjection(database)
  const sql = prepareStatements(database)
  let isClosed = false

  function guard<Result>(tried: string, act: () => Result): Promise<Result> {
    try {
      return Promise.resolve(act())
    } catch (error) {
      return Promise.reject(toStoreError(error, file, tried))
    }
  }

  /** All of it or nothing. IMMEDIATE takes the write lock at once: a later upgrade could fail without waiting. */
  function transaction<Result>(act: () => Result): Result {
    database.exec('BEGIN IMMEDIATE')
    try {
      const result = act()
      database.exec('COMMIT')
      return result
    } catch (error) {
      database.exec('ROLLBACK')
      throw error
    }
  }

  function requireSession(id: SessionID): Record<string, unknown> {
    const row = sql.session.get(id)
    if (!row)
      throw new SessionError(
        'not-found',
        `There is no session ${id}. "deckhand session list" shows those that there are.`,
        { id },
      )
    return row
  }

  function insert(session: Session): void {
    const { id, title, directory, parentID, model, time } = session
    if (sql.session.get(id))
      throw new SessionError('exists', `The session ${id} is here already. Delete it first, or leave it.`, { id })
    sql.insertSession.run(
      id,
      title,
      directory,
      parentID ?? null,
      model ? JSON.stringify(model) : null,
      time.created,
      time.updated,
    )
  }

  function write(id: SessionID, events: readonly SessionEvent[], times?: readonly number[]): number {
    let seq = Number(requireSession(id).seq)
    const now = clock.now()
    events.forEach((event, index) => {
      seq++
      sql.insertEvent.run(id, seq, times?.[index] ?? now, event.type, JSON.stringify(event))
      project(id, event)
    })
    sql.touch.run(seq, times?.at(-1) ?? now, id)
    return seq
  }

  /** Rows whose JSON is broken are skipped and told: one bad record must not hide all the good ones. */
  function parseRows<Value>(rows: Iterable<Record<string, unknown>>, what: string, id: SessionID): Value[] {
    const values: Value[] = []
    let skipped = 0
    for (const { data } of rows) {
      try {
        values.push(JSON.parse(String(data)) as Value)
      } catch {
        skipped++
      }
    }
    if (skipped > 0)
      log.warn(`${skipped} damaged ${what}${skipped === 1 ? ' was' : 's were'} skipped`, { session: id, file })
    return values
  }

  function readMessages(id: SessionID): MessageWithParts[] {
    requireSession(id)
    const infos = parseRows<Message>(sql.messages.iterate(id), 'message', id)
    const parts = Map.groupBy(parseRows<Part>(sql.parts.iterate(id), 'part', id), part => part.messageID)
    return infos.map(info => ({ info, parts: parts.get(info.id) ?? [] }))
  }

  function readEvents(id: SessionID, after: number, limit: number): StoredEvent[] {
    requireSession(id)
    const events: StoredEvent[] = []
    for (const row of sql.events.iterate(id, after, limit)) {
      const [event] = parseRows<SessionEvent>([row], 'event', id)
      if (event) events.push({ sessionID: id, seq: Number(row.seq), time: Number(row.time), event })
    }
    return events
  }

  return {
    create: session =>
      guard('Storing a session', () =>
        transaction(() => {
          insert(session)
          write(session.id, [{ type: 'session.created', session }], [session.time.created])
        }),
      ),

    get: id =>
      guard('Reading a session', () => {
        const row = sql.session.get(id)
        return row && toSession(row)
      }),

    list: ({ directory, limit = -1 } = {}) =>
      guard('Listing sessions', () =>
        (directory === undefined ? sql.list.all(limit) : sql.listOfDirectory.all(directory, limit)).map(toSummary),
      ),

    append: (id, events) =>
      guard('Storing events', () => {
        const store = () => transaction(() => write(id, events))
        return events.some(({ type }) => type === 'turn.ended') ? syncToDisk(database, store) : store()
      }),

    events: (id, after, limit = -1) => guard('Reading events', () => readEvents(id, after, limit)),

    messages: id => guard('Reading messages', () => readMessages(id)),

    fork: (id, session) =>
      guard('Copying a session', () =>
        transaction(() => {
          const events = createForkEvents(readMessages(id), session)
          insert(session)
          write(session.id, [{ type: 'session.created', session }, ...events])
        }),
      ),

    export: id =>
      guard('Exporting a session', () => ({
        format: 'deckhand-session' as const,
        version: 1 as const,
        session: toSession(requireSession(id)),
        events: readEvents(id, 0, -1),
      })),

    import: async data => {
      const { parseSessionExport } = await import('../export-schema.ts')
      const { session, events } = parseSessionExport(data)
      return guard('Importing a session', () =>
        transaction(() => {
          insert(session)
          write(
            session.id,
            events.map(({ event }) => event),
            events.map(({ time }) => time),
          )
          return session
        }),
      )
    },

    delete: id =>
      guard('Deleting a session', () =>
        transaction(() => {
          requireSession(id)
          sql.deleteSession.run(id)
        }),
      ),

    claimTurn: (id, owner, isAlive) =>
      guard('Claiming a turn', () =>
        transaction(() => {
          requireSession(id)
          const row = sql.owner.get(id)
          if (row && isAlive(toOwner(row))) throw createBusyError(id, toOwner(row))
          sql.setOwner.run(id, owner.pid, owner.processStart, owner.host, owner.since)
        }),
      ),

    releaseTurn: (id, owner) =>
      guard(
        'Giving a turn back',
        () => void sql.releaseOwner.run(id, owner.pid, owner.processStart, owner.host, owner.since),
      ),

    listApprovals: ({ sessionID, directory } = {}) =>
      guard('Listing approvals', () =>
        sql.approvals
          .all()
          .map(toApproval)
          .filter(({ scope, subject }) => isInScope(scope, subject, sessionID, directory)),
      ),

    addApproval: approval =>
      guard('Storing an approval', () => {
        const { permission, pattern, action, scope, subject, createdAt, createdBy } = approval
        const id = createId('permission')
        sql.addApproval.run(id, permission, pattern, action, scope, subject, createdAt, createdBy)
        return toApproval(sql.sameApproval.get(permission, pattern, action, scope, subject) ?? {})
      }),

    revokeApproval: id => guard('Revoking an approval', () => sql.revokeApproval.run(id).changes > 0),

    close: async () => {
      if (isClosed) return
      isClosed = true
      database.close()
    },
  }
}

function prepareStatements(database: DatabaseSync) {
  const prepare = (text: string): StatementSync => database.prepare(text)
  const newestFirst = 'ORDER BY updated DESC, id DESC LIMIT ?'
  return {
    session: prepare('SELECT * FROM session WHERE id = ?'),
    insertSession: prepare(
      'INSERT INTO session (id, title, directory, parent_id, model, created, updated) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ),
    deleteSession: prepare('DELETE FROM session WHERE id = ?'),
    touch: prepare('UPDATE session SET seq = ?, updated = ? WHERE id = ?'),
    list: prepare(`SELECT * FROM session ${newestFirst}`),
    listOfDirectory: prepare(`SELECT * FROM session WHERE directory = ? ${newestFirst}`),
    insertEvent: prepare('INSERT INTO event (session_id, seq, time, type, data) VALUES (?, ?, ?, ?, ?)'),
    events: prepare('SELECT seq, time, data FROM event WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?'),
    messages: prepare('SELECT data FROM message WHERE session_id = ? ORDER BY ord'),
    parts: prepare('SELECT data FROM part WHERE session_id = ? ORDER BY ord'),
    owner: prepare('SELECT * FROM turn_owner WHERE session_id = ?'),
    setOwner: prepare(
      'INSERT OR REPLACE INTO turn_owner (session_id, pid, process_start, host, since) VALUES (?, ?, ?, ?, ?)',
    ),
    releaseOwner: prepare(
      'DELETE FROM turn_owner WHERE session_id = ? AND pid = ? AND process_start = ? AND host = ? AND since = ?',
    ),
    approvals: prepare('SELECT * FROM approval ORDER BY created_at, id'),
    addApproval: prepare(
      'INSERT OR IGNORE INTO approval (id, permission, pattern, action, scope, subject, created_at, created_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    sameApproval: prepare(
      'SELECT * FROM approval WHERE permission = ? AND pattern = ? AND action = ? AND scope = ? AND subject = ?',
    ),
    revokeApproval: prepare('DELETE FROM approval WHERE id = ?'),
  }
}

function toSession(row: Record<string, unknown>): Session {
  return {
    id: String(row.id) as SessionID,
    title: String(row.title),
    directory: String(row.directory),
    ...(row.parent_id !== null && { parentID: String(row.parent_id) as SessionID }),
    ...(row.model !== null && { model: JSON.parse(String(row.model)) as ModelRef }),
    time: { created: Number(row.created), updated: Number(row.updated) },
  }
}

function toSummary(row: Record<string, unknown>): SessionSummary {
  return {
    ...toSession(row),
    messages: Number(row.messages),
    tokens: {
      total: Number(row.tokens_total),
      input: Number(row.tokens_input),
      output: Number(row.tokens_output),
      reasoning: Number(row.tokens_reasoning),
      cache: { read: Number(row.tokens_cache_read), write: Number(row.tokens_cache_write) },
    },
    cost: Number(row.cost),
  }
}

function toOwner(row: Record<string, unknown>): TurnOwner {
  return {
    pid: Number(row.pid),
    processStart: String(row.process_start),
    host: String(row.host),
    since: Number(row.since),
  }
}

function createBusyError(id: SessionID, owner: TurnOwner): SessionError {
  return new SessionError(
    'busy',
    `The session ${id} is busy: process ${owner.pid} on ${owner.host} has been working on it since ${new Date(owner.since).toISOString()}. Wait for it, end it, or go on in a copy with --fork.`,
    { id, owner },
  )
}

function toApproval(row: Record<string, unknown>): Approval {
  return {
    id: String(row.id),
    permission: String(row.permission) as Approval['permission'],
    pattern: String(row.pattern),
    action: String(row.action) as Approval['action'],
    scope: String(row.scope) as Approval['scope'],
    subject: String(row.subject),
    createdAt: Number(row.created_at),
    createdBy: String(row.created_by),
  }
}

function isInScope(scope: Approval['scope'], subject: string, sessionID?: string, directory?: string): boolean {
  if (scope === 'user' || (sessionID === undefined && directory === undefined)) return true
  return subject === (scope === 'session' ? sessionID : directory)
}
