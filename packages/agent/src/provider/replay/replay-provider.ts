import { ProviderError } from '@deckhand/core'
import { createAiSdkProvider } from '../ai-sdk/ai-sdk-provider.ts'
import type { ModelProvider } from '../contract.ts'
import { type Cassette, type Exchange, readCassette } from './cassette.ts'
import { type Difference, describeDifferences, findDifferences } from './difference.ts'
import { describePath, parseBody } from './recorder.ts'
import { normaliseBody, type Replacement, showValues } from './volatile.ts'

export interface ReplaySettings {
  /** This machine's values for the placeholders of the recording: workspace, home, data folder. */
  readonly replacements: readonly Replacement[]
}

/**
 * Opens a cassette (`--model replay/FILE`): a model that answers as it was recorded, through the same code as a real
 * one and without a network. A request that is not as recorded, or one more than was recorded, is a ProviderError
 * `replay-differs` that shows where. ConfigError when the file is no cassette or is broken.
 */
export async function openReplay(file: string, settings: ReplaySettings): Promise<ModelProvider> {
  const cassette = await readCassette(file)
  const { header } = cassette
  return createAiSdkProvider({
    npm: header.npm,
    providerID: header.provider,
    modelID: header.model,
    apiModelID: header.apiModelID,
    reasoning: header.reasoning,
    modelOptions: header.modelOptions,
    capabilities: header.capabilities,
    options: { ...header.options, apiKey: 'replay' },
    fetch: createReplayFetch(cassette, file, settings.replacements),
  })
}

function createReplayFetch(
  { header, exchanges }: Cassette,
  file: string,
  replacements: readonly Replacement[],
): typeof fetch {
  const left = [...exchanges]
  const fail = (words: string) =>
    new ProviderError('replay-differs', words, { provider: header.provider, model: header.model, retryable: false })

  const take = (request: ComparedRequest): Exchange => {
    const [next] = left
    const number = exchanges.length - left.length + 1
    if (!next)
      throw fail(
        `The cassette ${file} has ${exchanges.length} request${exchanges.length === 1 ? '' : 's'}; request ${number} came. Record it anew.`,
      )
    // Requests that overlapped when they were recorded may come in another order.
    const index = left.findIndex(exchange => compareRequests(exchange, request, replacements, 1).length === 0)
    if (index < 0) {
      const differences = compareRequests(next, request, replacements, 3)
      throw fail(
        `Request ${number} differs from the cassette ${file}:\n${describeDifferences(differences)}\nRecord it anew if the change is meant.`,
      )
    }
    return left.splice(index, 1)[0] ?? next
  }

  return async (input, init) => {
    const exchange = take({
      method: init?.method ?? 'GET',
      path: describePath(String(input)),
      body: parseBody(init?.body),
    })
    if (exchange.failed) throw createNetworkError(exchange.failed)
    return new Response(playBody(exchange, replacements), { status: exchange.status ?? 200, headers: exchange.headers })
  }
}

interface ComparedRequest {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

function compareRequests(
  recorded: Exchange,
  now: ComparedRequest,
  replacements: readonly Replacement[],
  limit: number,
): Difference[] {
  const place = findDifferences(
    { method: recorded.method, path: recorded.path },
    { method: now.method, path: now.path },
    limit,
  )
  const body = findDifferences(
    normaliseBody(recorded.body, replacements),
    normaliseBody(now.body, replacements),
    limit - place.length,
  )
  return [...place, ...body]
}

// As fetch itself would throw it.
function createNetworkError({ code, message }: { code: string; message: string }): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) })
}

function playBody(exchange: Exchange, replacements: readonly Replacement[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder()
  const chunks = [...(exchange.chunks ?? [])]
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks.shift()
      if (chunk !== undefined) controller.enqueue(encoder.encode(showValues(chunk, replacements)))
      else if (exchange.end === 'cut')
        controller.error(createNetworkError({ code: 'ECONNRESET', message: 'the recording was cut here' }))
      else controller.close()
    },
  })
}
