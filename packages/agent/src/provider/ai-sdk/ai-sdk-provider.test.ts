import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConfigError, ProviderError } from '@deckhand/core'
import { type ModelServer, type ServerStep, startModelServer } from '../../../../../test/model-server/model-server.ts'
import type { ModelEvent, ModelProvider, ModelRequest } from '../contract.ts'
import { collect, request, type Scenario, testProviderContract, textOf } from '../provider.contract.ts'
import { type AiSdkOptions, type AiSdkProviderSettings, createAiSdkProvider } from './ai-sdk-provider.ts'

interface Kind {
  readonly name: string
  readonly npm: string
  readonly modelID: string
  readonly path: string
  readonly api?: string
  readonly reasons: boolean
}

const kinds: readonly Kind[] = [
  { name: 'OpenAI Responses', npm: '@ai-sdk/openai', modelID: 'gpt-5', path: '/v1', reasons: true },
  { name: 'OpenAI chat', npm: '@ai-sdk/openai', modelID: 'gpt-4.1', path: '/v1', api: 'chat', reasons: false },
  { name: 'Anthropic', npm: '@ai-sdk/anthropic', modelID: 'claude-sonnet-4-5', path: '/v1', reasons: true },
  { name: 'Google', npm: '@ai-sdk/google', modelID: 'gemini-3.8-flash', path: '/v1beta', reasons: true },
  { name: 'OpenAI-compatible', npm: '@ai-sdk/openai-compatible', modelID: 'local-model', path: '/v1', reasons: true },
]

const secret = 'test-key-0123456789'

function createProvider(
  kind: Kind,
  url: string,
  options: Partial<AiSdkOptions> = {},
  more: Partial<AiSdkProviderSettings> = {},
) {
  return createAiSdkProvider({
    npm: kind.npm,
    providerID: 'test',
    modelID: kind.modelID,
    options: { baseURL: `${url}${kind.path}`, apiKey: secret, api: kind.api, ...options },
    keyName: 'TEST_KEY',
    ...more,
  })
}

async function withServer(steps: readonly ServerStep[], test: (server: ModelServer) => Promise<void>): Promise<void> {
  const server = await startModelServer({ steps })
  try {
    await test(server)
  } finally {
    await server.close()
  }
}

async function failureOf(provider: ModelProvider, events: ModelEvent[] = []): Promise<ProviderError> {
  try {
    for await (const event of provider.stream(request, new AbortController().signal)) events.push(event)
  } catch (error) {
    assert.ok(error instanceof ProviderError, `not a ProviderError: ${error instanceof Error ? error.stack : error}`)
    assert.ok(!`${error.message}${JSON.stringify(error.facts)}`.includes(secret), 'the key is in the error')
    return error
  }
  assert.fail('the request did not fail')
}

function toStep(scenario: Scenario): ServerStep {
  return {
    reasoning: scenario.think,
    text: scenario.say?.match(/.{1,7}/gsu) ?? undefined,
    calls: scenario.calls,
    delayMs: scenario.waitMs,
    fail: scenario.failStatus === undefined ? undefined : { status: scenario.failStatus },
  }
}

for (const kind of kinds) {
  testProviderContract(
    kind.name,
    async scenario => {
      const server = await startModelServer({ steps: [toStep(scenario)] })
      return { provider: createProvider(kind, server.url), close: () => server.close() }
    },
    { reasoning: kind.reasons ? undefined : 'chat completions of OpenAI itself do not show reasoning' },
  )

  describe(`core.providers: ${kind.name}`, () => {
    it('counts tokens with the cached ones apart', () =>
      withServer(
        [
          {
            text: 'ok',
            usage: {
              input: 1000,
              output: 50,
              cacheRead: 600,
              reasoning: 20,
              cacheWrite: kind.name === 'Anthropic' ? 100 : 0,
            },
          },
        ],
        async server => {
          const finish = (await collect(createProvider(kind, server.url))).at(-1)
          const write = kind.name === 'Anthropic' ? 100 : 0
          assert.deepEqual(finish, {
            type: 'finish',
            reason: 'stop',
            tokens: { total: 1050, input: 400 - write, output: 50, reasoning: 20, cache: { read: 600, write } },
          })
        },
      ))

    it('says when the output limit or a filter ended the answer', () =>
      withServer(
        [
          { text: 'half a sen', finish: 'length' },
          { text: 'no', finish: 'content-filter' },
        ],
        async server => {
          const provider = createProvider(kind, server.url)
          const reasons = [await collect(provider), await collect(provider)].map(events => {
            const last = events.at(-1)
            return last?.type === 'finish' ? last.reason : undefined
          })
          assert.deepEqual(reasons, ['length', 'content-filter'])
        },
      ))

    it('400 is a bad request with the words of the server', () =>
      withServer([{ fail: { status: 400, message: 'The field "x" is unknown.' } }], async server => {
        const error = await failureOf(createProvider(kind, server.url))
        assert.equal(error.message, 'test (400) refused the request: The field "x" is unknown.')
        assert.equal(error.code, 'bad-request')
        assert.equal(error.facts.retryable, false)
        assert.match(error.facts.body ?? '', /The field/)
      }))

    it('401 is auth, names the place of the key, and never shows it', () =>
      withServer([{ fail: { status: 401, message: `Bad key ${secret}.` } }], async server => {
        const error = await failureOf(createProvider(kind, server.url))
        assert.equal(error.message, 'test (401) refused the key: Bad key [secret]. Check TEST_KEY.')
        assert.equal(error.code, 'auth')
        assert.equal(error.facts.retryable, false)
      }))

    it('429 is retryable after the time of Retry-After', () =>
      withServer(
        [{ fail: { status: 429, message: 'Slow down', code: 'rate_limit_exceeded', headers: { 'retry-after': '7' } } }],
        async server => {
          const error = await failureOf(createProvider(kind, server.url))
          assert.equal(error.message, 'test (429) asks to slow down: Slow down.')
          assert.equal(error.code, 'rate-limit')
          assert.equal(error.facts.retryable, true)
          assert.equal(error.facts.retryAfterMs, 7000)
        },
      ))

    it('500 is retryable, and a page of a proxy is told by its title', () =>
      withServer(
        [
          {
            fail: {
              status: 502,
              headers: { 'content-type': 'text/html' },
              body: '<html><head><title>502 Bad Gateway</title></head><body><h1>nginx</h1></body></html>',
            },
          },
        ],
        async server => {
          const error = await failureOf(createProvider(kind, server.url))
          assert.equal(error.message, 'test (502) failed: 502 Bad Gateway.')
          assert.equal(error.code, 'server')
          assert.equal(error.facts.retryable, true)
        },
      ))

    it('an error event in mid-stream comes after the text that was said', () =>
      withServer(
        [
          {
            text: ['Once', ' upon'],
            errorAfter: {
              events: kind.name === 'Google' ? 2 : 6,
              message: 'Overloaded',
              code: kind.name === 'Google' ? 'UNAVAILABLE' : 'overloaded_error',
              status: kind.name === 'Google' ? 503 : undefined,
            },
          },
        ],
        async server => {
          const events: ModelEvent[] = []
          const error = await failureOf(createProvider(kind, server.url), events)
          assert.match(textOf(events, 'text-delta'), /^Once/)
          assert.equal(error.facts.retryable, true)
          assert.match(error.message, /: Overloaded\.$/)
          assert.ok(['overloaded', 'server'].includes(error.code), error.code)
        },
      ))

    it('a connection that is dropped before a word is retryable', () =>
      withServer([{ drop: true }], async server => {
        const error = await failureOf(createProvider(kind, server.url))
        assert.equal(error.code, 'network')
        assert.equal(error.facts.retryable, true)
      }))

    it('a connection that is dropped in the middle is a cut stream, and no half tool call comes out', () =>
      withServer(
        [{ text: ['Once', ' upon'], calls: [{ tool: 'read', args: { path: 'a' } }], cutAfter: cutInCall(kind) }],
        async server => {
          const events: ModelEvent[] = []
          const error = await failureOf(createProvider(kind, server.url), events)
          assert.equal(textOf(events, 'text-delta'), 'Once upon')
          assert.equal(error.code, 'stream-cut')
          assert.equal(error.facts.retryable, true)
          assert.deepEqual(
            events.filter(event => event.type === 'tool-call' || event.type === 'finish'),
            [],
          )
        },
      ))

    it('a stream that ends well but unfinished is a cut stream, and no half tool call comes out', () =>
      withServer(
        [{ text: ['Once', ' upon'], calls: [{ tool: 'read', args: { path: 'a' } }], endAfter: cutInCall(kind) }],
        async server => {
          const events: ModelEvent[] = []
          const error = await failureOf(createProvider(kind, server.url), events)
          assert.equal(error.message, 'The answer of test broke off in the middle.')
          assert.equal(error.code, 'stream-cut')
          assert.equal(error.facts.retryable, true)
          assert.deepEqual(
            events.filter(event => event.type === 'tool-call' || event.type === 'finish'),
            [],
          )
        },
      ))

    it('a stream with nothing in it is a cut stream', () =>
      withServer([{ endAfter: 0 }], async server => {
        const error = await failureOf(createProvider(kind, server.url))
        assert.equal(error.message, 'The answer of test broke off before its first word.')
        assert.equal(error.code, 'stream-cut')
      }))

    it('bytes that are in no protocol are a bad response', () =>
      withServer([{ text: ['Once', ' upon'], garbageAfter: kind.name === 'Google' ? 1 : 3 }], async server => {
        const error = await failureOf(createProvider(kind, server.url))
        assert.equal(error.code, 'bad-response')
        assert.match(error.message, /^test sent something that is not in its protocol: JSON parsing failed/)
      }))

    it('a slow first byte is waited for, and given up after firstByteTimeoutMs', () =>
      withServer(
        [
          { text: 'late', firstByteDelayMs: 150 },
          { text: 'never', firstByteDelayMs: 60_000 },
        ],
        async server => {
          const patient = createProvider(kind, server.url, { firstByteTimeoutMs: 20_000, idleTimeoutMs: 20_000 })
          assert.equal(textOf(await collect(patient), 'text-delta'), 'late')
          const error = await failureOf(createProvider(kind, server.url, { firstByteTimeoutMs: 200 }))
          assert.equal(
            error.message,
            `test at ${server.url}${kind.path} did not begin to answer: nothing came for 0.2 s (options.firstByteTimeoutMs is 200).`,
          )
          assert.equal(error.code, 'timeout')
          assert.equal(error.facts.retryable, true)
        },
      ))

    it('silence in the middle is given up after idleTimeoutMs, with what was said before', () =>
      withServer([{ text: ['Once', ' upon'], silentAfter: silentInText(kind) }], async server => {
        const events: ModelEvent[] = []
        const error = await failureOf(createProvider(kind, server.url, { idleTimeoutMs: 200 }), events)
        assert.match(textOf(events, 'text-delta'), /^Once/)
        assert.equal(error.code, 'timeout')
        assert.match(error.message, /fell silent in the middle of its answer: nothing came for 0\.2 s/)
      }))

    it('an answer is whole at its last event, though the connection stays open', () =>
      withServer([{ text: 'All said.', keepOpen: true }], async server => {
        // Google's streams have no last event of their own: there the idle limit ends the wait.
        const provider = createProvider(kind, server.url, { idleTimeoutMs: kind.name === 'Google' ? 300 : 20_000 })
        assert.equal(textOf(await collect(provider), 'text-delta'), 'All said.')
      }))

    it('requests one after the other share connections', () =>
      withServer(Array(6).fill({ text: 'ok' }), async server => {
        const provider = createProvider(kind, server.url)
        for (let count = 0; count < 6; count++) await collect(provider)
        // Two, as fetch opens a second one for a request that follows at once.
        assert.ok(server.connections() <= 2, `${server.connections()} connections for 6 requests`)
      }))

    it('an abort in the middle ends within 100 ms and closes the connection', () =>
      withServer([{ text: ['Once', ' upon'], silentAfter: silentInText(kind) }], async server => {
        const controller = new AbortController()
        const reason = new Error('stopped by the test')
        let abortedAt = 0
        const run = async () => {
          for await (const event of createProvider(kind, server.url).stream(request, controller.signal)) {
            if (event.type !== 'text-delta') continue
            abortedAt = performance.now()
            setImmediate(() => controller.abort(reason))
          }
        }
        await assert.rejects(run(), error => error === reason)
        const tookMs = performance.now() - abortedAt
        assert.ok(tookMs < 100, `the abort took ${Math.round(tookMs)} ms`)
        await until(() => server.abandoned() === 1)
        await until(() => server.openConnections() === 0)
      }))

    it('a reader that leaves closes the connection', () =>
      withServer([{ text: ['Once', ' upon'], silentAfter: silentInText(kind) }], async server => {
        for await (const event of createProvider(kind, server.url).stream(request, new AbortController().signal)) {
          if (event.type === 'text-delta') break
        }
        await until(() => server.openConnections() === 0)
      }))

    it('a page instead of a stream says that the address is wrong', () =>
      withServer(
        [{ whole: { contentType: 'text/html; charset=utf-8', body: '<title>Sign in</title>' } }],
        async server => {
          const error = await failureOf(createProvider(kind, server.url))
          assert.equal(
            error.message,
            `test answered with text/html instead of a stream of events: Sign in. Is options.baseURL (${server.url}${kind.path}) the address of its API?`,
          )
          assert.equal(error.code, 'bad-response')
          assert.equal(error.facts.retryable, false)
        },
      ))

    it('a long page is not read to its end', () =>
      withServer(
        [{ whole: { contentType: 'text/html', body: `<title>Long</title>${'x'.repeat(1_000_000)}` } }],
        async server => {
          const error = await failureOf(createProvider(kind, server.url))
          assert.match(error.message, /: Long\. Is options\.baseURL/)
          assert.equal(error.facts.body?.length, 2_000)
        },
      ))

    it('an error in JSON with status 200 is that error', () =>
      withServer(
        [
          {
            whole: {
              contentType: 'application/json',
              body: '{"error":{"message":"No credit","code":"insufficient_quota"}}',
            },
          },
        ],
        async server => {
          assert.equal((await failureOf(createProvider(kind, server.url))).code, 'quota')
        },
      ))
  })
}

// Somewhere between the first and the last event of the tool call, with all of the text before it.
function cutInCall(kind: Kind): number {
  const after: Record<string, number> = { 'OpenAI Responses': 11, Anthropic: 8, Google: 2 }
  return after[kind.name] ?? 4
}

// After "Once", and before the end of the text.
function silentInText(kind: Kind): number {
  const after: Record<string, number> = { 'OpenAI Responses': 5, Anthropic: 4, Google: 1 }
  return after[kind.name] ?? 2
}

async function until(isTrue: () => boolean): Promise<void> {
  const deadline = performance.now() + 10_000
  while (!isTrue()) {
    assert.ok(performance.now() < deadline, 'it did not happen within 10 s')
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}

const conversation: ModelRequest = {
  ...request,
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look.' },
        { type: 'file', mime: 'image/png', filename: 'cat.png', url: 'data:image/png;base64,iVBORw0KGgo=' },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I read two files.' },
        { type: 'tool-call', callID: 'call_1', tool: 'read', input: { path: 'dog.png' } },
        { type: 'tool-call', callID: 'call_2', tool: 'read', input: '{"path": broken' },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          callID: 'call_1',
          tool: 'read',
          output: 'An image.',
          isError: false,
          attachments: [{ type: 'file', mime: 'image/png', filename: 'dog.png', url: 'data:image/png;base64,ZG9n' }],
        },
        { type: 'tool-result', callID: 'call_2', tool: 'read', output: 'The arguments are not JSON.', isError: true },
      ],
    },
    { role: 'user', content: [{ type: 'text', text: 'Go on.' }] },
  ],
}

async function bodyOf(
  kindName: string,
  asked: ModelRequest,
  more: Partial<AiSdkProviderSettings> = {},
): Promise<Record<string, unknown>> {
  const kind = kinds.find(({ name }) => name === kindName)
  assert.ok(kind)
  const server = await startModelServer({ steps: [{ text: 'ok' }] })
  try {
    await collect(createProvider(kind, server.url, {}, more), asked)
    return { ...server.requests[0]?.body }
  } finally {
    await server.close()
  }
}

describe('core.providers: what is sent', () => {
  const tool = request.tools[0]

  it('OpenAI Responses: nothing is stored, images stand in the tool result', async () => {
    const body = await bodyOf('OpenAI Responses', conversation)
    assert.equal(body.store, false)
    assert.equal(body.stream, true)
    assert.equal(body.prompt_cache_key, conversation.sessionID)
    assert.deepEqual(body.include, ['reasoning.encrypted_content'])
    assert.deepEqual(body.tools, [
      { type: 'function', name: 'read', description: 'Reads a file.', parameters: tool?.inputSchema, strict: false },
    ])
    assert.deepEqual(body.input, [
      { role: 'developer', content: 'You are a test.' },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Look.' },
          { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=' },
        ],
      },
      { role: 'assistant', content: 'I read two files.' },
      { type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{"path":"dog.png"}' },
      {
        type: 'function_call',
        call_id: 'call_2',
        name: 'read',
        arguments: '{"rawInvalidInput":"{\\"path\\": broken"}',
      },
      {
        type: 'function_call_output',
        call_id: 'call_1',
        output: [
          { type: 'input_text', text: 'An image.' },
          { type: 'input_image', image_url: 'data:image/png;base64,ZG9n' },
        ],
      },
      { type: 'function_call_output', call_id: 'call_2', output: 'The arguments are not JSON.' },
      { role: 'user', content: [{ type: 'input_text', text: 'Go on.' }] },
    ])
  })

  for (const name of ['OpenAI chat', 'OpenAI-compatible']) {
    it(`${name}: usage is asked for, images of tool results follow in the user message`, async () => {
      const body = await bodyOf(name, conversation)
      assert.deepEqual(body.stream_options, { include_usage: true })
      assert.deepEqual(body.messages, [
        { role: 'system', content: 'You are a test.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look.' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
          ],
        },
        {
          role: 'assistant',
          content: 'I read two files.',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"dog.png"}' } },
            {
              id: 'call_2',
              type: 'function',
              function: { name: 'read', arguments: '{"rawInvalidInput":"{\\"path\\": broken"}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'An image.' },
        { role: 'tool', tool_call_id: 'call_2', content: 'The arguments are not JSON.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'The result of read (call_1) holds dog.png (image/png):' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,ZG9n' } },
            { type: 'text', text: 'Go on.' },
          ],
        },
      ])
    })
  }

  it('Anthropic: the system prompt and the last two messages are marked for the cache', async () => {
    const body = await bodyOf('Anthropic', conversation)
    const cache_control = { type: 'ephemeral' }
    assert.deepEqual(body.system, [{ type: 'text', text: 'You are a test.', cache_control }])
    assert.deepEqual(body.messages, [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I read two files.' },
          { type: 'tool_use', id: 'call_1', name: 'read', input: { path: 'dog.png' } },
          { type: 'tool_use', id: 'call_2', name: 'read', input: { rawInvalidInput: '{"path": broken' } },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'call_1',
            content: [
              { type: 'text', text: 'An image.' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'ZG9n' } },
            ],
          },
          {
            type: 'tool_result',
            tool_use_id: 'call_2',
            content: 'The arguments are not JSON.',
            is_error: true,
            cache_control,
          },
          { type: 'text', text: 'Go on.', cache_control },
        ],
      },
    ])
  })

  it('Google: images stand in the function response', async () => {
    const body = await bodyOf('Google', conversation)
    assert.deepEqual(body.systemInstruction, { parts: [{ text: 'You are a test.' }] })
    assert.deepEqual(body.contents, [
      {
        role: 'user',
        parts: [{ text: 'Look.' }, { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }],
      },
      {
        role: 'model',
        parts: [
          { text: 'I read two files.' },
          {
            functionCall: { id: 'call_1', name: 'read', args: { path: 'dog.png' } },
            thoughtSignature: 'skip_thought_signature_validator',
          },
          {
            functionCall: { id: 'call_2', name: 'read', args: { rawInvalidInput: '{"path": broken' } },
            thoughtSignature: 'skip_thought_signature_validator',
          },
        ],
      },
      {
        role: 'user',
        parts: [
          {
            functionResponse: {
              id: 'call_1',
              name: 'read',
              response: { name: 'read', content: 'An image.' },
              parts: [{ inlineData: { mimeType: 'image/png', data: 'ZG9n' } }],
            },
          },
          {
            functionResponse: {
              id: 'call_2',
              name: 'read',
              response: { name: 'read', error: 'The arguments are not JSON.' },
            },
          },
        ],
      },
      { role: 'user', parts: [{ text: 'Go on.' }] },
    ])
  })

  it('a model without images is told that there was one', async () => {
    const body = await bodyOf('OpenAI-compatible', conversation, { capabilities: { acceptsImages: false } })
    const messages = body.messages as { role: string; content: unknown }[]
    assert.deepEqual(messages[1]?.content, [
      { type: 'text', text: 'Look.' },
      { type: 'text', text: '(cat.png (image/png) was not sent: this model does not take images.)' },
    ])
  })

  it('options of the model and limits go along', async () => {
    const more = {
      modelOptions: { reasoningEffort: 'low', top_k: 5 },
      capabilities: { acceptsImages: true, outputTokens: 1234 },
      apiModelID: 'other-name',
    }
    const body = await bodyOf('OpenAI-compatible', request, more)
    assert.equal(body.model, 'other-name')
    assert.equal(body.reasoning_effort, 'low')
    assert.equal(body.top_k, 5)
    assert.equal(body.max_tokens, 1234)
  })

  it('the key is in the header, and headers of the configuration win', () =>
    withServer([{ text: 'ok' }, { text: 'ok' }], async server => {
      const [, , anthropic] = kinds
      assert.ok(anthropic)
      await collect(createProvider(anthropic, server.url))
      assert.equal(server.requests[0]?.headers['x-api-key'], secret)
      const compatible = kinds.at(-1)
      assert.ok(compatible)
      await collect(createProvider(compatible, server.url, { headers: { Authorization: 'Other scheme-0123' } }))
      assert.equal(server.requests[1]?.headers.authorization, 'Other scheme-0123')
    }))
})

describe('core.providers: reasoning goes back as it came', () => {
  for (const kind of kinds.filter(({ reasons }) => reasons)) {
    it(kind.name, () =>
      withServer(
        [{ reasoning: 'Hmm.', text: 'Reading.', calls: [{ tool: 'read', args: { path: 'a' } }] }, { text: 'Done.' }],
        async server => {
          const provider = createProvider(kind, server.url)
          const first = await collect(provider)
          await collect(provider, { ...request, messages: [...request.messages, ...toMessages(first)] })
          const sent = JSON.stringify(server.requests[1]?.body)
          const signs: Record<string, RegExp> = {
            'OpenAI Responses': /"encrypted_content":"sealed".*"Hmm\."/,
            Anthropic: /"thinking":"Hmm\.","signature":"signed_answer_1"/,
            Google: /"thoughtSignature":"signed_answer_1"/,
            'OpenAI-compatible': /"reasoning_content":"Hmm\."/,
          }
          assert.match(sent, signs[kind.name] ?? /^$/)
          assert.doesNotMatch(sent, /item_reference/)
        },
      ),
    )
  }
})

type AssistantPart = Extract<ModelRequest['messages'][number], { role: 'assistant' }>['content'][number]

function toMessages(events: readonly ModelEvent[]): ModelRequest['messages'] {
  const content = events.flatMap((event): AssistantPart[] => {
    if (event.type === 'text-end' || event.type === 'reasoning-end') {
      const type = event.type === 'text-end' ? 'text' : 'reasoning'
      return [{ type, text: textOf(events, `${type}-delta`), metadata: event.metadata }]
    }
    return event.type === 'tool-call' ? [{ ...event, input: JSON.parse(event.input) }] : []
  })
  const results = content.flatMap(part =>
    part.type === 'tool-call'
      ? [{ type: 'tool-result' as const, callID: part.callID, tool: part.tool, output: 'text', isError: false }]
      : [],
  )
  return [
    { role: 'assistant', content },
    { role: 'tool', content: results },
  ]
}

describe('core.providers: settings', () => {
  it('a package that is not built in is a ConfigError that lists those that are', () => {
    assert.throws(
      () => createAiSdkProvider({ npm: '@ai-sdk/mistral', providerID: 'm', modelID: 'x', options: {} }),
      error => {
        assert.ok(error instanceof ConfigError)
        assert.equal(
          error.message,
          'provider.m.npm is "@ai-sdk/mistral", which is not built in. Built in are @ai-sdk/openai, @ai-sdk/anthropic, @ai-sdk/google, @ai-sdk/openai-compatible. Most services speak the OpenAI protocol too: set npm to "@ai-sdk/openai-compatible" and options.baseURL.',
        )
        return true
      },
    )
  })

  it('an address that is missing or no address is a ConfigError', () => {
    const create = (baseURL?: string) =>
      createAiSdkProvider({ npm: '@ai-sdk/openai-compatible', providerID: 'm', modelID: 'x', options: { baseURL } })
    assert.throws(() => create(), { code: 'invalid', message: /^provider\.m\.options\.baseURL is missing;/ })
    assert.throws(() => create('localhost:80'), { code: 'invalid', message: /is "localhost:80";/ })
  })

  it('a server that is not running is told with its address and a question', async () => {
    const server = await startModelServer()
    await server.close()
    const kind = kinds.at(-1)
    assert.ok(kind)
    const error = await failureOf(createProvider(kind, server.url))
    assert.equal(
      error.message,
      `Can't reach test at ${server.url}/v1: the connection was refused (ECONNREFUSED). Is the local server running?`,
    )
    assert.equal(error.code, 'network')
    assert.equal(error.facts.retryable, true)
  })

  it('a stream under a wrong content type is a stream', () =>
    withServer(
      [
        {
          whole: {
            contentType: 'application/json',
            body: 'data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
          },
        },
      ],
      async server => {
        const kind = kinds.at(-1)
        assert.ok(kind)
        assert.equal(textOf(await collect(createProvider(kind, server.url)), 'text-delta'), 'Hi')
      },
    ))

  it('what a service refuses is not sent', async () => {
    const asked: ModelRequest = {
      ...request,
      messages: [
        ...request.messages,
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'Hm.' },
            { type: 'text', text: 'So.' },
          ],
        },
        { role: 'user', content: [{ type: 'text', text: 'Go on.' }] },
      ],
    }
    await withServer([{ text: 'ok' }], async server => {
      const kind = kinds.at(-1)
      assert.ok(kind)
      await collect(createProvider(kind, server.url, { sendReasoning: false, includeUsage: false }), asked)
      assert.doesNotMatch(JSON.stringify(server.requests[0]?.body), /Hm\.|stream_options/)
    })
  })

  it('a call id that comes again in a conversation gets a new one', () =>
    withServer([{ calls: [{ tool: 'read', args: {}, id: 'call_1' }] }], async server => {
      const kind = kinds.at(-1)
      assert.ok(kind)
      const events = await collect(createProvider(kind, server.url), conversation)
      const call = events.find(event => event.type === 'tool-call')
      assert.equal(call?.callID, 'call_1_2')
    }))
})
