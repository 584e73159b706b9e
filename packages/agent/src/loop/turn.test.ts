import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createId,
  PermissionDenied,
  type PermissionQuestion,
  ProviderError,
  type Session,
  type SessionEvent,
  type SessionStore,
  systemClock,
  type Tool,
  ToolFailure,
  ToolSet,
  type TurnOutcome,
} from '@deckhand/core'
import { createMemoryStore } from '@deckhand/store'
import { z } from 'zod'
import type { ModelProvider, ModelRequest } from '../provider/contract.ts'
import type { Script } from '../provider/scripted/script.ts'
import { createScriptedProvider } from '../provider/scripted/scripted-provider.ts'
import { createSessionRecorder, type LiveEvent } from '../run/recorder.ts'
import { runTurn, type TurnLimits } from './turn.ts'

const schema = z.object({ word: z.string() })
type Say = (
  input: z.infer<typeof schema>,
  signal: AbortSignal,
  ask: (pattern: string) => Promise<void>,
) => Promise<string>

function createTool(name: string, act: Say): Tool {
  const tool: Tool<typeof schema> = {
    name,
    description: name,
    schema,
    annotations: {
      title: name,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    async execute(input, { signal, ask }) {
      const question = (pattern: string) =>
        ask({ title: pattern, parts: [{ permission: 'shell', pattern, effect: 'execute' }] })
      return { title: input.word, output: await act(input, signal, question), metadata: {} }
    },
  }
  return tool as unknown as Tool
}

interface Setup {
  readonly script?: Script
  readonly provider?: ModelProvider
  readonly tools?: readonly Tool[]
  readonly limits?: Partial<TurnLimits>
  readonly gate?: (question: PermissionQuestion) => Promise<void>
  readonly signal?: AbortSignal
  readonly store?: SessionStore
  readonly onEvent?: (event: SessionEvent) => void
}

interface Ran {
  readonly outcome: TurnOutcome
  readonly events: readonly SessionEvent[]
  readonly live: readonly LiveEvent[]
  readonly requests: readonly ModelRequest[]
  readonly session: Session
  readonly store: SessionStore
}

async function run(setup: Setup): Promise<Ran> {
  const store = setup.store ?? (await createMemoryStore())
  const session: Session = { id: createId('session'), title: 't', directory: '/w', time: { created: 1, updated: 1 } }
  await store.create(session)
  return runIn(session, store, setup)
}

async function runIn(session: Session, store: SessionStore, setup: Setup): Promise<Ran> {
  const events: SessionEvent[] = []
  const live: LiveEvent[] = []
  const requests: ModelRequest[] = []
  const recorder = createSessionRecorder(store, session.id, {
    onEvent(event) {
      events.push(event)
      setup.onEvent?.(event)
    },
    onLive: event => live.push(event),
  })
  const inner =
    setup.provider ?? createScriptedProvider(setup.script ?? [{ say: 'Hello.' }], 'test', { workspace: '/w' })
  const provider: ModelProvider = {
    ...inner,
    stream(request, signal) {
      requests.push({ ...request, messages: [...request.messages] })
      return inner.stream(request, signal)
    },
  }
  const outcome = await runTurn(
    {
      store,
      recorder,
      provider,
      tools: new ToolSet(setup.tools ?? []),
      gate: { check: setup.gate ?? (async () => {}) },
      clock: systemClock,
      retry: { maxAttempts: 3, maxTotalMs: 5_000, firstDelayMs: 1, maxDelayMs: 2 },
      system: 'system words',
    },
    {
      session,
      prompt: [{ type: 'text', text: 'Do it.' }],
      agent: 'build',
      limits: { maxSteps: 10, ...setup.limits },
      signal: setup.signal ?? new AbortController().signal,
      owner: { pid: 1, processStart: 'x', host: 'h', since: 1 },
      isAlive: () => true,
    },
  )
  return { outcome, events, live, requests, session, store }
}

const toolParts = ({ events }: Pick<Ran, 'events'>) =>
  events.flatMap(event => (event.type === 'part.updated' && event.part.type === 'tool' ? [event.part] : []))
const ends = (ran: Pick<Ran, 'events'>) =>
  toolParts(ran).flatMap(({ state }) => {
    if (state.status === 'completed') return [state.output]
    return state.status === 'error' ? [`failed: ${state.error}`] : []
  })

test('calls of one step run side by side, and their results reach the model in the next request', async () => {
  const bothStarted = Promise.withResolvers<void>()
  let started = 0
  const tool = createTool('echo', async ({ word }) => {
    if (++started === 2) bothStarted.resolve()
    await bothStarted.promise
    return `echo ${word}`
  })
  const ran = await run({
    tools: [tool],
    script: [{ say: 'Calling.', call: [{ echo: { word: 'a' } }, { echo: { word: 'b' } }] }, { say: 'Done.' }],
  })
  assert.equal(ran.outcome.reason, 'done')
  assert.equal(ran.outcome.text, 'Done.')
  assert.equal(ran.outcome.steps, 2)
  const results = ran.requests[1]?.messages.at(-1)
  assert.equal(results?.role, 'tool')
  assert.deepEqual(
    results?.content.map(part => (part.type === 'tool-result' ? part.output : '')),
    ['echo a', 'echo b'],
  )
})

test('what the model can mend goes back to it, and the turn goes on', async () => {
  const tool = createTool('look', async () => {
    throw new ToolFailure('not-found', 'There is no such file.')
  })
  const ran = await run({
    tools: [tool],
    script: [{ call: [{ look: { word: 'x' } }, { luck: { word: 'x' } }] }, { say: 'I see.' }],
  })
  assert.equal(ran.outcome.reason, 'done')
  assert.deepEqual(ends(ran).sort(), [
    'failed: There is no such file.',
    'failed: There is no tool "luck". The tools are: look.',
  ])
})

test('a bug of a tool ends the turn with its words, and every call has an end in the history', async () => {
  const buggy = createTool('buggy', async () => {
    throw new TypeError('x is undefined')
  })
  const fine = createTool('fine', async () => 'fine')
  const ran = await run({
    tools: [buggy, fine],
    script: [{ call: [{ buggy: { word: 'x' } }, { fine: { word: 'x' } }] }, { say: 'never' }],
  })
  assert.equal(ran.outcome.reason, 'error')
  assert.match(JSON.stringify(ran.outcome), /x is undefined/)
  assert.equal(ends(ran).length, 2)
  assert.match(ends(ran).join('\n'), /This is a bug of Deckhand, not of the call/)
})

test('the step limit ends the turn', async () => {
  const tool = createTool('echo', async ({ word }) => word)
  const script: Script = Array.from({ length: 5 }, (_, index) => ({ call: { echo: { word: `${index}` } } }))
  const { outcome } = await run({ tools: [tool], script, limits: { maxSteps: 2 } })
  assert.deepEqual(outcome.reason === 'step-limit' && [outcome.limit, outcome.steps], [2, 2])
})

test('the time limit ends a call that runs, and what it told by then is kept', async () => {
  const tool = createTool(
    'wait',
    (_, signal) => new Promise(resolve => signal.addEventListener('abort', () => resolve('cut short'))),
  )
  const ran = await run({
    tools: [tool],
    script: [{ call: { wait: { word: 'x' } } }, { say: 'never' }],
    limits: { timeoutMs: 30 },
  })
  assert.deepEqual(ran.outcome.reason === 'time-limit' && ran.outcome.limitMs, 30)
  assert.deepEqual(ends(ran), ['cut short'])
})

test('core.cancel: a cancel in the middle of the answer keeps the words that had come', async () => {
  const controller = new AbortController()
  const provider: ModelProvider = {
    providerID: 'p',
    modelID: 'm',
    capabilities: { acceptsImages: false },
    async *stream(_, signal) {
      yield { type: 'text-delta', id: '0', text: 'Half of' }
      controller.abort(new DOMException('stop', 'AbortError'))
      signal.throwIfAborted()
    },
  }
  const ran = await run({ provider, signal: controller.signal })
  assert.equal(ran.outcome.reason, 'cancelled')
  const [message] = (await ran.store.messages(ran.session.id)).slice(-1)
  const text = message?.parts.find(part => part.type === 'text')
  assert.deepEqual(text?.type === 'text' && [text.text, text.interrupted], ['Half of', true])
  assert.equal(message?.info.role === 'assistant' && message.info.error?.name, 'MessageAbortedError')
})

test('core.cancel: the tokens of an answer whose calls were cancelled count', async () => {
  const controller = new AbortController()
  const tool = createTool('wait', (_, signal) => {
    controller.abort(new DOMException('stop', 'AbortError'))
    signal.throwIfAborted()
    return Promise.resolve('never')
  })
  const ran = await run({
    tools: [tool],
    script: [
      { call: { wait: { word: 'x' } }, usage: { input: 100, output: 5, reasoning: 0, cacheRead: 0, cacheWrite: 0 } },
    ],
    signal: controller.signal,
  })
  assert.equal(ran.outcome.reason, 'cancelled')
  assert.equal(ran.outcome.tokens.total, 105)
  assert.match(ends(ran)[0] ?? '', /^failed: Cancelled before it ended/)
})

test('a model that repeats a call with the same answer is stopped, unless somebody lets it go on', async () => {
  const tool = createTool('echo', async ({ word }) => word)
  const script: Script = [...Array.from({ length: 4 }, () => ({ call: { echo: { word: 'same' } } })), { say: 'Done.' }]
  const asked: string[] = []
  const refused = await run({
    tools: [tool],
    script,
    async gate(question) {
      asked.push(question.title)
      if (question.parts[0]?.permission === 'doom_loop') throw new PermissionDenied('nobody-to-ask', 'nobody')
    },
  })
  assert.deepEqual(refused.outcome.reason === 'doom-loop' && [refused.outcome.tool, refused.outcome.times], ['echo', 3])
  assert.equal(refused.outcome.unanswered, 1)
  assert.deepEqual(asked, ['The model asks for the same call of echo for the 3rd time in a row. Let it go on?'])
  assert.equal(ends(refused).at(-1), 'failed: Not run: the turn was ended before it.')

  const allowed = await run({ tools: [tool], script })
  assert.equal(allowed.outcome.reason, 'done')
})

test('core.providers: a stream that breaks is asked for again, the half text is kept, and the retry is told', async () => {
  let attempts = 0
  const provider: ModelProvider = {
    providerID: 'p',
    modelID: 'm',
    capabilities: { acceptsImages: false },
    async *stream() {
      yield { type: 'text-delta', id: '0', text: ++attempts === 1 ? 'It is th' : 'It is there.' }
      if (attempts === 1) throw new ProviderError('stream-cut', 'cut', { provider: 'p', model: 'm', retryable: true })
      yield {
        type: 'finish',
        reason: 'stop',
        tokens: { total: 3, input: 2, output: 1, reasoning: 0, cache: { read: 0, write: 0 } },
      }
    },
  }
  const ran = await run({ provider })
  assert.equal(ran.outcome.text, 'It is there.')
  assert.deepEqual(
    ran.events
      .filter(event => event.type === 'retry')
      .map(({ attempt, maxAttempts, error }) => [attempt, maxAttempts, error.data.message]),
    [[1, 3, 'cut']],
  )
  const texts = ran.events.flatMap(event =>
    event.type === 'part.updated' && event.part.type === 'text' && event.part.text !== 'Do it.'
      ? [[event.part.text, event.part.interrupted]]
      : [],
  )
  assert.deepEqual(texts, [
    ['It is th', true],
    ['It is there.', undefined],
  ])
  assert.ok(ran.live.some(event => event.type === 'text-reset'))
})

test('core.providers: an error that no retry mends ends the turn as an outcome, with its facts', async () => {
  const { outcome } = await run({ script: [{ fail: { status: 400, message: 'wrong request' } }] })
  assert.equal(outcome.reason, 'error')
  assert.ok(outcome.reason === 'error' && outcome.error.name === 'APIError' && outcome.error.data.statusCode === 400)
})

test('core.three_noes: the words of a denial reach the model as the result of its call', async () => {
  const tool = createTool('act', async (_, __, ask) => {
    await ask('rm -rf build')
    return 'never'
  })
  const ran = await run({
    tools: [tool],
    script: [{ call: { act: { word: 'x' } } }, { say: 'Then not.' }],
    async gate() {
      throw new PermissionDenied('rejected-with-words', 'The user said no, because: not today.')
    },
  })
  assert.deepEqual(ends(ran), ['failed: The user said no, because: not today.'])
  assert.equal(ran.outcome.reason, 'done')
  assert.equal(ran.outcome.unanswered, 0)
})

test('core.run_state: a second turn of a session that is busy is refused, with who and since when', async () => {
  const store = await createMemoryStore()
  const session: Session = { id: createId('session'), title: 't', directory: '/w', time: { created: 1, updated: 1 } }
  await store.create(session)
  const started = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const tool = createTool('wait', async () => {
    started.resolve()
    await release.promise
    return 'ok'
  })
  const first = runIn(session, store, { tools: [tool], script: [{ call: { wait: { word: 'x' } } }, { say: 'Done.' }] })
  await started.promise
  await assert.rejects(runIn(session, store, {}), { name: 'SessionError', code: 'busy' })
  release.resolve()
  assert.equal((await first).outcome.reason, 'done')
  assert.equal((await runIn(session, store, {})).outcome.reason, 'done')
})

test('core.sessions: calls that a killed process left open are closed as interrupted before the next turn, and told', async () => {
  const store = await createMemoryStore()
  const killed = await run({
    store,
    tools: [createTool('echo', async ({ word }) => word)],
    script: [{ call: { echo: { word: 'a' } } }, { say: 'x' }],
  })
  const [part] = toolParts(killed)
  assert.ok(part)
  await store.append(killed.session.id, [
    { type: 'part.updated', part: { ...part, state: { status: 'running', input: { word: 'a' }, time: { start: 1 } } } },
  ])
  const next = await runIn(killed.session, store, {})
  assert.match(JSON.stringify(next.requests[0]?.messages), /Interrupted: Deckhand was ended while this call ran/)
  assert.ok(next.events.some(event => event.type === 'notice' && event.code === 'interrupted-calls'))
  const again = await runIn(killed.session, store, {})
  assert.ok(!again.events.some(event => event.type === 'notice'))
})

test('an answer at its limit of output, and one that was withheld, are told as such', async () => {
  const answer = (reason: 'length' | 'content-filter'): ModelProvider => ({
    providerID: 'p',
    modelID: 'm',
    capabilities: { acceptsImages: false },
    async *stream() {
      yield { type: 'text-delta', id: '0', text: 'So' }
      yield {
        type: 'finish',
        reason,
        tokens: { total: 0, input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
      }
    },
  })
  assert.equal((await run({ provider: answer('length') })).outcome.reason, 'output-limit')
  const { outcome } = await run({ provider: answer('content-filter') })
  assert.ok(outcome.reason === 'error' && outcome.error.name === 'ContentFilterError')
})

test('an event is told only after it was stored', async () => {
  const store = await createMemoryStore()
  let isStoring = 0
  const toldEarly: string[] = []
  const slow: SessionStore = {
    ...store,
    async append(id, events) {
      isStoring++
      await new Promise(resolve => setImmediate(resolve))
      const seq = await store.append(id, events)
      isStoring--
      return seq
    },
  }
  const ran = await run({
    store: slow,
    onEvent: event => {
      if (isStoring > 0) toldEarly.push(event.type)
    },
  })
  assert.equal(ran.outcome.reason, 'done')
  assert.deepEqual(toldEarly, [])
})
