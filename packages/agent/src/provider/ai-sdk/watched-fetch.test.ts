import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { startModelServer } from '../../../../../test/model-server/model-server.ts'
import { createPatientFetch } from './patient-fetch.ts'
import { createWatchedFetch } from './watched-fetch.ts'

/** A server whose body comes in the given pieces and then stays open. */
function openFetch(pieces: readonly Uint8Array[]): typeof fetch {
  return async () => {
    const left = [...pieces]
    const body = new ReadableStream<Uint8Array>({
      pull: controller => {
        const piece = left.shift()
        if (piece) controller.enqueue(piece)
        return piece ? undefined : new Promise(() => {})
      },
    })
    return new Response(body)
  }
}

function watched(base: typeof fetch, idleTimeoutMs = 60_000, broken: unknown[] = []): typeof fetch {
  return createWatchedFetch(
    base,
    { firstByteTimeoutMs: 60_000, idleTimeoutMs },
    {
      createError: ({ phase, limitMs }) => new Error(`${phase} ${limitMs}`),
      onBroken: (_, error) => broken.push(error),
    },
  )
}

async function read(fetchLike: typeof fetch): Promise<string> {
  return (await fetchLike('http://unused.test')).text()
}

const ends = [
  'data: {"a":1}\n\ndata: [DONE]\n\n',
  'data:[DONE]\r\n\r\n',
  'event: message_stop\ndata: {"type":"message_stop"}\n\n',
  'event: response.completed\ndata: {"type":"response.completed"}\n\n',
]

describe('the watch over an answer', () => {
  it('core.providers: the last event ends it, however it is cut into pieces', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...ends), fc.integer({ min: 1, max: 20 }), async (text, size) => {
        const bytes = new TextEncoder().encode(text)
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.slice(index * size, (index + 1) * size),
        )
        assert.equal(await read(watched(openFetch(pieces))), text)
      }),
      { numRuns: 12 },
    )
  })

  it('words that look like the last event inside a text do not end it', async () => {
    const text = 'data: {"text":"\\ndata: [DONE]\\n\\n and event: message_stop"}\n\n'
    const broken: unknown[] = []
    const whole = await read(watched(openFetch([new TextEncoder().encode(text)]), 50, broken))
    assert.equal(whole, text)
    assert.deepEqual(
      broken.map(error => error instanceof Error && error.message),
      ['idle 50'],
    )
  })

  it('limits beyond those of fetch have connections of their own', async () => {
    const server = await startModelServer({ models: ['a'] })
    try {
      const patient = createPatientFetch(fetch, 3_600_000)
      for (let count = 0; count < 2; count++) {
        const response = await patient(`${server.url}/v1/models`)
        assert.equal(response.status, 200)
        await response.body?.cancel()
      }
    } finally {
      await server.close()
    }
  })
})
