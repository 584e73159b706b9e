import type { SessionEvent, StoredEvent } from '../event.ts'
import type { SessionID } from '../id.ts'
import type { MessageWithParts } from '../message.ts'
import type { Session, SessionSummary } from '../session.ts'

/** Who holds a session's turn. `processStart` tells a reused pid from the process that was meant. */
export interface TurnOwner {
  readonly pid: number
  readonly processStart: string
  readonly host: string
  readonly since: number
}

export interface SessionFilter {
  readonly directory?: string
  /** Newest first; without it, all. */
  readonly limit?: number
}

/** A session as a file: everything needed to take it to another machine. */
export interface SessionExport {
  readonly format: 'deckhand-session'
  readonly version: 1
  readonly session: Session
  readonly events: readonly StoredEvent[]
}

/**
 * Keeps sessions. What `append` has resolved for survives a `kill -9` of the process; with a `turn.ended` among the
 * events, it and all before it survive a loss of power too. Whatever is lost then is the end: no hole, no half record.
 * Every method may throw StoreError; those that take an id throw SessionError `not-found` unless they say otherwise.
 */
export interface SessionStore {
  /** Makes the session with its `session.created` event. Throws SessionError `exists`. */
  create(session: Session): Promise<void>
  /** Undefined when there is none. */
  get(id: SessionID): Promise<Session | undefined>
  /** Newest change first. */
  list(filter?: SessionFilter): Promise<readonly SessionSummary[]>
  /** Stores the events in order in one transaction (all or none) and gives the sequence number of the last. */
  append(id: SessionID, events: readonly SessionEvent[]): Promise<number>
  /** Events with a sequence number above `after`, oldest first, at most `limit`. */
  events(id: SessionID, after: number, limit?: number): Promise<readonly StoredEvent[]>
  /** Messages with their parts, oldest first. */
  messages(id: SessionID): Promise<readonly MessageWithParts[]>
  /** A new session with all messages and parts of this one under new ids; the old one stays as it is. */
  fork(id: SessionID, session: Session): Promise<void>
  export(id: SessionID): Promise<SessionExport>
  /** Takes an export, checked whole before anything is stored. Throws SessionError `invalid-import` or `exists`. */
  import(data: unknown): Promise<Session>
  delete(id: SessionID): Promise<void>
  /**
   * Takes the session's turn for `owner`. Throws SessionError `busy`, with the owner in its data, when another holds it
   * and `isAlive(owner)` says that it lives.
   */
  claimTurn(id: SessionID, owner: TurnOwner, isAlive: (owner: TurnOwner) => boolean): Promise<void>
  /** Gives the turn back; nothing happens when `owner` does not hold it. */
  releaseTurn(id: SessionID, owner: TurnOwner): Promise<void>
  /** Closing twice is fine. */
  close(): Promise<void>
}
