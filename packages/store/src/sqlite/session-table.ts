import type { DatabaseSync } from 'node:sqlite'
import {
  type ModelRef,
  type Session,
  SessionError,
  type SessionFilter,
  type SessionID,
  type SessionSummary,
} from '@deckhand/core'
import type { ReportDamage } from './damage.ts'
import { parseRecord } from './parse-record.ts'

type Row = Readonly<Record<string, unknown>>

/** Sessions with their sums. Each function is to be called inside a transaction. */
export interface SessionTable {
  find(id: SessionID): Session | undefined
  /** Throws SessionError `not-found`. */
  require(id: SessionID): Session
  list(filter: SessionFilter): SessionSummary[]
  /** Throws SessionError `exists`. */
  insert(session: Session): void
  update(id: SessionID, changes: Partial<Pick<Session, 'title' | 'model' | 'directory'>>): void
  /** With its events, messages, parts, turn owner and the approvals that held for it alone. */
  remove(id: SessionID): void
  /** The number of the session's last event. Throws SessionError `not-found`. */
  lastSeq(id: SessionID): number
  touch(id: SessionID, seq: number, updated: number): void
}

export function createSessionTable(database: DatabaseSync, reportDamage: ReportDamage): SessionTable {
  const statements = prepareStatements(database)
  const requireRow = (id: SessionID): Row => {
    const row = statements.find.get(id)
    if (row) return row
    throw new SessionError(
      'not-found',
      `There is no session ${id}. "deckhand session list" shows those that there are.`,
      { id },
    )
  }
  return {
    find: id => {
      const row = statements.find.get(id)
      return row && toSession(row, reportDamage)
    },
    require: id => toSession(requireRow(id), reportDamage),
    list: ({ directory, limit = -1 }) =>
      (directory === undefined ? statements.list.all(limit) : statements.listOfDirectory.all(directory, limit)).map(
        row => toSummary(row, reportDamage),
      ),
    insert: ({ id, title, directory, parentID, model, time }) => {
      if (statements.find.get(id))
        throw new SessionError('exists', `The session ${id} is here already. Delete it first, or leave it.`, { id })
      const modelText = model ? JSON.stringify(model) : null
      statements.insert.run(id, title, directory, parentID ?? null, modelText, time.created, time.updated)
    },
    update: (id, { title, model, directory }) => {
      if (title !== undefined) statements.title.run(title, id)
      if (model !== undefined) statements.model.run(JSON.stringify(model), id)
      if (directory !== undefined) statements.directory.run(directory, id)
    },
    remove: id => {
      requireRow(id)
      statements.remove.run(id)
      statements.removeApprovals.run(id)
    },
    lastSeq: id => Number(requireRow(id).seq),
    touch: (id, seq, updated) => void statements.touch.run(seq, updated, id),
  }
}

function prepareStatements(database: DatabaseSync) {
  const newestFirst = 'ORDER BY updated DESC, id DESC LIMIT ?'
  return {
    find: database.prepare('SELECT * FROM session WHERE id = ?'),
    list: database.prepare(`SELECT * FROM session ${newestFirst}`),
    listOfDirectory: database.prepare(`SELECT * FROM session WHERE directory = ? ${newestFirst}`),
    insert: database.prepare(
      'INSERT INTO session (id, title, directory, parent_id, model, created, updated) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ),
    title: database.prepare('UPDATE session SET title = ? WHERE id = ?'),
    model: database.prepare('UPDATE session SET model = ? WHERE id = ?'),
    directory: database.prepare('UPDATE session SET directory = ? WHERE id = ?'),
    remove: database.prepare('DELETE FROM session WHERE id = ?'),
    removeApprovals: database.prepare("DELETE FROM approval WHERE scope = 'session' AND subject = ?"),
    touch: database.prepare('UPDATE session SET seq = ?, updated = ? WHERE id = ?'),
  }
}

function toSession(row: Row, reportDamage: ReportDamage): Session {
  const id = String(row.id) as SessionID
  const model = row.model === null ? undefined : parseRecord<ModelRef>(row.model, isModelRef)
  if (row.model !== null && !model) reportDamage({ session: id, kind: 'model', restored: 0, skipped: 1 })
  return {
    id,
    title: String(row.title),
    directory: String(row.directory),
    ...(row.parent_id !== null && { parentID: String(row.parent_id) as SessionID }),
    ...(model && { model }),
    time: { created: Number(row.created), updated: Number(row.updated) },
  }
}

function isModelRef({ providerID, modelID }: Row): boolean {
  return typeof providerID === 'string' && typeof modelID === 'string'
}

function toSummary(row: Row, reportDamage: ReportDamage): SessionSummary {
  return {
    ...toSession(row, reportDamage),
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
