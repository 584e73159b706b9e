import type { FinishReason, ProviderMetadata, TokenUsage, ToolSpec } from '@deckhand/core'

/**
 * A model that can be asked. The loop knows no more of providers than this: real ones come through the AI SDK's
 * provider packages (`ai-sdk/`), and two need no network: `scripted/` and `replay/`.
 */
export interface ModelProvider {
  readonly providerID: string
  readonly modelID: string
  readonly capabilities: ModelCapabilities
  /**
   * Sends one request and yields what comes, in order, ending with exactly one `finish`.
   * Throws ProviderError for whatever goes wrong (also in the middle), and the signal's reason when aborted.
   * Never retries by itself: the loop does, visibly.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>
}

export interface ModelCapabilities {
  /** Unknown where the provider does not say. */
  readonly contextTokens?: number
  readonly outputTokens?: number
  readonly acceptsImages: boolean
  /** US dollars for a million tokens. */
  readonly price?: {
    readonly input: number
    readonly output: number
    readonly cacheRead: number
    readonly cacheWrite: number
  }
}

export interface ModelRequest {
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ToolSpec[]
  readonly sessionID: string
}

export type ModelMessage =
  | { readonly role: 'user'; readonly content: readonly (ModelText | ModelFile)[] }
  | { readonly role: 'assistant'; readonly content: readonly (ModelText | ModelReasoning | ModelToolCall)[] }
  | { readonly role: 'tool'; readonly content: readonly ModelToolResult[] }

export interface ModelText {
  readonly type: 'text'
  readonly text: string
  readonly metadata?: ProviderMetadata
}
export interface ModelReasoning {
  readonly type: 'reasoning'
  readonly text: string
  readonly metadata?: ProviderMetadata
}
export interface ModelFile {
  readonly type: 'file'
  readonly mime: string
  readonly filename?: string
  /** A data URL. */
  readonly url: string
}
export interface ModelToolCall {
  readonly type: 'tool-call'
  readonly callID: string
  readonly tool: string
  readonly input: unknown
  readonly metadata?: ProviderMetadata
}
export interface ModelToolResult {
  readonly type: 'tool-result'
  readonly callID: string
  readonly tool: string
  readonly output: string
  readonly isError: boolean
  readonly attachments?: readonly ModelFile[]
}

export type ModelEvent =
  | { readonly type: 'text-start'; readonly id: string; readonly metadata?: ProviderMetadata }
  | { readonly type: 'text-delta'; readonly id: string; readonly text: string }
  | { readonly type: 'text-end'; readonly id: string; readonly metadata?: ProviderMetadata }
  | { readonly type: 'reasoning-start'; readonly id: string; readonly metadata?: ProviderMetadata }
  | { readonly type: 'reasoning-delta'; readonly id: string; readonly text: string }
  | { readonly type: 'reasoning-end'; readonly id: string; readonly metadata?: ProviderMetadata }
  /** A whole call. `input` is the arguments as the model wrote them, a JSON text, perhaps broken. */
  | {
      readonly type: 'tool-call'
      readonly callID: string
      readonly tool: string
      readonly input: string
      readonly metadata?: ProviderMetadata
    }
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly tokens: TokenUsage }
