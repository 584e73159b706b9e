// `deckhand run` against a server on loopback that speaks the four protocols, faults among them.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { lineSchema } from '../../packages/cli/src/json-lines/line-schema.ts'
import { type ServerStep, startModelServer } from '../model-server/model-server.ts'
import { createTestFolder, type Line, parseLines, type Result, runDeckhand } from './deckhand-process.ts'

const key = 'key-0123456789abcdef'

interface Protocol {
  readonly name: string
  readonly npm: string
  readonly path: string
  readonly model: string
  /** After so many events "Half " and "a " have been sent of the text below. */
  readonly halfway: number
  /** How it says, in the middle of a stream, that it is overloaded. */
  readonly overloaded: { readonly code: string; readonly status: number }
}

const protocols: readonly Protocol[] = [
  {
    name: 'OpenAI Responses',
    npm: '@ai-sdk/openai',
    path: '/v1',
    model: 'gpt-5',
    halfway: 6,
    overloaded: { code: 'server_is_overloaded', status: 503 },
  },
  {
    name: 'OpenAI chat',
    npm: '@ai-sdk/openai-compatible',
    path: '/v1',
    model: 'local',
    halfway: 3,
    overloaded: { code: 'overloaded', status: 503 },
  },
  {
    name: 'Anthropic',
    npm: '@ai-sdk/anthropic',
    path: '/v1',
    model: 'claude-sonnet-4-5',
    halfway: 5,
    overloaded: { code: 'overloaded_error', status: 529 },
  },
  {
    name: 'Google',
    npm: '@ai-sdk/google',
    path: '/v1beta',
    model: 'gemini-3-pro',
    halfway: 2,
    overloaded: { code: 'UNAVAILABLE', status: 503 },
  },
]

interface Case {
  readonly name: string
  steps(protocol: Protocol): readonly ServerStep[]
  /** The lines, each in a few words (`summarise`). */
  readonly lines: readonly string[]
  readonly code: number
  /** Not sooner than this. */
  readonly leastMs?: number
  readonly idleTimeoutMs?: number
}

const half = ['Half ', 'a ', 'text'] as const
const answered = ['text OK', 'step_finish stop', 'session.idle done 0 "OK"'] as const

const cases: readonly Case[] = [
  {
    name: 'a streamed answer',
    steps: () => [
      { reasoning: 'Hm.', text: ['O', 'K'], usage: { input: 123, output: 7, cacheRead: 20, reasoning: 3 } },
    ],
    lines: ['session.start', 'step_start', 'reasoning Hm.', ...answered],
    code: 0,
  },
  {
    name: 'parallel calls',
    steps: () => [
      {
        text: 'I look.',
        calls: [
          { tool: 'shell', args: { command: 'sleep 0.5; echo slow' } },
          { tool: 'read', args: { path: 'a.txt' } },
          { tool: 'read', args: { path: 'none.txt' } },
        ],
      },
      { text: 'OK' },
    ],
    lines: [
      'session.start',
      'step_start',
      'text I look.',
      'tool.start shell',
      'tool.start read',
      'tool.start read',
      'tool_use read completed',
      'tool_use read error',
      'tool_use shell completed',
      'step_finish tool-calls',
      'step_start',
      ...answered,
    ],
    code: 0,
  },
  {
    name: 'an error event in the middle of the stream',
    steps: ({ halfway, overloaded }) => [
      { text: half, errorAfter: { events: halfway, message: 'Overloaded', ...overloaded } },
      { text: 'OK' },
    ],
    lines: ['session.start', 'step_start', 'text.interrupted Half a ', 'retry 1 of 3: overloaded', ...answered],
    code: 0,
  },
  {
    name: 'a connection that is cut in the middle of a text',
    steps: ({ halfway }) => [{ text: half, cutAfter: halfway }, { text: 'OK' }],
    lines: ['session.start', 'step_start', 'text.interrupted Half a ', 'retry 1 of 3: stream-cut', ...answered],
    code: 0,
  },
  {
    name: 'a connection that is cut before a word, every time',
    steps: () => [{ drop: true }, { drop: true }, { drop: true }],
    lines: ['session.start', 'retry 1 of 3: network', 'retry 2 of 3: network', 'error APIError network'],
    code: 1,
  },
  {
    name: 'a 429 with Retry-After',
    steps: () => [{ fail: { status: 429, message: 'slow down', headers: { 'retry-after': '1' } } }, { text: 'OK' }],
    lines: ['session.start', 'retry 1 of 3: rate-limit', 'step_start', ...answered],
    code: 0,
    leastMs: 1000,
  },
  {
    name: 'a 429 whose Retry-After is beyond the limit of retries',
    steps: () => [{ fail: { status: 429, message: 'slow down', headers: { 'retry-after': '3600' } } }],
    lines: ['session.start', 'error APIError rate-limit'],
    code: 1,
  },
  {
    name: 'a 400',
    steps: () => [{ fail: { status: 400, message: 'no such thing' } }],
    lines: ['session.start', 'error APIError bad-request'],
    code: 1,
  },
  {
    name: 'a 401',
    steps: () => [{ fail: { status: 401, message: `wrong key ${key}` } }],
    lines: ['session.start', 'error APIError auth'],
    code: 1,
  },
  {
    name: 'a conversation that is too long',
    steps: () => [{ fail: { status: 400, message: 'prompt is too long: 250000 tokens > 200000 maximum' } }],
    lines: ['session.start', 'error APIError context-limit'],
    code: 1,
  },
  {
    name: 'a slow first byte',
    steps: () => [{ firstByteDelayMs: 600, text: 'OK' }],
    lines: ['session.start', 'step_start', ...answered],
    code: 0,
    leastMs: 600,
  },
  {
    name: 'a stream that falls silent',
    steps: ({ halfway }) => [{ text: half, silentAfter: halfway }, { text: 'OK' }],
    lines: ['session.start', 'step_start', 'text.interrupted Half a ', 'retry 1 of 3: timeout', ...answered],
    code: 0,
    leastMs: 2000,
    idleTimeoutMs: 2000,
  },
]

/** A run of the program in a folder of its own, with a server that answers as the steps say. */
async function runAgainst(
  t: TestContext,
  { npm, path, model }: Protocol,
  steps: readonly ServerStep[],
  args: readonly string[],
  idleTimeoutMs = 60_000,
): Promise<Result> {
  const server = await startModelServer({ steps })
  t.after(() => server.close())
  const folder = createTestFolder()
  t.after(folder.remove)
  folder.write('a.txt', 'one\n')
  const options = { baseURL: `${server.url}${path}`, apiKey: '{env:TEST_KEY}', idleTimeoutMs }
  folder.configure({
    retry: { maxAttempts: 3, maxTotalMs: 10_000, firstDelayMs: 10, maxDelayMs: 20 },
    provider: { test: { npm, options, models: { [model]: { cost: { input: 1, output: 2 } } } } },
  })
  const { cwd, env } = folder.options
  return runDeckhand(['run', '--auto', ...args, 'Say OK.'], { cwd, env: { ...env, TEST_KEY: key } })
}

/** A line in a few words: what a consumer would act on. */
function summarise(line: Line): string {
  switch (line.type) {
    case 'text':
    case 'text.interrupted':
    case 'reasoning':
      return `${line.type} ${line.part.text}`
    case 'tool.start':
      return `tool.start ${line.part.tool}`
    case 'tool_use':
      return `tool_use ${line.part.tool} ${line.part.state.status}`
    case 'step_finish':
      return `step_finish ${line.part.reason}`
    case 'retry':
      return `retry ${line.attempt} of ${line.maxAttempts}: ${line.error.data.code}`
    case 'session.idle':
      return `session.idle ${line.reason} ${line.exitCode} ${JSON.stringify(line.text)}`
    case 'error':
      return `error ${line.error.name} ${line.error.data.code}`
    default:
      return line.type
  }
}

// The two reads of the parallel calls may end in either order.
function sortSameMoment(lines: readonly string[]): string[] {
  const reads = lines.filter(line => line.startsWith('tool_use read')).sort()
  return lines.map(line => (line.startsWith('tool_use read') ? (reads.shift() ?? line) : line))
}

for (const protocol of protocols) {
  test(`core.providers: ${protocol.name}: each way in which an answer comes or fails has its lines, one end and a true exit code`, {
    concurrency: 4,
  }, async t => {
    await Promise.all(
      cases.map(({ name, steps, lines, code, leastMs = 0, idleTimeoutMs }) =>
        t.test(`core.providers: ${protocol.name}: ${name}`, async t => {
          const result = await runAgainst(t, protocol, steps(protocol), ['--format', 'json'], idleTimeoutMs)
          const printed = parseLines(result.stdout)
          assert.deepEqual(sortSameMoment(printed.map(summarise)), lines, result.stderr)
          assert.deepEqual([result.code, result.signal], [code, null])
          assert.equal(result.stderr, '')
          assert.ok(result.elapsedMs >= leastMs)
          assert.equal(new Set(printed.map(({ sessionID }) => sessionID)).size, 1)
          for (const line of printed) lineSchema.parse(line)
          assert.ok(!result.stdout.includes(key))
        }),
      ),
    )
  })

  test(`core.providers: ${protocol.name}: tokens and cost are those that the server told`, async t => {
    const usage = { input: 123, output: 7, cacheRead: 20, reasoning: 3 }
    const steps = [
      { calls: [{ tool: 'read', args: { path: 'a.txt' } }], usage },
      { text: 'OK', usage },
    ]
    const { stdout } = await runAgainst(t, protocol, steps, ['--format', 'json'])
    const lines = parseLines(stdout)
    const tokens = { total: 130, input: 103, output: 7, reasoning: 3, cache: { read: 20, write: 0 } }
    const finishes = lines.filter(({ type }) => type === 'step_finish')
    assert.deepEqual(
      finishes.map(({ part }) => part.tokens),
      [tokens, tokens],
    )
    const sums = { total: 260, input: 206, output: 14, reasoning: 6, cache: { read: 40, write: 0 } }
    const last = lines.at(-1)
    assert.deepEqual(last?.tokens, sums)
    assert.equal(last?.cost.toFixed(8), ((206 * 1 + 14 * 2) / 1e6).toFixed(8))
  })

  test(`core.providers: ${protocol.name}: text for people tells of retries, and why it failed`, async t => {
    const { halfway, overloaded } = protocol
    const steps: ServerStep[] = [
      { text: half, cutAfter: halfway },
      { fail: { status: overloaded.status, message: 'busy' } },
      { text: 'OK' },
    ]
    const good = await runAgainst(t, protocol, steps, [])
    assert.equal(good.code, 0, good.stderr)
    assert.match(good.stdout, /^Half a ?\n+OK\n$/)
    assert.match(good.stderr, /^↻ The answer of test broke off in the middle: .+ Attempt 2 of 3 in 0\.0 s\.$/m)
    assert.match(good.stderr, /^↻ test \(5\d\d\) is overloaded: busy\. Attempt 3 of 3 in 0\.0 s\.$/m)
    const bad = await runAgainst(t, protocol, [{ fail: { status: 401, message: `wrong key ${key}` } }], ['--quiet'])
    assert.equal(bad.code, 1)
    assert.equal(bad.stdout, '')
    assert.equal(bad.stderr, 'deckhand: failed: test (401) refused the key: wrong key [secret]. Check TEST_KEY.\n')
  })
}
