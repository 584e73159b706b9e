import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ConfigError, ProviderError } from '@deckhand/core'
import fc from 'fast-check'
import { type ServerStep, startModelServer } from '../../../../../test/model-server/model-server.ts'
import { createAiSdkProvider } from '../ai-sdk/ai-sdk-provider.ts'
import type { ModelEvent, ModelProvider, ModelRequest } from '../contract.ts'
import { collect, request, testProviderContract, textOf } from '../provider.contract.ts'
import { describeDifferences, findDifferences } from './difference.ts'
import { createRecorder } from './recorder.ts'
import { openReplay } from './replay-provider.ts'
import { hideValues, hideVolatile, showValues } from './volatile.ts'

const secret = 'test-key-0123456789'
const packages = [
  { npm: '@ai-sdk/openai', model: 'gpt-5', path: '/v1' },
  { npm: '@ai-sdk/openai', model: 'gpt-4.1', path: '/v1', api: 'chat' },
  { npm: '@ai-sdk/anthropic', model: 'claude-sonnet-4-5', path: '/v1' },
  { npm: '@ai-sdk/google', model: 'gemini-3.8-flash', path: '/v1beta' },
  { npm: '@ai-sdk/openai-compatible', model: 'local', path: '/v1' },
] as const

async function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'deckhand-replay-'))
  try {
    await test(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

interface Recording {
  readonly file: string
  readonly steps: readonly ServerStep[]
  readonly workspace?: string
  readonly kind?: (typeof packages)[number]
}

/** Records what `use` does with a model that answers as `steps` say. */
async function record(
  { file, steps, workspace = '/home/ann/project', kind = packages[4] }: Recording,
  use: (provider: ModelProvider) => Promise<void>,
) {
  const server = await startModelServer({ steps })
  try {
    const { npm, model, path } = kind
    const api = 'api' in kind ? kind.api : undefined
    const baseURL = `${server.url}${path}`
    const recorder = await createRecorder(fetch, {
      file,
      header: { npm, provider: 'test', model, options: { baseURL, api }, capabilities: { acceptsImages: true } },
      replacements: replacementsFor(workspace),
      secrets: [secret],
    })
    const options = { baseURL, apiKey: secret, api, headers: { 'x-extra': secret } }
    await use(createAiSdkProvider({ npm, providerID: 'test', modelID: model, options, fetch: recorder }))
  } finally {
    await server.close()
  }
}

function replacementsFor(workspace: string) {
  return [
    { value: workspace, as: '{workspace}' },
    { value: '/home/ann', as: '{home}' },
  ]
}

function ask(text: string, more: Partial<ModelRequest> = {}): ModelRequest {
  return { ...request, messages: [{ role: 'user', content: [{ type: 'text', text }] }], ...more }
}

async function failureOf(
  provider: ModelProvider,
  asked: ModelRequest = request,
  events: ModelEvent[] = [],
): Promise<ProviderError> {
  try {
    for await (const event of provider.stream(asked, new AbortController().signal)) events.push(event)
  } catch (error) {
    assert.ok(error instanceof ProviderError, String(error))
    return error
  }
  assert.fail('the request did not fail')
}

testProviderContract('replay', async ({ think, say, calls, waitMs, failStatus }) => {
  const folder = await mkdtemp(join(tmpdir(), 'deckhand-replay-'))
  const file = join(folder, 'cassette.jsonl')
  const fail = failStatus === undefined ? undefined : { status: failStatus }
  await record({ file, steps: [{ reasoning: think, text: say, calls, fail }] }, async provider => {
    await collect(provider).catch(error => assert.equal(fail?.status, error.facts.status))
  })
  const provider = await openReplay(file, { replacements: [] })
  return {
    // A cassette does not wait; to be aborted in the middle, it is slowed down from outside.
    provider: waitMs === undefined ? provider : slowDown(provider, waitMs),
    close: () => rm(folder, { recursive: true }),
  }
})

function slowDown(provider: ModelProvider, waitMs: number): ModelProvider {
  return {
    ...provider,
    async *stream(asked, signal) {
      await new Promise((resolve, reject) => {
        const timer = setTimeout(resolve, waitMs)
        signal.addEventListener('abort', () => {
          clearTimeout(timer)
          reject(signal.reason)
        })
      })
      yield* provider.stream(asked, signal)
    },
  }
}

describe('record and replay', () => {
  for (const kind of packages) {
    it(`core.providers: what was recorded plays again, event by event (${kind.npm}${'api' in kind ? ', chat' : ''})`, () =>
      inFolder(async folder => {
        const file = join(folder, 'cassette.jsonl')
        const usage = { input: 50, output: 20, cacheRead: 10 }
        const steps: ServerStep[] = [
          { reasoning: 'Hm.', text: 'Reading.', calls: [{ tool: 'read', args: { path: 'a' } }], usage },
          { text: 'Done.', usage },
        ]
        const recorded: ModelEvent[][] = []
        const second = (events: readonly ModelEvent[]) => answerCalls(events)
        await record({ file, steps, kind }, async provider => {
          recorded.push(await collect(provider))
          recorded.push(await collect(provider, second(recorded[0] ?? [])))
        })
        const provider = await openReplay(file, { replacements: [] })
        assert.deepEqual(await collect(provider), recorded[0])
        assert.deepEqual(await collect(provider, second(recorded[0] ?? [])), recorded[1])
      }))
  }

  it('core.providers: a cassette holds no secrets, and only its owner can read it', () =>
    inFolder(async folder => {
      const file = join(folder, 'cassette.jsonl')
      const steps = [
        { text: `The key is ${secret}, I saw it.` },
        { fail: { status: 401, message: `Bad: ${secret}`, headers: { 'set-cookie': 'id=1' } } },
      ]
      await record({ file, steps }, async provider => {
        await collect(provider, ask(`My key is ${secret} and sk-abcdefghijklmnop1234.`))
        await failureOf(provider)
      })
      const text = await readFile(file, 'utf8')
      assert.ok(!text.includes(secret))
      assert.ok(!text.includes('sk-abcdefghij'))
      assert.doesNotMatch(text, /authorization|cookie|x-extra/i)
      assert.equal((await stat(file)).mode & 0o777, 0o600)
    }))

  it('core.providers: paths are those of the machine that plays', () =>
    inFolder(async folder => {
      const file = join(folder, 'cassette.jsonl')
      const steps = [{ text: 'I read /home/ann/project/a.ts.' }]
      await record({ file, steps }, async provider => {
        await collect(provider, ask('Read /home/ann/project/a.ts, not /home/ann/b.ts.'))
      })
      const text = await readFile(file, 'utf8')
      assert.ok(!text.includes('/home/ann'))
      assert.match(text, /Read \{workspace\}\/a\.ts, not \{home\}\/b\.ts/)

      const elsewhere = [
        { value: '/w', as: '{workspace}' },
        { value: '/root', as: '{home}' },
      ]
      const provider = await openReplay(file, { replacements: elsewhere })
      const events = await collect(provider, ask('Read /w/a.ts, not /root/b.ts.'))
      assert.equal(textOf(events, 'text-delta'), 'I read /w/a.ts.')
    }))

  it('core.providers: a request that differs is an error that shows where', () =>
    inFolder(async folder => {
      const file = join(folder, 'cassette.jsonl')
      await record({ file, steps: [{ text: 'ok' }] }, async provider => {
        await collect(provider, ask('Fix the test.'))
      })
      const provider = await openReplay(file, { replacements: [] })
      const error = await failureOf(provider, ask('Mend the test.'))
      assert.equal(error.code, 'replay-differs')
      assert.equal(error.facts.retryable, false)
      assert.equal(
        error.message,
        `Request 1 differs from the cassette ${file}:\n  messages[1].content\n    recorded: "Fix the test."\n    now:      "Mend the test."\nRecord it anew if the change is meant.`,
      )
      // The recorded answer is still there for the right request.
      assert.equal(textOf(await collect(provider, ask('Fix the test.')), 'text-delta'), 'ok')
      const beyond = await failureOf(provider)
      assert.equal(beyond.message, `The cassette ${file} has 1 request; request 2 came. Record it anew.`)
    }))

  it('what changes from run to run is no difference', () =>
    inFolder(async folder => {
      const file = join(folder, 'cassette.jsonl')
      const words = (day: string, fence: string, took: string, pid: number, session: string) =>
        `Today is ${day}. <output of="x" fence="${fence}">\nexit 0 · ${took}\nstill running: sleep (pid ${pid}) in ${session}`
      await record({ file, steps: [{ text: 'ok' }] }, async provider => {
        await collect(provider, ask(words('2026-12-01', 'k3f9q2', '3.2 s', 4242, 'ses_0192f4c1a2b001Qj')))
      })
      const provider = await openReplay(file, { replacements: [] })
      const asked = ask(words('2027-01-15T10:00:00Z', 'abc123', '12 ms', 7, 'ses_zzzzzzzzzzzz'), {
        sessionID: 'ses_other000000',
      })
      assert.equal(textOf(await collect(provider, asked), 'text-delta'), 'ok')
    }))

  it('failures play as they were: a refused connection, a status with Retry-After, a cut stream', () =>
    inFolder(async folder => {
      const file = join(folder, 'cassette.jsonl')
      const steps: ServerStep[] = [
        { drop: true },
        { fail: { status: 429, message: 'slow', headers: { 'retry-after': '3' } } },
        { text: ['Half', ' a'], cutAfter: 3 },
      ]
      const recorded: ProviderError[] = []
      await record({ file, steps }, async provider => {
        for (const _ of steps) recorded.push(await failureOf(provider))
      })
      const provider = await openReplay(file, { replacements: [] })
      for (const [index, before] of recorded.entries()) {
        const events: ModelEvent[] = []
        const after = await failureOf(provider, request, events)
        assert.equal(after.code, ['network', 'rate-limit', 'stream-cut'][index])
        assert.equal(after.code, before.code)
        assert.equal(after.facts.retryAfterMs, before.facts.retryAfterMs)
        if (index === 2) assert.equal(textOf(events, 'text-delta'), 'Half a')
      }
    }))

  it('a file that is no cassette is not overwritten', () =>
    inFolder(async folder => {
      const file = join(folder, 'main.ts')
      await writeFile(file, 'precious()\n')
      await assert.rejects(
        record({ file, steps: [] }, async () => {}),
        {
          code: 'invalid',
          message: `--record would overwrite ${file}, which is not a cassette. Give it the name of a new file.`,
        },
      )
      assert.equal(await readFile(file, 'utf8'), 'precious()\n')
    }))

  it('a file that cannot be written is told before anything is sent', () =>
    inFolder(async folder => {
      await assert.rejects(
        record({ file: join(folder, 'no', 'where.jsonl'), steps: [] }, async () => {}),
        { name: 'ConfigError', code: 'unreadable', message: /^The cassette .*where\.jsonl can't be written: ENOENT/ },
      )
    }))

  it('a cassette is replaced by the next recording', () =>
    inFolder(async folder => {
      const file = join(folder, 'cassette.jsonl')
      for (const text of ['one', 'two']) {
        await record({ file, steps: [{ text }] }, async provider => {
          await collect(provider)
        })
      }
      const provider = await openReplay(file, { replacements: [] })
      assert.equal(textOf(await collect(provider), 'text-delta'), 'two')
    }))

  it('broken, cut and foreign files are told with the line', () =>
    inFolder(async folder => {
      const file = join(folder, 'cassette.jsonl')
      const problemOf = async (text: string) => {
        await writeFile(file, text)
        try {
          await openReplay(file, { replacements: [] })
        } catch (error) {
          assert.ok(error instanceof ConfigError, String(error))
          return error.message
        }
        return assert.fail('the cassette was taken')
      }
      assert.equal(
        await problemOf(''),
        `${file} is not a cassette: its first line should begin with {"cassette":. Record one with --record FILE.`,
      )
      assert.match(await problemOf('{"a":1}'), /is not a cassette/)
      assert.equal(
        await problemOf('{"cassette":99}'),
        `The cassette ${file}, line 1: it is of version 99, and this Deckhand reads version 1. Record it anew.`,
      )
      await record({ file, steps: [{ text: 'ok' }] }, async provider => {
        await collect(provider)
      })
      const whole = await readFile(file, 'utf8')
      assert.match(
        await problemOf(whole.slice(0, -40)),
        /, line 2: it is not whole JSON \(.*\)\. Was the recording cut off\? Remove the line, or record anew\.$/,
      )
      assert.match(
        await problemOf(whole.replace('"method":"POST"', '"method":7')),
        /, line 2: method: Invalid input: expected string/,
      )
      await rm(file)
      await assert.rejects(openReplay(file, { replacements: [] }), {
        code: 'unreadable',
        message: /can't be read: ENOENT/,
      })
    }))
})

function answerCalls(events: readonly ModelEvent[]): ModelRequest {
  const calls = events.filter(event => event.type === 'tool-call')
  return {
    ...request,
    messages: [
      ...request.messages,
      { role: 'assistant', content: calls.map(call => ({ ...call, input: JSON.parse(call.input) })) },
      {
        role: 'tool',
        content: calls.map(({ callID, tool }) => ({
          type: 'tool-result',
          callID,
          tool,
          output: 'text',
          isError: false,
        })),
      },
    ],
  }
}

describe('differences', () => {
  it('are found in order, at most as many as asked for', () => {
    const differences = findDifferences({ a: [1, { b: 'x' }], c: 1 }, { a: [2, { b: 'y' }, 3], d: null }, 4)
    assert.deepEqual(
      differences.map(({ path }) => path),
      ['a[0]', 'a[1].b', 'a[2]', 'c'],
    )
  })

  it('show long texts around the place where they part', () => {
    const same = 'x'.repeat(500)
    assert.equal(
      describeDifferences(findDifferences({ text: `${same}one` }, { text: `${same}two` }, 3)),
      `  text\n    recorded: …"${'x'.repeat(60)}one"\n    now:      …"${'x'.repeat(60)}two"`,
    )
    assert.equal(
      describeDifferences(findDifferences({}, { a: 1 }, 3)),
      '  a\n    recorded: (not there)\n    now:      1',
    )
  })

  it('there are none between equal values, and some between unequal ones', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const copy = JSON.parse(JSON.stringify(a))
        assert.deepEqual(findDifferences(JSON.parse(JSON.stringify(a)), copy, 3), [])
        const equal = JSON.stringify(sortKeys(a)) === JSON.stringify(sortKeys(b))
        assert.equal(findDifferences(copy, JSON.parse(JSON.stringify(b)), 3).length === 0, equal)
      }),
    )
  })
})

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return { object: entries.map(([key, item]) => [key, sortKeys(item)]) }
}

describe('values of a machine', () => {
  it('are hidden and shown again', () => {
    const replacements = [
      { value: '/home/ann/pro "x"', as: '{workspace}' },
      { value: '/home/ann', as: '{home}' },
    ]
    const hidden = hideValues('in /home/ann/pro "x"/a and /home/ann/b', replacements)
    assert.equal(hidden, 'in {workspace}/a and {home}/b')
    assert.equal(JSON.parse(showValues(JSON.stringify(hidden), replacements)), 'in /home/ann/pro "x"/a and /home/ann/b')
  })

  it('hiding what is volatile twice is the same as once', () => {
    fc.assert(fc.property(fc.string(), text => assert.equal(hideVolatile(hideVolatile(text)), hideVolatile(text))))
    assert.equal(
      hideVolatile('Tue, 1 Dec 2026, pids: 12, 13; ran 3.2 s (15ms); duration_ms 12.5; fence="a1b2c3"'),
      '<date>, pids: <number>; ran <time> (<time>); duration_ms <time>; fence="<word>"',
    )
  })
})
