import type { SessionID } from './id.ts'
import type { ModelRef, TokenUsage } from './message.ts'

/** A conversation with a folder. */
export interface Session {
  readonly id: SessionID
  readonly title: string
  /** Absolute path of the workspace. */
  readonly directory: string
  readonly parentID?: SessionID
  readonly model?: ModelRef
  readonly time: { readonly created: number; readonly updated: number }
}

/** A session with its sums, for lists. */
export interface SessionSummary extends Session {
  readonly messages: number
  readonly tokens: TokenUsage
  readonly cost: number
}
