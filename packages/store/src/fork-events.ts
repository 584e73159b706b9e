import { createId, type MessageWithParts, type Session, type SessionEvent } from '@deckhand/core'

/** All events of a session that is a copy of `history`: the same messages and parts in the same order, with new ids. */
export function createForkEvents(history: readonly MessageWithParts[], session: Session): SessionEvent[] {
  return [
    { type: 'session.created', session },
    ...history.flatMap(({ info, parts }): SessionEvent[] => {
      const messageID = createId('message')
      const owner = { messageID, sessionID: session.id }
      return [
        { type: 'message.updated', message: { ...info, id: messageID, sessionID: session.id } },
        ...parts.map(
          (part): SessionEvent => ({ type: 'part.updated', part: { ...part, id: createId('part'), ...owner } }),
        ),
      ]
    }),
  ]
}
