import {
  type Clock,
  createId,
  type FinishReason,
  type MessageID,
  type ProviderMetadata,
  type ReasoningPart,
  type SessionID,
  type TextPart,
  type TokenUsage,
} from '@deckhand/core'
import type { ModelEvent } from '../provider/contract.ts'
import type { LiveEvent } from '../run/recorder.ts'

/** A call as the model made it, before anything was done about it. */
export interface RequestedCall {
  readonly callID: string
  readonly tool: string
  /** The arguments; the text itself where it is no valid JSON. */
  readonly input: unknown
  readonly metadata?: ProviderMetadata
}

/** What one model request brought. */
export interface StepContent {
  readonly parts: readonly (TextPart | ReasoningPart)[]
  readonly calls: readonly RequestedCall[]
  readonly reason: FinishReason
  readonly tokens: TokenUsage
}

/** The stream broke; `halves` is the text that had come by then. */
export class BrokenStep extends Error {
  readonly halves: readonly TextPart[]

  constructor(cause: unknown, halves: readonly TextPart[]) {
    super('the stream of a step broke', { cause })
    this.halves = halves
  }
}

interface CollectOptions {
  readonly sessionID: SessionID
  readonly messageID: MessageID
  readonly clock: Clock
  readonly onFirst: () => Promise<void>
  readonly onLive: (event: LiveEvent) => void
}

/**
 * Reads one request's stream to its end. Nothing of it is stored or run before the stream is whole.
 * Throws BrokenStep, with the provider's error or the abort reason as its cause.
 */
export async function collectStep(events: AsyncIterable<ModelEvent>, options: CollectOptions): Promise<StepContent> {
  const collector = createCollector(options)
  try {
    let isFirst = true
    for await (const event of events) {
      if (isFirst) await options.onFirst()
      isFirst = false
      collector.take(event)
    }
    return collector.finish()
  } catch (error) {
    throw new BrokenStep(error, collector.halves())
  }
}

type OpenPart = { type: 'text' | 'reasoning'; text: string[]; start: number; metadata?: ProviderMetadata; end?: number }

function createCollector({ sessionID, messageID, clock, onLive }: CollectOptions) {
  const parts: OpenPart[] = []
  const open = new Map<string, OpenPart>()
  const calls: RequestedCall[] = []
  const callIDs = new Set<string>()
  let finish: { reason: FinishReason; tokens: TokenUsage } | undefined

  function start(type: OpenPart['type'], id: string, metadata?: ProviderMetadata): OpenPart {
    const part: OpenPart = { type, text: [], start: clock.now(), metadata }
    parts.push(part)
    open.set(`${type} ${id}`, part)
    return part
  }

  function add(type: OpenPart['type'], id: string, text: string): void {
    const part = open.get(`${type} ${id}`) ?? start(type, id)
    part.text.push(text)
    onLive({ type: `${type}-delta`, text })
  }

  function end(type: OpenPart['type'], id: string, metadata?: ProviderMetadata): void {
    const part = open.get(`${type} ${id}`)
    if (!part) return
    part.end = clock.now()
    part.metadata = metadata ?? part.metadata
    open.delete(`${type} ${id}`)
    if (type === 'text') onLive({ type: 'text-end' })
  }

  // Some servers give no id or the same one twice; results are matched by it.
  function uniqueCallID(callID: string): string {
    const id = callID === '' || callIDs.has(callID) ? createId('part').replace('prt_', 'call_') : callID
    callIDs.add(id)
    return id
  }

  function toPart(part: OpenPart): TextPart | ReasoningPart {
    const base = { id: createId('part'), sessionID, messageID, text: part.text.join('') }
    const time = { start: part.start, end: part.end ?? clock.now() }
    return { ...base, type: part.type, time, ...(part.metadata && { metadata: part.metadata }) }
  }

  return {
    take(event: ModelEvent): void {
      switch (event.type) {
        case 'text-start':
          start('text', event.id, event.metadata)
          break
        case 'text-delta':
          add('text', event.id, event.text)
          break
        case 'text-end':
          end('text', event.id, event.metadata)
          break
        case 'reasoning-start':
          start('reasoning', event.id, event.metadata)
          break
        case 'reasoning-delta':
          add('reasoning', event.id, event.text)
          break
        case 'reasoning-end':
          end('reasoning', event.id, event.metadata)
          break
        case 'tool-call':
          calls.push({
            callID: uniqueCallID(event.callID),
            tool: event.tool,
            input: parseInput(event.input),
            ...(event.metadata && { metadata: event.metadata }),
          })
          break
        case 'finish':
          finish = { reason: event.reason, tokens: event.tokens }
          break
      }
    },

    finish(): StepContent {
      if (!finish) throw new Error('A provider ended its stream without "finish", which its contract forbids.')
      return { parts: parts.map(toPart).filter(part => part.text !== '' || part.metadata), calls, ...finish }
    },

    halves(): TextPart[] {
      return parts
        .map(toPart)
        .filter(part => part.type === 'text' && part.text !== '')
        .map(part => ({ ...part, interrupted: true }) as TextPart)
    },
  }
}

function parseInput(text: string): unknown {
  try {
    return text.trim() === '' ? {} : JSON.parse(text)
  } catch {
    return text
  }
}
