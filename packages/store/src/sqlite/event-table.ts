import type { DatabaseSync } from 'node:sqlite'
import type { SessionEvent, SessionID, StoredEvent } from '@deckhand/core'
import type { ReportDamage } from './damage.ts'
import { parseRecord } from './parse-record.ts'

/** The append-only log of each session. Each function is to be called inside a transaction. */
export interface EventTable {
  insert(stored: StoredEvent): void
  /** Oldest first, at most `limit` good ones: damaged events are passed over, so an empty page is always the end. */
  read(id: SessionID, after: number, limit?: number): StoredEvent[]
}

export function createEventTable(database: DatabaseSync, reportDamage: ReportDamage): EventTable {
  const insert = database.prepare('INSERT INTO event (session_id, seq, time, type, data) VALUES (?, ?, ?, ?, ?)')
  const select = database.prepare('SELECT seq, time, data FROM event WHERE session_id = ? AND seq > ? ORDER BY seq')
  return {
    insert: ({ sessionID, seq, time, event }) =>
      void insert.run(sessionID, seq, time, event.type, JSON.stringify(event)),
    read: (id, after, limit = Number.POSITIVE_INFINITY) => {
      const events: StoredEvent[] = []
      let skipped = 0
      if (limit <= 0) return events
      for (const { seq, time, data } of select.iterate(id, after)) {
        const event = parseRecord<SessionEvent>(data, ({ type }) => typeof type === 'string')
        if (event) events.push({ sessionID: id, seq: Number(seq), time: Number(time), event })
        else skipped++
        if (events.length >= limit) break
      }
      reportDamage({ session: id, kind: 'event', restored: 0, skipped })
      return events
    },
  }
}
