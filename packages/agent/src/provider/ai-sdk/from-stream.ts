import type { LanguageModelV4StreamPart, LanguageModelV4Usage, SharedV4ProviderMetadata } from '@ai-sdk/provider'
import type { FinishReason, ProviderMetadata, TokenUsage } from '@deckhand/core'
import type { ModelEvent } from '../contract.ts'

/** What a stream part means to us: events, perhaps none; or the end of a stream that went wrong. */
export type Translated =
  | { readonly events: readonly ModelEvent[] }
  /** An error that the provider told of in mid-stream. */
  | { readonly failure: unknown }
  /** The stream ended without the provider's word that it was whole. */
  | { readonly broken: 'cut' | 'finished-with-error'; readonly raw?: string }

/**
 * Makes the pure function that turns the parts of one AI SDK stream into our events. It keeps what spans parts:
 * metadata (a signature comes with a delta; we tell it at the end of its block), and tool calls, which are held until
 * the next part: the AI SDK flushes unfinished calls when a stream is cut, and such a call must not be acted on.
 *
 * A call id that was used before in the conversation gets a new one: some local servers number calls per answer.
 */
export function createStreamTranslator(
  usedCallIDs: Iterable<string> = [],
): (part: LanguageModelV4StreamPart) => Translated {
  const metadata = new Map<string, ProviderMetadata>()
  const ids = createCallIDs(usedCallIDs)
  let heldCalls: ModelEvent[] = []
  let called = false

  const release = (...events: ModelEvent[]): Translated => {
    const all = [...heldCalls, ...events]
    heldCalls = []
    return { events: all }
  }
  const keep = (id: string, added: SharedV4ProviderMetadata | undefined) => {
    const merged = mergeMetadata(metadata.get(id), added)
    if (merged) metadata.set(id, merged)
    return merged && { metadata: merged }
  }

  return part => {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        metadata.delete(part.id)
        return release({ type: part.type, id: part.id, ...keep(part.id, part.providerMetadata) })
      case 'text-delta':
      case 'reasoning-delta':
        keep(part.id, part.providerMetadata)
        return part.delta === '' ? release() : release({ type: part.type, id: part.id, text: part.delta })
      case 'text-end':
      case 'reasoning-end':
        return release({ type: part.type, id: part.id, ...keep(part.id, part.providerMetadata) })
      case 'tool-call':
        if (part.providerExecuted) return release()
        called = true
        heldCalls.push({
          type: 'tool-call',
          callID: ids.unused(part.toolCallId),
          tool: part.toolName,
          input: part.input,
          ...(part.providerMetadata && { metadata: part.providerMetadata }),
        })
        return { events: [] }
      case 'finish': {
        const { unified, raw } = part.finishReason
        if (unified === 'interrupted') return { broken: 'cut', raw }
        if (unified === 'error') return { broken: 'finished-with-error', raw }
        return release({ type: 'finish', reason: resolveFinish(unified, called), tokens: toTokens(part.usage) })
      }
      case 'error':
        return { failure: part.error }
      default:
        return { events: [] }
    }
  }
}

function mergeMetadata(
  before: ProviderMetadata | undefined,
  added: SharedV4ProviderMetadata | undefined,
): ProviderMetadata | undefined {
  if (!added) return before
  const merged: Record<string, Readonly<Record<string, unknown>>> = { ...before }
  for (const [provider, values] of Object.entries(added)) merged[provider] = { ...merged[provider], ...values }
  return merged
}

// Some compatible servers say "stop" after tool calls too.
function resolveFinish(
  unified: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'other',
  called: boolean,
): FinishReason {
  if (called && (unified === 'stop' || unified === 'other')) return 'tool-calls'
  return unified
}

/** Token counts as we keep them; a number that the provider does not give is 0. */
export function toTokens(usage: LanguageModelV4Usage): TokenUsage {
  const { inputTokens, outputTokens } = usage
  const read = inputTokens.cacheRead ?? 0
  const write = inputTokens.cacheWrite ?? 0
  const input = inputTokens.noCache ?? Math.max(0, (inputTokens.total ?? 0) - read - write)
  const output = outputTokens.total ?? (outputTokens.text ?? 0) + (outputTokens.reasoning ?? 0)
  return {
    total: input + read + write + output,
    input,
    output,
    reasoning: outputTokens.reasoning ?? 0,
    cache: { read, write },
  }
}

function createCallIDs(used: Iterable<string>): { unused(id: string): string } {
  let taken: Set<string> | undefined
  return {
    unused(id) {
      // Most answers have no call, and a long session has many ids.
      taken ??= new Set(used)
      let candidate = id
      for (let count = 2; taken.has(candidate); count++) candidate = `${id}_${count}`
      taken.add(candidate)
      return candidate
    },
  }
}
