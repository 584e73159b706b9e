import type { SessionEvent, SessionID, SessionStore } from '@deckhand/core'

/** What is shown while it happens and never stored: the events that follow hold it whole. */
export type LiveEvent =
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  /** One text of the answer is whole; what follows is another. */
  | { readonly type: 'text-end' }
  /** What came so far will come again: the stream broke, and the request is sent once more. */
  | { readonly type: 'text-reset' }
  | {
      readonly type: 'tool-progress'
      readonly callID: string
      readonly title?: string
      readonly metadata?: Readonly<Record<string, unknown>>
    }

/** Who follows a turn. Must not throw. */
export interface TurnListener {
  /** Told after the event was stored, in the order of the store. */
  onEvent(event: SessionEvent): void
  onLive?(event: LiveEvent): void
}

/**
 * Writes a session's events: first into the store, then to the listener, one after the other, so that nothing is told
 * that could still be lost. Rejects with the store's error; nothing was told of those events then.
 */
export interface SessionRecorder {
  readonly sessionID: SessionID
  record(...events: SessionEvent[]): Promise<void>
  live(event: LiveEvent): void
}

/** Makes the recorder of one session. */
export function createSessionRecorder(
  store: SessionStore,
  sessionID: SessionID,
  listener: TurnListener,
): SessionRecorder {
  let queue: Promise<unknown> = Promise.resolve()
  return {
    sessionID,
    record(...events) {
      const done = queue.then(async () => {
        await store.append(sessionID, events)
        for (const event of events) listener.onEvent(event)
      })
      // A failed write is thrown to its own caller; the next one is tried all the same.
      queue = done.catch(() => undefined)
      return done
    },
    live: event => listener.onLive?.(event),
  }
}
