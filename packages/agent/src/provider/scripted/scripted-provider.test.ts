import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type Clock, ConfigError, ProviderError } from '@deckhand/core'
import type { ModelEvent, ModelProvider, ModelRequest } from '../contract.ts'
import { collect, request, testProviderContract, textOf } from '../provider.contract.ts'
import { createScriptJsonSchema, parseScript } from './script.ts'
import { createScriptedProvider, openScript } from './scripted-provider.ts'

async function script(text: string): Promise<ModelProvider> {
  return createScriptedProvider(await parseScript(text, 'demo.yaml'), 'demo.yaml', {
    workspace: '/home/me/project',
  })
}

async function problemOf(text: string): Promise<string> {
  try {
    await parseScript(text, 'demo.yaml')
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error))
    assert.equal(error.code, 'invalid')
    return error.message
  }
  assert.fail('the script was taken')
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

testProviderContract('script', async ({ think, say, calls, waitMs, failStatus }) => {
  const step = {
    think,
    say,
    call: calls?.map(({ tool, args }) => ({ [tool]: args })),
    wait: waitMs,
    fail: failStatus === undefined ? undefined : { status: failStatus, message: 'no' },
  }
  const provider = createScriptedProvider(await parseScript(JSON.stringify([step]), 'test.json'), 'test.json', {
    workspace: '/',
  })
  return { provider, close: async () => {} }
})

describe('the script provider', () => {
  it('core.providers: a script file plays step by step, with the workspace filled in', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'deckhand-script-'))
    try {
      const file = join(folder, 'demo.yaml')
      await writeFile(
        file,
        '- think: Hm.\n  say: I read {workspace}/a.\n  call: { read: { path: "{workspace}/a" } }\n- say: Done.\n  usage: { input: 10, output: 5, cacheRead: 3 }\n',
      )
      const provider = await openScript(file, { workspace: '/w' })
      assert.deepEqual(await collect(provider), [
        { type: 'reasoning-start', id: 'reasoning-1' },
        { type: 'reasoning-delta', id: 'reasoning-1', text: 'Hm.' },
        { type: 'reasoning-end', id: 'reasoning-1' },
        { type: 'text-start', id: 'text-1' },
        { type: 'text-delta', id: 'text-1', text: 'I read ' },
        { type: 'text-delta', id: 'text-1', text: '/w/a.' },
        { type: 'text-end', id: 'text-1' },
        { type: 'tool-call', callID: 'call_1', tool: 'read', input: '{"path":"/w/a"}' },
        {
          type: 'finish',
          reason: 'tool-calls',
          tokens: { total: 0, input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
        },
      ])
      assert.deepEqual((await collect(provider)).at(-1), {
        type: 'finish',
        reason: 'stop',
        tokens: { total: 18, input: 10, output: 5, reasoning: 0, cache: { read: 3, write: 0 } },
      })
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('a file that is not there is told', async () => {
    await assert.rejects(openScript('/nowhere/x.yaml', { workspace: '/' }), {
      name: 'ConfigError',
      code: 'unreadable',
      message: "The script /nowhere/x.yaml can't be read: ENOENT: no such file or directory, open '/nowhere/x.yaml'.",
    })
  })

  it('several tools in one map, and a list, are parallel calls', async () => {
    for (const call of ['{ read: { path: a }, todo: }', '[{ read: { path: a } }, { todo: {} }]']) {
      const events = await collect(await script(`- call: ${call}`))
      assert.deepEqual(
        events.flatMap(event => (event.type === 'tool-call' ? [[event.callID, event.tool, event.input]] : [])),
        [
          ['call_1', 'read', '{"path":"a"}'],
          ['call_2', 'todo', '{}'],
        ],
      )
    }
  })

  it('call ids go on counting in a conversation', async () => {
    const messages: ModelRequest['messages'] = [
      { role: 'assistant', content: [{ type: 'tool-call', callID: 'call_1', tool: 'read', input: {} }] },
    ]
    const events = await collect(await script('- call: { read: {} }'), { ...request, messages })
    assert.equal(events[0]?.type === 'tool-call' && events[0].callID, 'call_2')
  })

  it('after the last step a request is an error that says how many there are', async () => {
    const provider = await script('- say: a\n- say: b')
    await collect(provider)
    await collect(provider)
    const error = await failureOf(provider)
    assert.equal(
      error.message,
      'The script demo.yaml has 2 steps; request 3 came. Add a step, or end the turn with one that calls no tool.',
    )
    assert.equal(error.code, 'script')
    assert.equal(error.facts.retryable, false)
  })

  it('fail gives the status, the words and the time to wait; the next request takes the next step', async () => {
    const provider = await script('- fail: { status: 429, message: slow down, retryAfterMs: 20 }\n- say: now')
    const error = await failureOf(provider)
    assert.equal(error.message, 'script (429): slow down')
    assert.equal(error.code, 'rate-limit')
    assert.deepEqual(error.facts, {
      provider: 'script',
      model: 'demo.yaml',
      status: 429,
      retryable: true,
      retryAfterMs: 20,
    })
    assert.equal(textOf(await collect(provider), 'text-delta'), 'now')
  })

  it('each status of a failure has the meaning that it has with real providers', async () => {
    const statuses = [400, 401, 402, 404, 408, 409, 413, 429, 500, 503]
    const provider = await script(JSON.stringify(statuses.map(status => ({ fail: { status } }))))
    const codes: string[] = []
    for (const _ of statuses) codes.push((await failureOf(provider)).code)
    assert.deepEqual(codes, [
      'bad-request',
      'auth',
      'quota',
      'not-found',
      'timeout',
      'server',
      'context-limit',
      'rate-limit',
      'server',
      'overloaded',
    ])
  })

  it('pieces come as slowly as asked', async () => {
    const slept: number[] = []
    const clock: Clock = { now: () => 0, monotonic: () => 0, sleep: async ms => void slept.push(ms) }
    const steps = await parseScript('- wait: 7\n  say: one two three four', 'demo.yaml')
    await collect(createScriptedProvider(steps, 'demo.yaml', { workspace: '/', pieceDelayMs: 20, clock }))
    assert.deepEqual(slept, [7, 20, 20])
  })

  it('fail: drop cuts the stream after what was said', async () => {
    const events: ModelEvent[] = []
    const error = await failureOf(await script('- say: Half\n  fail: drop'), request, events)
    assert.equal(textOf(events, 'text-delta'), 'Half')
    assert.equal(error.code, 'stream-cut')
    assert.equal(error.facts.retryable, true)
  })

  it('expect looks into the last tool result', async () => {
    const asked: ModelRequest = {
      ...request,
      messages: [
        ...request.messages,
        { role: 'assistant', content: [{ type: 'tool-call', callID: 'c', tool: 'shell', input: {} }] },
        {
          role: 'tool',
          content: [{ type: 'tool-result', callID: 'c', tool: 'shell', output: '1 failing', isError: false }],
        },
      ],
    }
    const text = '- expect: 1 failing\n  say: I see.\n- expect: [failing, 2 passing]\n  say: I see.'
    const provider = await script(text)
    await collect(provider, asked)
    const error = await failureOf(provider, asked)
    assert.equal(
      error.message,
      'The script demo.yaml, step 2: the last tool result should contain "2 passing", but it is:\n1 failing',
    )
    assert.equal(error.code, 'script')
  })

  it("expect looks into the user's message where there is no tool result", async () => {
    const error = await failureOf(await script('- expect: Stop.\n  say: x'))
    assert.equal(
      error.message,
      'The script demo.yaml, step 1: the user\'s last message should contain "Stop.", but it is:\nGo.',
    )
  })

  it('errors in the file name the step, its line and the place', async () => {
    assert.equal(
      await problemOf('- say: ok\n- sya: typo'),
      'The script demo.yaml, step 2 of 2 (line 2): unknown key "sya". A step may have expect, wait, think, say, call, fail, usage.',
    )
    assert.equal(
      await problemOf('- say: ok\n\n- wait: soon'),
      'The script demo.yaml, step 2 of 2 (line 3): wait: Invalid input: expected number, received string.',
    )
    assert.equal(
      await problemOf('steps:\n  - call: npm test'),
      'The script demo.yaml, step 1 of 1 (line 2): call must be {tool: {arguments}}, such as {read: {path: a.ts}}, or a list of these.',
    )
    assert.equal(
      await problemOf('- fail: { status: 200 }'),
      'The script demo.yaml, step 1 of 1 (line 1): fail.status: Too small: expected number to be >=400.',
    )
    assert.equal(
      await problemOf('- fail: sometimes'),
      'The script demo.yaml, step 1 of 1 (line 1): fail must be "drop", or {status: 400 to 599, message?: text, retryAfterMs?: number}.',
    )
    assert.equal(
      await problemOf('- just words'),
      'The script demo.yaml, step 1 of 1 (line 1): it must have keys such as "say: Hello"; it is a string.',
    )
    assert.equal(
      await problemOf('- expect: x'),
      'The script demo.yaml, step 1 of 1 (line 1) does nothing. Give it wait, think, say, call, fail, or several of them.',
    )
    assert.equal(
      await problemOf(''),
      'The script demo.yaml must be a list of steps, such as "- say: Hello"; it is empty.',
    )
    assert.equal(
      await problemOf('{}'),
      'The script demo.yaml must be a list of steps, such as "- say: Hello"; it is an object without "steps".',
    )
    assert.match(
      await problemOf('- say: "open\n'),
      /^The script demo\.yaml is not valid YAML: Missing closing "quote at line/,
    )
  })

  it('the JSON schema describes both forms of a file', () => {
    const schema = createScriptJsonSchema()
    assert.equal((schema.anyOf as unknown[]).length, 2)
  })
})
