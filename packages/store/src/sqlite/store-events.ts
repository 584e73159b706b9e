import type { SessionEvent, SessionID } from '@deckhand/core'
import type { EventTable } from './event-table.ts'
import type { MessageTable } from './message-table.ts'
import type { SessionTable } from './session-table.ts'

interface Tables {
  readonly sessions: SessionTable
  readonly events: EventTable
  readonly messages: MessageTable
}

/**
 * Appends events to a session's log and applies them to the tables of current state, in the caller's transaction.
 * Gives the number of the last.
 */
export function storeEvents(
  tables: Tables,
  id: SessionID,
  added: readonly { readonly time: number; readonly event: SessionEvent }[],
): number {
  let seq = tables.sessions.lastSeq(id)
  for (const { time, event } of added) {
    seq++
    tables.events.insert({ sessionID: id, seq, time, event })
    applyEvent(tables, id, event)
  }
  return seq
}

function applyEvent({ sessions, messages }: Tables, id: SessionID, event: SessionEvent): void {
  switch (event.type) {
    case 'session.updated':
      sessions.update(id, event.changes)
      break
    case 'message.updated':
      messages.put(id, event.message)
      break
    case 'part.updated':
      messages.putPart(id, event.part)
      break
    case 'session.created':
    case 'permission.asked':
    case 'permission.answered':
    case 'retry':
    case 'notice':
    case 'turn.started':
    case 'turn.ended':
      break
  }
}
