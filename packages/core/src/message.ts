import type { MessageID, PartID, SessionID } from './id.ts'

/**
 * Messages and their parts. Field names and nesting are those of OpenCode 1.18, as `run --format json` prints parts
 * as they are stored and a consumer written for its lines is to read ours.
 */
export type Part = TextPart | ReasoningPart | ToolPart | FilePart | StepStartPart | StepFinishPart

interface PartBase {
  readonly id: PartID
  readonly messageID: MessageID
  readonly sessionID: SessionID
}

export interface TimeSpan {
  readonly start: number
  readonly end: number
}

/** What a provider wants back unchanged with the next request (signatures, item ids), by provider name. */
export type ProviderMetadata = Readonly<Record<string, Readonly<Record<string, unknown>>>>

export interface TextPart extends PartBase {
  readonly type: 'text'
  readonly text: string
  readonly time: TimeSpan
  /** Written by Deckhand, not by the person or the model: a note, an attached file's content. */
  readonly synthetic?: boolean
  /** The stream was cut here; the text is what had come. */
  readonly interrupted?: boolean
  readonly metadata?: ProviderMetadata
}

export interface ReasoningPart extends PartBase {
  readonly type: 'reasoning'
  readonly text: string
  readonly time: TimeSpan
  readonly metadata?: ProviderMetadata
}

export interface FilePart extends PartBase {
  readonly type: 'file'
  /** MIME type by content. */
  readonly mime: string
  readonly filename: string
  /** A data URL. */
  readonly url: string
}

export interface StepStartPart extends PartBase {
  readonly type: 'step-start'
  /** Git tree of the workspace; always absent for now: snapshots come with undo. */
  readonly snapshot?: string
}

export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'error' | 'cancelled' | 'other'

/** `input` is without cached tokens; `total` = input + cache.read + cache.write + output. */
export interface TokenUsage {
  readonly total: number
  readonly input: number
  readonly output: number
  readonly reasoning: number
  readonly cache: { readonly read: number; readonly write: number }
}

export interface StepFinishPart extends PartBase {
  readonly type: 'step-finish'
  readonly reason: FinishReason
  readonly tokens: TokenUsage
  /** US dollars; 0 where the price is not known. */
  readonly cost: number
  readonly snapshot?: string
}

export interface Attachment {
  readonly mime: string
  readonly filename?: string
  /** A data URL. */
  readonly url: string
}

export type ToolState =
  | { readonly status: 'pending'; readonly input: unknown; readonly time: { readonly start: number } }
  | {
      readonly status: 'running'
      readonly input: unknown
      readonly title?: string
      readonly metadata?: Readonly<Record<string, unknown>>
      readonly time: { readonly start: number }
    }
  | {
      readonly status: 'completed'
      readonly input: unknown
      readonly output: string
      readonly title: string
      readonly metadata: Readonly<Record<string, unknown>>
      readonly attachments?: readonly Attachment[]
      readonly time: TimeSpan
    }
  | {
      readonly status: 'error'
      readonly input: unknown
      readonly error: string
      readonly metadata?: Readonly<Record<string, unknown>>
      readonly time: TimeSpan
    }

export interface ToolPart extends PartBase {
  readonly type: 'tool'
  readonly tool: string
  readonly callID: string
  readonly state: ToolState
  readonly metadata?: ProviderMetadata
}

interface MessageBase {
  readonly id: MessageID
  readonly sessionID: SessionID
  readonly time: { readonly created: number; readonly completed?: number }
}

export interface UserMessage extends MessageBase {
  readonly role: 'user'
  readonly agent: string
  readonly model: ModelRef
}

export interface AssistantMessage extends MessageBase {
  readonly role: 'assistant'
  readonly agent: string
  readonly model: ModelRef
  readonly tokens: TokenUsage
  readonly cost: number
  readonly finish?: FinishReason
  readonly error?: ErrorFacts
}

export type Message = UserMessage | AssistantMessage

/** An error as it is stored and printed: OpenCode's shape. */
export interface ErrorFacts {
  readonly name: string
  readonly data: Readonly<Record<string, unknown>> & { readonly message: string }
}

/** Which model: `provider/model`, taken apart at the first slash. */
export interface ModelRef {
  readonly providerID: string
  readonly modelID: string
}

export interface MessageWithParts {
  readonly info: Message
  readonly parts: readonly Part[]
}

export const noTokens: TokenUsage = { total: 0, input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }

/** Sums two usages, field by field. */
export function addTokens(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    total: a.total + b.total,
    input: a.input + b.input,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
    cache: { read: a.cache.read + b.cache.read, write: a.cache.write + b.cache.write },
  }
}
