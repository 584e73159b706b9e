import type { PermissionID, SessionID, TurnID } from './id.ts'
import type { ErrorFacts, Message, Part, TokenUsage } from './message.ts'
import type { PermissionAnswer, PermissionQuestion } from './permission/question.ts'
import type { Session } from './session.ts'

/**
 * What happened in a session, in order. Events are appended and never changed; the tables of messages and parts are
 * what they add up to. An event is told to anyone only after it was stored.
 */
export type SessionEvent =
  | { readonly type: 'session.created'; readonly session: Session }
  | { readonly type: 'session.updated'; readonly changes: Partial<Pick<Session, 'title' | 'model' | 'directory'>> }
  | { readonly type: 'message.updated'; readonly message: Message }
  /** Adds the part, or replaces the one with its id. */
  | { readonly type: 'part.updated'; readonly part: Part }
  | { readonly type: 'permission.asked'; readonly id: PermissionID; readonly question: PermissionQuestion }
  | { readonly type: 'permission.answered'; readonly id: PermissionID; readonly answer: PermissionAnswer }
  | {
      readonly type: 'retry'
      readonly attempt: number
      readonly maxAttempts: number
      readonly delayMs: number
      readonly error: ErrorFacts
    }
  /** Something a person should know, that is no failure. */
  | { readonly type: 'notice'; readonly code: string; readonly message: string }
  | { readonly type: 'turn.started'; readonly turnID: TurnID }
  | { readonly type: 'turn.ended'; readonly turnID: TurnID; readonly outcome: TurnOutcome }

/** How a turn ended: exactly one per turn that started, except where the process was killed. */
export type TurnOutcome = {
  readonly text: string
  readonly tokens: TokenUsage
  readonly cost: number
  readonly steps: number
  /** Questions that were answered "no" since nobody could be asked. */
  readonly unanswered: number
} & (
  | { readonly reason: 'done' }
  | { readonly reason: 'step-limit'; readonly limit: number }
  | { readonly reason: 'time-limit'; readonly limitMs: number }
  | { readonly reason: 'doom-loop'; readonly tool: string; readonly times: number }
  | { readonly reason: 'output-limit' }
  | { readonly reason: 'cancelled' }
  | { readonly reason: 'error'; readonly error: ErrorFacts }
)

export interface StoredEvent {
  readonly sessionID: SessionID
  /** 1 for a session's first event, then without gaps. */
  readonly seq: number
  readonly time: number
  readonly event: SessionEvent
}
