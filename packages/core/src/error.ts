/**
 * The errors of Deckhand. A class says who failed; `code` says which case; `data` holds the facts.
 * Each message says what was tried, what was found, and what to do next.
 * Anything thrown that is not a DeckhandError is a bug of ours, or a cancellation.
 */
export abstract class DeckhandError<Code extends string = string> extends Error {
  readonly code: Code
  readonly data: Readonly<Record<string, unknown>>

  constructor(
    code: Code,
    message: string,
    data: Readonly<Record<string, unknown>> = {},
    options?: { cause?: unknown },
  ) {
    super(message, options)
    this.name = new.target.name
    this.code = code
    this.data = data
  }
}

export type ToolFailureCode =
  | 'invalid-input'
  | 'not-found'
  | 'not-a-file'
  | 'not-read'
  | 'changed-on-disk'
  | 'no-match'
  | 'ambiguous'
  | 'unsupported'
  | 'too-large'
  | 'io'
  | 'unknown-tool'
  | 'plugin'

/** A tool could not do what was asked, and the model can do better next time: the message is its tool result. */
export class ToolFailure extends DeckhandError<ToolFailureCode> {}

/**
 * Why a permission was not given. The model is to act differently on each:
 * a rule said no; a person said no; a person said no and why; nobody was there to ask; the mode forbids it;
 * the question ran out of time; a plugin said no and why.
 */
export type DenialCode = 'rule' | 'rejected' | 'rejected-with-words' | 'nobody-to-ask' | 'mode' | 'expired' | 'plugin'

/** A tool was not allowed to act. Nothing was done. The message is the tool result for the model. */
export class PermissionDenied extends DeckhandError<DenialCode> {}

export type ProviderErrorCode =
  | 'auth'
  | 'rate-limit'
  | 'overloaded'
  | 'server'
  | 'timeout'
  | 'network'
  | 'stream-cut'
  | 'context-limit'
  | 'content-filter'
  | 'bad-request'
  | 'not-found'
  | 'quota'
  | 'bad-response'
  | 'script'
  | 'replay-differs'

export interface ProviderErrorFacts {
  readonly provider: string
  readonly model: string
  /** HTTP status, where there was an answer. */
  readonly status?: number
  /** May the same request be sent again? */
  readonly retryable: boolean
  /** The server's own wish (Retry-After and its like), in milliseconds from now. */
  readonly retryAfterMs?: number
  /** Start of the answer's body, without secrets; at most 2,000 characters. */
  readonly body?: string
  readonly url?: string
}

/** The model provider refused, failed or fell silent. */
export class ProviderError extends DeckhandError<ProviderErrorCode> {
  readonly facts: ProviderErrorFacts

  constructor(code: ProviderErrorCode, message: string, facts: ProviderErrorFacts, options?: { cause?: unknown }) {
    super(code, message, { ...facts }, options)
    this.facts = facts
  }
}

export type ConfigErrorCode =
  | 'unreadable'
  | 'invalid'
  | 'unknown-key'
  | 'missing-secret'
  | 'no-model'
  | 'unknown-model'
  | 'plugin'

/** Configuration can't be used as it is: the message names the file, the place in it, and the fix. */
export class ConfigError extends DeckhandError<ConfigErrorCode> {}

/** The command line was used wrongly; the program ends with exit code 2. */
export class UsageError extends DeckhandError<'usage'> {
  constructor(message: string, data?: Readonly<Record<string, unknown>>) {
    super('usage', message, data)
  }
}

export type SessionErrorCode = 'not-found' | 'busy' | 'invalid-import' | 'exists'

/** A session is not there, or another turn holds it. */
export class SessionError extends DeckhandError<SessionErrorCode> {}

export type StoreErrorCode = 'newer-schema' | 'damaged' | 'locked' | 'full' | 'io'

/** The store can't be opened, read or written: the message names the file and the way out. */
export class StoreError extends DeckhandError<StoreErrorCode> {}

/** Is this how an aborted signal shows itself? Cancellation travels up untouched; it is no failure. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')
}

/** The words of anything thrown, for a person. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
