import { createId, type MessageWithParts, type Session, type SessionEvent } from '@deckhand/core'

/** The events that make `session` a copy of a history: the same messages and parts in the same order, with new ids. */
export function createForkEvents(history: readonly MessageWithParts[], session: Session): SessionEvent[] {
  return history.flatMap(({ info, parts }): SessionEvent[] => {
    const messageID = createId('message')
    const message = { ...info, id: messageID, sessionID: session.id }
    return [
      { type: 'message.updated', message },
      ...parts.map(
        (part): SessionEvent => ({
          type: 'part.updated',
          part: { ...part, id: createId('part'), messageID, sessionID: session.id },
        }),
      ),
    ]
  })
}
