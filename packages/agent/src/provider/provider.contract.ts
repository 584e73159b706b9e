import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ProviderError } from '@deckhand/core'
import type { ModelEvent, ModelProvider, ModelRequest } from './contract.ts'

/** What the model is to do with the one request of a test. */
export interface Scenario {
  readonly think?: string
  readonly say?: string
  readonly calls?: readonly { readonly tool: string; readonly args: Readonly<Record<string, unknown>> }[]
  /** Between the request and the first word. */
  readonly waitMs?: number
  /** An HTTP failure with this status instead. */
  readonly failStatus?: number
}

export interface ProviderUnderTest {
  readonly provider: ModelProvider
  close(): Promise<void>
}

/** What an implementation does not offer, with the reason. */
export interface Lacks {
  readonly reasoning?: string
}

export const request: ModelRequest = {
  system: 'You are a test.',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Go.' }] }],
  tools: [
    {
      name: 'read',
      description: 'Reads a file.',
      inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    },
  ],
  sessionID: 'ses_0123456789abcdef',
}

/** All events of one request. */
export async function collect(
  provider: ModelProvider,
  asked: ModelRequest = request,
  signal: AbortSignal = new AbortController().signal,
): Promise<ModelEvent[]> {
  return Array.fromAsync(provider.stream(asked, signal))
}

/** The suite that every ModelProvider passes. */
export function testProviderContract(
  name: string,
  create: (scenario: Scenario) => Promise<ProviderUnderTest>,
  lacks: Lacks = {},
): void {
  const using = async (scenario: Scenario, test: (provider: ModelProvider) => Promise<void>) => {
    const { provider, close } = await create(scenario)
    try {
      await test(provider)
    } finally {
      await close()
    }
  }

  describe(`the contract of providers: ${name}`, () => {
    it('core.providers: text comes in pieces between a start and an end, then one finish', () =>
      using({ say: 'Hello, wörld 🌍.\nSecond line.' }, async provider => {
        const events = await collect(provider)
        assert.equal(textOf(events, 'text-delta'), 'Hello, wörld 🌍.\nSecond line.')
        assertWellFormed(events)
        assert.equal(events.at(-1)?.type === 'finish' && events.at(-1)?.type, 'finish')
        const finish = events.at(-1)
        assert.equal(finish?.type === 'finish' ? finish.reason : undefined, 'stop')
      }))

    it('core.providers: reasoning comes before the text and apart from it', { skip: lacks.reasoning }, () =>
      using({ think: 'Let me see.', say: 'Done.' }, async provider => {
        const events = await collect(provider)
        assertWellFormed(events)
        assert.equal(textOf(events, 'reasoning-delta'), 'Let me see.')
        assert.equal(textOf(events, 'text-delta'), 'Done.')
        assert.deepEqual(
          events.map(event => event.type).filter(type => /start/.test(type)),
          ['reasoning-start', 'text-start'],
        )
      }),
    )

    it('core.providers: parallel tool calls come whole, in order, each with its own id', () =>
      using(
        {
          say: 'Two files.',
          calls: [
            { tool: 'read', args: { path: 'a "quoted".ts' } },
            { tool: 'read', args: { path: 'b.ts' } },
          ],
        },
        async provider => {
          const events = await collect(provider)
          assertWellFormed(events)
          const calls = events.filter(event => event.type === 'tool-call')
          assert.deepEqual(
            calls.map(call => [call.tool, JSON.parse(call.input)]),
            [
              ['read', { path: 'a "quoted".ts' }],
              ['read', { path: 'b.ts' }],
            ],
          )
          assert.equal(new Set(calls.map(call => call.callID)).size, 2)
          const finish = events.at(-1)
          assert.equal(finish?.type === 'finish' ? finish.reason : undefined, 'tool-calls')
        },
      ))

    it('core.providers: a failure is a ProviderError that names provider and model', () =>
      using({ failStatus: 500 }, async provider => {
        await assert.rejects(collect(provider), error => {
          assert.ok(error instanceof ProviderError, `not a ProviderError: ${String(error)}`)
          assert.equal(error.facts.provider, provider.providerID)
          assert.equal(error.facts.model, provider.modelID)
          assert.equal(error.facts.status, 500)
          assert.equal(error.facts.retryable, true)
          return true
        })
      }))

    it('core.providers: a signal that was aborted before throws its reason and sends nothing', () =>
      using({ say: 'never' }, async provider => {
        const reason = new Error('stopped by the test')
        await assert.rejects(collect(provider, request, AbortSignal.abort(reason)), error => error === reason)
        const events = await collect(provider)
        assert.equal(textOf(events, 'text-delta'), 'never')
      }))

    it('core.providers: an abort while the model is silent throws the reason within 100 ms', () =>
      using({ say: 'late', waitMs: 60_000 }, async provider => {
        const reason = new Error('stopped by the test')
        const controller = new AbortController()
        const running = collect(provider, request, controller.signal)
        let abortedAt = 0
        setTimeout(() => {
          abortedAt = performance.now()
          controller.abort(reason)
        }, 50)
        await assert.rejects(running, error => error === reason)
        const tookMs = performance.now() - abortedAt
        assert.ok(tookMs < 100, `the abort took ${Math.round(tookMs)} ms`)
      }))

    it('core.providers: a reader may leave in the middle', () =>
      using({ say: 'one two three four five six seven eight nine ten' }, async provider => {
        for await (const event of provider.stream(request, new AbortController().signal)) {
          if (event.type === 'text-delta') break
        }
      }))
  })
}

/** The text of all deltas of one kind. */
export function textOf(events: readonly ModelEvent[], type: 'text-delta' | 'reasoning-delta'): string {
  return events.map(event => (event.type === type ? event.text : '')).join('')
}

/** Each block starts once, ends once, has its deltas between; there is one finish, and it is last. */
function assertWellFormed(events: readonly ModelEvent[]): void {
  const open = new Set<string>()
  for (const event of events) {
    if (event.type === 'tool-call' || event.type === 'finish') continue
    const [kind, moment] = event.type.split('-')
    const block = `${kind} ${event.id}`
    assert.equal(open.has(block), moment !== 'start', `${event.type} of ${block} is out of place`)
    if (moment === 'start') open.add(block)
    if (moment === 'end') open.delete(block)
  }
  assert.deepEqual([...open], [], 'blocks that never ended')
  assert.deepEqual(
    events.flatMap((event, index) => (event.type === 'finish' ? [index] : [])),
    [events.length - 1],
  )
}
