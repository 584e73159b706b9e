import type { DatabaseSync } from 'node:sqlite'
import type { StoredVerdict, VerdictFilter, VerdictRecord } from '@deckhand/core'
import { parseRecord } from './parse-record.ts'

/** The audit log of permissions. Each function is to be called inside a transaction. */
export interface VerdictTable {
  add(verdict: VerdictRecord): void
  list(filter: VerdictFilter): StoredVerdict[]
}

export function createVerdictTable(database: DatabaseSync): VerdictTable {
  const insert = database.prepare(
    'INSERT INTO verdict (time, session_id, call_id, tool, title, mode, action, parts, omitted_parts, answer) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  // A limit of -1 is none.
  const select = database.prepare('SELECT * FROM verdict ORDER BY seq DESC LIMIT ?')
  const selectSession = database.prepare('SELECT * FROM verdict WHERE session_id = ? ORDER BY seq DESC LIMIT ?')
  return {
    add: ({ time, sessionID, callID, tool, title, mode, action, parts, omittedParts, answer }) =>
      void insert.run(
        time,
        sessionID,
        callID,
        tool,
        title,
        mode,
        action,
        JSON.stringify(parts),
        omittedParts,
        answer === undefined ? null : JSON.stringify(answer),
      ),
    list: ({ sessionID, limit = -1 }) => {
      const rows = sessionID === undefined ? select.all(limit) : selectSession.all(sessionID, limit)
      return rows.map(toVerdict).reverse()
    },
  }
}

// One damaged column must not hide that there was a verdict.
function toVerdict(row: Readonly<Record<string, unknown>>): StoredVerdict {
  const parts = parseRecord<VerdictRecord['parts'] & object>(row.parts, Array.isArray)
  const answer =
    row.answer === null
      ? undefined
      : parseRecord<NonNullable<VerdictRecord['answer']>>(row.answer, ({ reply }) => typeof reply === 'string')
  return {
    seq: Number(row.seq),
    time: Number(row.time),
    sessionID: String(row.session_id),
    callID: String(row.call_id),
    tool: String(row.tool),
    title: String(row.title),
    mode: String(row.mode) as VerdictRecord['mode'],
    action: String(row.action) as VerdictRecord['action'],
    parts: parts ?? [],
    omittedParts: Number(row.omitted_parts),
    ...(answer && { answer }),
  }
}
