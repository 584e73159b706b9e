import type { Session, SessionExport, StoredEvent } from '@deckhand/core'

/**
 * A session as a file. Its events are numbered anew, and the first is made where it is missing: what is left of a
 * damaged session can be imported too.
 */
export function createSessionExport(session: Session, events: readonly StoredEvent[]): SessionExport {
  const created: StoredEvent = {
    sessionID: session.id,
    seq: 1,
    time: session.time.created,
    event: { type: 'session.created', session },
  }
  const whole = events[0]?.event.type === 'session.created' ? events : [created, ...events]
  return {
    format: 'deckhand-session',
    version: 1,
    session,
    events: whole.map((stored, index) => ({ ...stored, seq: index + 1 })),
  }
}
