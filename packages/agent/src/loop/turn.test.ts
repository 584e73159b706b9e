import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  builtinRules,
  createId,
  createPermissionGate,
  nobodyToAsk,
  noTokens,
  type Part,
  type PermissionAnswerer,
  type Session,
  SessionError,
  type SessionEvent,
  type SessionStore,
  StoreError,
  systemClock,
  type Tool,
  type ToolContext,
  ToolFailure,
  type ToolPart,
  ToolSet,
  type TurnOutcome,
  type TurnOwner,
} from '@deckhand/core'
import { createMemoryStore } from '@deckhand/store'
import { z } from 'zod'
import type { ModelEvent, ModelProvider, ModelRequest } from '../provider/contract.ts'
import { parseScript } from '../provider/scripted/script.ts'
import { createScriptedProvider } from '../provider/scripted/scripted-provider.ts'
import { createSessionRecorder, type LiveEvent } from '../run/recorder.ts'
import { interruptedResult } from './history.ts'
import { runTurn, type TurnLimits } from './turn.ts'

const owner: TurnOwner = { pid: 1, processStart: 'now', host: 'here', since: 1 }
const cancelledResult = 'Cancelled before it ended. It may have had effects; look before you do it again.'

interface TurnTest {
  readonly session: Session
  readonly store: SessionStore
  readonly events: SessionEvent[]
  readonly live: LiveEvent[]
  /** What the model was sent, request by request. */
  readonly requests: ModelRequest[]
  /** Resolves when a tool named `hang` has been called. */
  readonly hanging: Promise<void>
  readonly cancel: () => void
  run(prompt?: string): Promise<TurnOutcome>
}

interface TurnTestOptions {
  /** A script's text, or a provider of another kind. */
  readonly model: string | ModelProvider
  readonly limits?: Partial<TurnLimits>
  readonly answerer?: PermissionAnswerer
  readonly maxAttempts?: number
  /** Stands between the loop and the real store. */
  readonly wrapStore?: (store: SessionStore) => SessionStore
}

/** A session in a store in memory, with small tools and a model that says what the test wrote. */
async function prepare(t: TestContext, options: TurnTestOptions): Promise<TurnTest> {
  const memory = await createMemoryStore()
  t.after(() => memory.close())
  const store = options.wrapStore?.(memory) ?? memory
  const session: Session = {
    id: createId('session'),
    title: 'a turn',
    directory: '/w',
    time: { created: 1, updated: 1 },
  }
  await memory.create(session)
  const events: SessionEvent[] = []
  const live: LiveEvent[] = []
  const requests: ModelRequest[] = []
  const cancel = new AbortController()
  const hanging = Promise.withResolvers<void>()
  const provider = await createProvider(options.model)
  const recorder = createSessionRecorder(store, session.id, {
    onEvent: event => events.push(event),
    onLive: event => live.push(event),
  })
  const gate = createPermissionGate({
    rules: builtinRules,
    mode: 'ask',
    answerer: options.answerer ?? nobodyToAsk,
    clock: systemClock,
  })
  const run = (prompt = 'go') =>
    runTurn(
      {
        store,
        recorder,
        provider: logRequests(provider, requests),
        tools: createTools(hanging.resolve),
        gate,
        clock: systemClock,
        retry: { maxAttempts: options.maxAttempts ?? 3, maxTotalMs: 10_000, firstDelayMs: 1, maxDelayMs: 1 },
        system: 'Be careful.',
      },
      {
        session,
        prompt: [{ type: 'text', text: prompt }],
        agent: 'build',
        limits: { maxSteps: 20, ...options.limits },
        signal: cancel.signal,
        owner,
        isAlive: () => true,
      },
    )
  return {
    session,
    store: memory,
    events,
    live,
    requests,
    hanging: hanging.promise,
    cancel: () => cancel.abort(new DOMException('The run was interrupted.', 'AbortError')),
    run,
  }
}

async function createProvider(model: string | ModelProvider): Promise<ModelProvider> {
  if (typeof model !== 'string') return model
  return createScriptedProvider(await parseScript(model, 'test.yaml'), 'test.yaml', { workspace: '/w' })
}

function logRequests(provider: ModelProvider, requests: ModelRequest[]): ModelProvider {
  return {
    ...provider,
    stream(request, signal) {
      // As it is sent: what is undefined is not there.
      requests.push(JSON.parse(JSON.stringify(request)))
      return provider.stream(request, signal)
    },
  }
}

/** A model that streams these events, and then does what `end` says. */
function createStreamingModel(events: readonly ModelEvent[], end?: (signal: AbortSignal) => Promise<void>) {
  const provider: ModelProvider = {
    providerID: 'streaming',
    modelID: 'm',
    capabilities: { acceptsImages: true, price: { input: 1, output: 10, cacheRead: 0, cacheWrite: 0 } },
    async *stream(_, signal) {
      yield* events
      await end?.(signal)
    },
  }
  return provider
}

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

/** `echo` gives its text back; `count` another number each time; `meet` waits for a second one; `hang` waits for the cancel; `ask` needs permission. */
function createTools(onHang: () => void): ToolSet {
  const met = Promise.withResolvers<void>()
  let guests = 0
  let count = 0
  const makers: Record<string, (input: { text: string }, context: ToolContext) => Promise<string>> = {
    echo: async ({ text }) => text,
    count: async () => `call ${++count}`,
    meet: async ({ text }) => {
      guests++
      if (guests === 2) met.resolve()
      await met.promise
      return `met ${text}`
    },
    hang: async (_, { signal }) => {
      onHang()
      return untilAborted(signal)
    },
    ask: async ({ text }, { ask }) => {
      await ask({ title: text, parts: [{ permission: 'shell', pattern: text, effect: 'execute' }] })
      return 'done'
    },
    fail: async ({ text }) => {
      throw new ToolFailure('no-match', `The text ${text} is not in the file.`, { text })
    },
    bug: async () => {
      throw new TypeError('x is not a function')
    },
  }
  return new ToolSet(Object.entries(makers).map(([name, act]) => createTool(name, act)))
}

function createTool(name: string, act: (input: { text: string }, context: ToolContext) => Promise<string>): Tool {
  const schema = z.object({ text: z.string().default('') })
  return {
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
    execute: async (input, context) => ({
      title: name,
      output: await act(schema.parse(input), context),
      metadata: {},
    }),
  }
}

async function storedParts({ store, session }: TurnTest): Promise<readonly Part[]> {
  return (await store.messages(session.id)).flatMap(({ parts }) => parts)
}

async function storedCalls(turn: TurnTest): Promise<readonly ToolPart[]> {
  return (await storedParts(turn)).filter(part => part.type === 'tool')
}

function describeCalls(calls: readonly ToolPart[]): readonly string[] {
  return calls.map(({ tool, state }) => {
    if (state.status === 'completed') return `${tool} completed: ${state.output}`
    return `${tool} ${state.status}${state.status === 'error' ? `: ${state.error}` : ''}`
  })
}

/** The whole of an outcome that is the same in each run. */
const outcome = (changes: Partial<TurnOutcome>) => ({
  text: '',
  tokens: noTokens,
  cost: 0,
  steps: 1,
  unanswered: 0,
  ...changes,
})

/** The turn was given back, and the log ends with how it ended. */
async function assertEnded(turn: TurnTest, ended: TurnOutcome): Promise<void> {
  const events = await turn.store.events(turn.session.id, 0)
  const last = events.at(-1)?.event
  assert.deepEqual(last?.type === 'turn.ended' && last.outcome, ended)
  assert.deepEqual(
    events.slice(1).map(({ event }) => event),
    turn.events,
    'what was told is what was stored',
  )
  const other = { ...owner, pid: 2 }
  await turn.store.claimTurn(turn.session.id, other, () => true)
  await turn.store.releaseTurn(turn.session.id, other)
}

test('a turn of words is stored from the question to its end, in this order', async t => {
  const turn = await prepare(t, {
    model: '- think: Hm.\n  say: All is well.\n  usage: { input: 12, output: 3, reasoning: 1 }',
  })
  const ended = await turn.run('how is it?')
  const tokens = { total: 15, input: 12, output: 3, reasoning: 1, cache: { read: 0, write: 0 } }
  assert.deepEqual(ended, outcome({ reason: 'done', text: 'All is well.', tokens }))
  assert.deepEqual(
    turn.events.map(event => (event.type === 'part.updated' ? `part ${event.part.type}` : event.type)),
    [
      'turn.started',
      'message.updated',
      'part text',
      'message.updated',
      'part step-start',
      'part reasoning',
      'part text',
      'part step-finish',
      'message.updated',
      'turn.ended',
    ],
  )
  await assertEnded(turn, ended)
  const [question, answer] = await turn.store.messages(turn.session.id)
  assert.equal(question?.info.role, 'user')
  assert.deepEqual(answer?.info.role === 'assistant' && [answer.info.finish, answer.info.tokens, answer.info.model], [
    'stop',
    tokens,
    { providerID: 'script', modelID: 'test.yaml' },
  ])
  const [request] = turn.requests
  assert.equal(request?.system, 'Be careful.')
  assert.deepEqual(request?.messages, [{ role: 'user', content: [{ type: 'text', text: 'how is it?' }] }])
  assert.deepEqual(
    request?.tools.map(({ name }) => name),
    ['echo', 'count', 'meet', 'hang', 'ask', 'fail', 'bug'],
  )
})

test('the calls of one step run side by side, and the model gets each result in the order of its calls', async t => {
  const turn = await prepare(t, {
    model: `
- call: [{ meet: { text: a } }, { meet: { text: b } }]
- expect: ["met a", "met b"]
  say: Both met.`,
  })
  const ended = await turn.run()
  assert.deepEqual(ended, outcome({ reason: 'done', text: 'Both met.', steps: 2 }))
  assert.deepEqual(turn.requests[1]?.messages.slice(1), [
    {
      role: 'assistant',
      content: [
        { type: 'tool-call', callID: 'call_1', tool: 'meet', input: { text: 'a' } },
        { type: 'tool-call', callID: 'call_2', tool: 'meet', input: { text: 'b' } },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          callID: 'call_1',
          tool: 'meet',
          output: 'met a',
          isError: false,
        },
        {
          type: 'tool-result',
          callID: 'call_2',
          tool: 'meet',
          output: 'met b',
          isError: false,
        },
      ],
    },
  ])
})

test('what a tool could not do, a tool that is not there and a wrong input go back to the model, and the turn goes on', async t => {
  const turn = await prepare(t, {
    model: `
- call: [{ fail: { text: abc } }, { teleport: {} }, { echo: { text: 5 } }]
- expect: "The text abc is not in the file."
  say: I do it another way.`,
  })
  assert.equal((await turn.run()).reason, 'done')
  const calls = await storedCalls(turn)
  assert.deepEqual(describeCalls(calls), [
    'fail error: The text abc is not in the file.',
    'teleport error: There is no tool "teleport". The tools are: echo, count, meet, hang, ask, fail, bug.',
    'echo error: The input of echo is not valid, so nothing was done. text: Invalid input: expected string, received number.',
  ])
  assert.deepEqual(calls[0]?.state.status === 'error' && calls[0].state.metadata, { text: 'abc', error: 'no-match' })
  const results = turn.requests[1]?.messages.at(-1)
  assert.ok(results?.role === 'tool' && results.content.every(({ isError }) => isError))
})

test('a bug of a tool ends the turn with an error; its call and those beside it are closed, and the next turn goes on', async t => {
  const turn = await prepare(t, {
    model: `
- call: [{ bug: {} }, { echo: { text: fine } }]
  usage: { input: 10, output: 1 }
- say: Here I am again.`,
  })
  const ended = await turn.run()
  const bugWords =
    'Deckhand itself failed in this call (x is not a function). This is a bug of Deckhand, not of the call; what the call did is not known.'
  assert.deepEqual(
    ended,
    outcome({
      reason: 'error',
      error: { name: 'UnknownError', data: { message: 'x is not a function' } },
      tokens: { ...noTokens, total: 11, input: 10, output: 1 },
    }),
  )
  assert.deepEqual(describeCalls(await storedCalls(turn)), [`bug error: ${bugWords}`, 'echo completed: fine'])
  const [, answer] = await turn.store.messages(turn.session.id)
  assert.deepEqual(
    answer?.info.role === 'assistant' && [
      answer.info.error?.data.message,
      answer.info.finish,
      answer.info.tokens.input,
    ],
    ['x is not a function', 'error', 10],
  )
  await assertEnded(turn, ended)

  assert.equal((await turn.run('again')).text, 'Here I am again.')
  const results = turn.requests[1]?.messages[2]
  assert.deepEqual(results?.role === 'tool' && results.content.map(({ output }) => output), [bugWords, 'fine'])
})

test('a turn ends at its limit of steps, with every call answered', async t => {
  const turn = await prepare(t, {
    model: `
- call: { echo: { text: one } }
- say: So far.
  call: { echo: { text: two } }
- say: never asked for`,
    limits: { maxSteps: 2 },
  })
  const ended = await turn.run()
  assert.deepEqual(ended, outcome({ reason: 'step-limit', limit: 2, steps: 2, text: 'So far.' }))
  assert.equal(turn.requests.length, 2)
  assert.deepEqual(describeCalls(await storedCalls(turn)), ['echo completed: one', 'echo completed: two'])
  await assertEnded(turn, ended)
})

test('core.cancel: a turn ends at its limit of time in the middle of a call, which is closed', async t => {
  const turn = await prepare(t, { model: '- call: { hang: {} }', limits: { timeoutMs: 1000 } })
  const ended = await turn.run()
  assert.deepEqual(ended, outcome({ reason: 'time-limit', limitMs: 1000 }))
  assert.deepEqual(describeCalls(await storedCalls(turn)), [`hang error: ${cancelledResult}`])
  await assertEnded(turn, ended)
})

test('core.cancel: a cancel in a call ends the turn, and the call is told as cancelled in the next one', async t => {
  const turn = await prepare(t, {
    model: '- say: I wait.\n  call: [{ hang: {} }, { echo: { text: quick } }]\n- say: I look first.',
  })
  const running = turn.run()
  await turn.hanging
  turn.cancel()
  const ended = await running
  assert.deepEqual(ended, outcome({ reason: 'cancelled', text: 'I wait.' }))
  assert.deepEqual(describeCalls(await storedCalls(turn)), [`hang error: ${cancelledResult}`, 'echo completed: quick'])
  const finish = (await storedParts(turn)).at(-1)
  assert.equal(finish?.type === 'step-finish' && finish.reason, 'cancelled')
  await assertEnded(turn, ended)
})

test('core.cancel: a cancel in the stream keeps the half text as interrupted, and starts none of its calls', async t => {
  const streaming = Promise.withResolvers<void>()
  const turn = await prepare(t, {
    model: createStreamingModel(
      [
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '1', text: 'I will now' },
        { type: 'tool-call', callID: 'c1', tool: 'echo', input: '{"text":"x"}' },
      ],
      signal => {
        streaming.resolve()
        return untilAborted(signal)
      },
    ),
  })
  const running = turn.run()
  await streaming.promise
  turn.cancel()
  const ended = await running
  assert.deepEqual(ended, outcome({ reason: 'cancelled', steps: 0 }))
  const [, answer] = await turn.store.messages(turn.session.id)
  assert.deepEqual(
    answer?.parts.map(part => (part.type === 'text' ? [part.text, part.interrupted] : part.type)),
    ['step-start', ['I will now', true]],
  )
  assert.equal(answer?.info.role === 'assistant' && answer.info.error?.name, 'MessageAbortedError')
  await assertEnded(turn, ended)
})

test('core.cancel: a cancel before the first word, in a wait for a retry and before the turn all end it at once', {
  timeout: 6_000,
}, async t => {
  const slow = await prepare(t, { model: '- wait: 86400000\n  say: late' })
  const running = slow.run()
  while (slow.requests.length === 0) await new Promise(setImmediate)
  slow.cancel()
  assert.deepEqual(await running, outcome({ reason: 'cancelled', steps: 0 }))

  const retrying = await prepare(t, { model: '- fail: { status: 429, retryAfterMs: 9000 }\n- say: late' })
  const waiting = retrying.run()
  while (!retrying.events.some(({ type }) => type === 'retry')) await new Promise(setImmediate)
  retrying.cancel()
  assert.deepEqual(await waiting, outcome({ reason: 'cancelled', steps: 0 }))

  const before = await prepare(t, { model: '- say: never' })
  before.cancel()
  const ended = await before.run()
  assert.deepEqual(ended, outcome({ reason: 'cancelled', steps: 0 }))
  assert.equal(before.requests.length, 0)
  await assertEnded(before, ended)
})

const threeTimes = `
- call: { echo: { text: same } }
- call: { echo: { text: same } }
- call: { echo: { text: same } }
- say: At last.`

test('the same call for the third time in a row, with nobody to ask, ends the turn; the third is not run', async t => {
  const turn = await prepare(t, { model: threeTimes })
  const ended = await turn.run()
  assert.deepEqual(ended, outcome({ reason: 'doom-loop', tool: 'echo', times: 3, steps: 3, unanswered: 1 }))
  assert.deepEqual(describeCalls(await storedCalls(turn)), [
    'echo completed: same',
    'echo completed: same',
    'echo error: Not run: the turn was ended before it.',
  ])
  await assertEnded(turn, ended)
})

test('the same call for the third time goes on when a person says so, and ends the turn when they say no', async t => {
  const titles: string[] = []
  const allowed = await prepare(t, {
    model: threeTimes,
    answerer: async (_, { title }) => {
      titles.push(title)
      return { reply: 'once', by: 'test' }
    },
  })
  assert.deepEqual(await allowed.run(), outcome({ reason: 'done', text: 'At last.', steps: 4 }))
  assert.deepEqual(titles, ['The model asks for the same call of echo for the 3rd time in a row. Let it go on?'])

  const refused = await prepare(t, { model: threeTimes, answerer: async () => ({ reply: 'reject', by: 'test' }) })
  assert.deepEqual(await refused.run(), outcome({ reason: 'doom-loop', tool: 'echo', times: 3, steps: 3 }))
})

test('the same call with another answer each time is polling, and goes on', async t => {
  const turn = await prepare(t, {
    model: `${'- call: { count: {} }\n'.repeat(5)}- say: Five.`,
  })
  assert.deepEqual(await turn.run(), outcome({ reason: 'done', text: 'Five.', steps: 6 }))
})

test('a stream that breaks is asked for again: the half text is kept as interrupted, shown as taken back, and not sent', async t => {
  const turn = await prepare(t, { model: '- say: I will n\n  fail: drop\n- say: I will not.\n- say: And now?' })
  assert.deepEqual(await turn.run(), outcome({ reason: 'done', text: 'I will not.' }))
  const texts = (await storedParts(turn)).flatMap(part =>
    part.type === 'text' ? [[part.text, part.interrupted ?? false]] : [],
  )
  assert.deepEqual(texts, [
    ['go', false],
    ['I will n', true],
    ['I will not.', false],
  ])
  const retry = turn.events.find(({ type }) => type === 'retry')
  assert.deepEqual(
    retry?.type === 'retry' && [retry.attempt, retry.maxAttempts, retry.error.name, retry.error.data.code],
    [1, 3, 'APIError', 'stream-cut'],
  )
  assert.deepEqual(
    turn.live.map(({ type }) => type).filter(type => type !== 'text-delta'),
    ['text-end', 'text-reset', 'text-end'],
  )

  await turn.run('and now')
  assert.deepEqual(turn.requests[2]?.messages.slice(0, 2), [
    { role: 'user', content: [{ type: 'text', text: 'go' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'I will not.' }] },
  ])
})

test('requests that fail again and again end the turn with the last error and how often it was tried', async t => {
  const turn = await prepare(t, {
    model: '- fail: { status: 503 }\n- fail: { status: 503 }\n- say: too late',
    maxAttempts: 2,
  })
  const ended = await turn.run()
  assert.equal(turn.requests.length, 2)
  assert.ok(ended.reason === 'error')
  assert.equal(ended.error.data.message, 'script (503): The script says so. (given up after 2 attempts)')
  assert.equal(ended.steps, 0)
  await assertEnded(turn, ended)
})

test('what can not get better is not asked again: a refused request ends the turn', async t => {
  const turn = await prepare(t, { model: '- fail: { status: 400, message: no such field }\n- say: never' })
  const ended = await turn.run()
  assert.equal(turn.requests.length, 1)
  assert.deepEqual(ended.reason === 'error' && [ended.error.name, ended.error.data.statusCode], ['APIError', 400])
  assert.equal(
    turn.events.some(({ type }) => type === 'retry'),
    false,
  )
})

const spent = { total: 1_100_000, input: 1_000_000, output: 100_000, reasoning: 0, cache: { read: 0, write: 0 } }
const cutText: readonly ModelEvent[] = [
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', text: 'Once upon' },
  { type: 'text-end', id: '1' },
]

test("an answer that reached the model's limit of output, and one that was withheld, are told as that", async t => {
  const long = await prepare(t, {
    model: createStreamingModel([...cutText, { type: 'finish', reason: 'length', tokens: spent }]),
  })
  assert.deepEqual(await long.run(), outcome({ reason: 'output-limit', text: 'Once upon', tokens: spent, cost: 2 }))

  const withheld = await prepare(t, {
    model: createStreamingModel([...cutText, { type: 'finish', reason: 'content-filter', tokens: spent }]),
  })
  const ended = await withheld.run()
  assert.deepEqual(ended.reason === 'error' && ended.error, {
    name: 'ContentFilterError',
    data: {
      message:
        'The provider withheld the rest of the answer (content filter). Word the request differently, or use another model.',
    },
  })
})

test('core.sessions: a session that another living process works in is busy; nothing is stored and the holder stays', async t => {
  const turn = await prepare(t, { model: '- say: never' })
  const holder = { pid: 77, processStart: 'then', host: 'here', since: 5 }
  await turn.store.claimTurn(turn.session.id, holder, () => true)
  await assert.rejects(turn.run(), error => error instanceof SessionError && error.code === 'busy')
  assert.deepEqual(turn.events, [])
  await assert.rejects(
    turn.store.claimTurn(turn.session.id, owner, () => true),
    { code: 'busy' },
  )
})

test('core.sessions: calls that a killed process left open are closed, told to the model, and noticed', async t => {
  const turn = await prepare(t, {
    model: '- expect: go on\n  say: I look at what is there.',
  })
  const { session, store } = turn
  const messageID = createId('message')
  const call: ToolPart = {
    id: createId('part'),
    sessionID: session.id,
    messageID,
    type: 'tool',
    tool: 'echo',
    callID: 'c1',
    state: { status: 'running', input: { text: 'x' }, time: { start: 5 } },
  }
  await store.append(session.id, [
    {
      type: 'message.updated',
      message: {
        id: messageID,
        sessionID: session.id,
        role: 'assistant',
        agent: 'build',
        model: { providerID: 'script', modelID: 'old.yaml' },
        tokens: noTokens,
        cost: 0,
        time: { created: 4 },
      },
    },
    { type: 'part.updated', part: call },
  ])
  assert.equal((await turn.run('go on')).reason, 'done')
  assert.deepEqual(describeCalls(await storedCalls(turn)), [`echo error: ${interruptedResult}`])
  assert.deepEqual(turn.requests[0]?.messages[1], {
    role: 'tool',
    content: [{ type: 'tool-result', callID: 'c1', tool: 'echo', output: interruptedResult, isError: true }],
  })
  const notice = turn.events.find(({ type }) => type === 'notice')
  assert.deepEqual(notice, {
    type: 'notice',
    code: 'interrupted-calls',
    message: 'An earlier turn was ended in the middle: 1 tool call has no result, and the model is told so.',
  })
})

test('core.pending: questions that nobody could answer are counted, and the model is told how they can be allowed', async t => {
  const turn = await prepare(t, {
    model: `
- call: [{ ask: { text: make a } }, { ask: { text: make b } }]
- expect: ["make a (", "make b (", "nobody can be asked here", "run with --auto"]
  say: I could not.`,
  })
  assert.deepEqual(await turn.run(), outcome({ reason: 'done', text: 'I could not.', steps: 2, unanswered: 2 }))
})

test('core.pending: a no with its reason reaches the model word for word, and counts as answered', async t => {
  const turn = await prepare(t, {
    model: '- call: { ask: { text: npm install } }\n- say: Then with pnpm.',
    answerer: async () => ({ reply: 'reject', by: 'test', words: 'use pnpm' }),
  })
  assert.deepEqual(await turn.run(), outcome({ reason: 'done', text: 'Then with pnpm.', steps: 2 }))
  assert.deepEqual(describeCalls(await storedCalls(turn)), [
    'ask error: The user was asked and said no to npm install, because: use pnpm\nNothing was done. Go on as they say.',
  ])
})

test('core.sessions: when nothing can be stored any more the turn throws what the store said, and is given back', async t => {
  let isFull = false
  const turn = await prepare(t, {
    model: '- call: { hang: {} }',
    wrapStore: store => ({
      ...store,
      append: async (id, events) => {
        if (isFull) throw new StoreError('full', 'There is no room on the disk.')
        return store.append(id, events)
      },
    }),
  })
  const running = turn.run()
  await turn.hanging
  isFull = true
  turn.cancel()
  await assert.rejects(running, { name: 'StoreError', code: 'full' })
  await turn.store.claimTurn(turn.session.id, { ...owner, pid: 2 }, () => true)
})
