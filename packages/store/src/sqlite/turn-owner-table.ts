import type { DatabaseSync } from 'node:sqlite'
import { SessionError, type SessionID, type TurnOwner } from '@deckhand/core'

/** Who holds each session's turn. Each function is to be called inside a transaction. */
export interface TurnOwnerTable {
  /** Throws SessionError `busy` when the present owner lives. */
  claim(id: SessionID, owner: TurnOwner, isAlive: (owner: TurnOwner) => boolean): void
  release(id: SessionID, owner: TurnOwner): void
}

export function createTurnOwnerTable(database: DatabaseSync): TurnOwnerTable {
  const select = database.prepare('SELECT * FROM turn_owner WHERE session_id = ?')
  const replace = database.prepare(
    'INSERT OR REPLACE INTO turn_owner (session_id, pid, process_start, host, since) VALUES (?, ?, ?, ?, ?)',
  )
  const remove = database.prepare(
    'DELETE FROM turn_owner WHERE session_id = ? AND pid = ? AND process_start = ? AND host = ? AND since = ?',
  )
  return {
    claim: (id, owner, isAlive) => {
      const row = select.get(id)
      // An owner that is the same to the last field is busy too: two turns of one process may start in one millisecond.
      if (row && isAlive(toOwner(row))) throw createBusyError(id, toOwner(row))
      replace.run(id, owner.pid, owner.processStart, owner.host, owner.since)
    },
    release: (id, { pid, processStart, host, since }) => void remove.run(id, pid, processStart, host, since),
  }
}

function toOwner(row: Readonly<Record<string, unknown>>): TurnOwner {
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
