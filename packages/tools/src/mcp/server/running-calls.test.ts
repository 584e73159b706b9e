import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CallToolResult } from '@modelcontextprotocol/client'
import { connectTestClient, isRunning, type TestClientOptions, textOf, until } from './fixtures/test-client.ts'

type Elicit = NonNullable<TestClientOptions['elicit']>

const choose = (decision: string, reason?: string) => ({
  action: 'accept' as const,
  content: { decision, ...(reason && { reason }) },
})
const never: Elicit = () => new Promise<never>(() => {})

// The same for both forms of the protocol: in one the server asks the client, in the other it answers with a question.
for (const modern of [false, true]) {
  const protocol = modern ? '2026-07-28' : '2025-11-25'

  test(`core.mcp_server: a permission question is put to the user by a form, and "once" lets this call run (${protocol})`, async t => {
    const asked: { message: string; choices: readonly string[] }[] = []
    const { text } = await connectTestClient(t, {
      modern,
      elicit: (message, choices) => {
        asked.push({ message, choices })
        return choose('allow once')
      },
    })
    assert.match(await text('shell', { command: 'echo ran' }), /\nran\n/)
    assert.match(await text('shell', { command: 'echo again' }), /\nagain\n/)
    assert.deepEqual(
      asked.map(({ choices }) => choices),
      Array(2).fill(['allow once', 'allow always (this session)', 'no']),
    )
    assert.equal(
      asked[0]?.message,
      `shell asks for permission:
    echo ran
Why it is asked:
- shell: echo ran (no rule allows it)
"allow always (this session)" allows from now on:
- shell echo *`,
    )
  })

  test(`core.mcp_server: "always" is asked once (${protocol})`, async t => {
    let count = 0
    const { text } = await connectTestClient(t, {
      modern,
      elicit: () => {
        count++
        return choose('allow always (this session)')
      },
    })
    assert.match(await text('shell', { command: 'echo one' }), /\none\n/)
    assert.match(await text('shell', { command: 'echo two' }), /\ntwo\n/)
    assert.equal(count, 1)
  })

  test(`core.mcp_server: "no" with a reason gives the reason to the model (${protocol})`, async t => {
    const { folder, call } = await connectTestClient(t, { modern, elicit: () => choose('no', 'use the Makefile') })
    const result = await call('shell', { command: 'touch ran' })
    assert.equal(result.isError, true)
    assert.equal(result._meta?.['deckhand/error'], 'rejected-with-words')
    assert.equal(
      textOf(result),
      'The user was asked and said no to touch ran, because: use the Makefile\nNothing was run. Go on as they say.',
    )
    assert.equal(existsSync(join(folder, 'ran')), false)
  })

  test(`core.mcp_server: a declined form is a no (${protocol})`, async t => {
    const { folder, call } = await connectTestClient(t, { modern, elicit: () => ({ action: 'decline' }) })
    const result = await call('shell', { command: 'touch ran' })
    assert.equal(result._meta?.['deckhand/error'], 'rejected')
    assert.equal(existsSync(join(folder, 'ran')), false)
  })

  test(`a form that is put away was not answered (${protocol})`, async t => {
    const { call } = await connectTestClient(t, { modern, elicit: () => ({ action: 'cancel' }) })
    const result = await call('shell', { command: 'touch ran' })
    assert.equal(result._meta?.['deckhand/error'], 'expired')
  })

  test(`core.mcp_server: a client without forms gets a no that says how to allow it (${protocol})`, async t => {
    const { folder, call } = await connectTestClient(t, { modern })
    const result = await call('shell', { command: 'touch ran' })
    assert.equal(result.isError, true)
    assert.equal(result._meta?.['deckhand/error'], 'nobody-to-ask')
    assert.match(textOf(result), /^This needs a person's permission, and nobody can be asked here: touch ran \(.*\)\./)
    assert.match(textOf(result), / For this MCP server that is: deckhand mcp --mode auto\.$/)
    assert.equal(existsSync(join(folder, 'ran')), false)
  })

  test(`what a rule or a mode allows is not asked (${protocol})`, async t => {
    const elicit: Elicit = () => assert.fail('It was asked.')
    const { folder, call } = await connectTestClient(t, { modern, elicit, args: ['--mode', 'auto'] })
    writeFileSync(join(folder, 'a.txt'), 'text\n')
    assert.equal((await call('read', { path: 'a.txt' })).isError, undefined)
    assert.equal((await call('shell', { command: 'touch ran' })).isError, undefined)
    assert.ok(existsSync(join(folder, 'ran')))
  })

  test(`questions of parallel calls each find their own call (${protocol})`, async t => {
    const { text } = await connectTestClient(t, {
      modern,
      elicit: message => (message.includes('left') ? choose('allow once') : choose('no', 'not right')),
    })
    const [left, right] = await Promise.all([
      text('shell', { command: 'echo left' }),
      text('shell', { command: 'echo right' }),
    ])
    assert.match(left, /\nleft\n/)
    assert.match(right, /because: not right/)
  })
}

test('a question that nobody answers in time expires', async t => {
  const { call } = await connectTestClient(t, { elicit: never, args: ['--question-timeout', '200'] })
  const result = await call('shell', { command: 'touch ran' })
  assert.equal(result._meta?.['deckhand/error'], 'expired')
})

test('a call that is cancelled while its question waits is never run', async t => {
  let isAsked = false
  const { client, folder, text } = await connectTestClient(t, {
    elicit: message => {
      if (!message.includes('ran')) return choose('allow once')
      isAsked = true
      return never('', [])
    },
  })
  const cancel = new AbortController()
  const call = client.callTool({ name: 'shell', arguments: { command: 'touch ran' } }, { signal: cancel.signal })
  call.catch(() => {})
  await until(() => isAsked, 'it was asked')
  cancel.abort()
  await assert.rejects(call)
  assert.match(await text('shell', { command: 'echo on' }), /\non\n/)
  assert.equal(existsSync(join(folder, 'ran')), false)
})

for (const modern of [false, true]) {
  test(`a question that another answer settles lets its call run (${modern ? '2026-07-28' : '2025-11-25'})`, async t => {
    let forms = 0
    const isSettled = Promise.withResolvers<void>()
    const { folder, text } = await connectTestClient(t, {
      modern,
      elicit: async () => {
        const form = ++forms
        await until(() => forms === 2, 'both are asked')
        if (form === 1) return choose('allow always (this session)')
        // The old protocol takes the question back; in the new one the person answers, whatever it is.
        await (modern ? isSettled.promise : never('', []))
        return choose('no')
      },
    })
    const both = ['one', 'two'].map(word => text('shell', { command: `echo ${word} | tee ${word}` }))
    await until(() => existsSync(join(folder, 'one')) && existsSync(join(folder, 'two')), 'both ran')
    isSettled.resolve()
    const [one, two] = await Promise.all(both)
    assert.match(one ?? '', /\none\n/)
    assert.match(two ?? '', /\ntwo\n/)
  })
}

test('a client whose form fails gets a no, and stderr says why', async t => {
  const { call, stderr } = await connectTestClient(t, {
    elicit: () => {
      throw new Error('no window')
    },
  })
  const result = await call('shell', { command: 'touch ran' })
  assert.equal(result._meta?.['deckhand/error'], 'nobody-to-ask')
  await until(() => stderr().includes('deckhand mcp: the client could not ask its user: no window'), 'the reason')
})

test('a later round for a call that is not there is refused', async t => {
  const { client } = await connectTestClient(t, { modern: true, elicit: never })
  const params = { name: 'shell', arguments: { command: 'echo hi' }, requestState: 'call_guessed', inputResponses: {} }
  await assert.rejects(client.callTool(params), /Invalid or expired requestState/)
})

test('core.mcp_server: an answer that comes too late runs nothing (2026-07-28)', async t => {
  const { client, folder } = await connectTestClient(t, {
    modern: true,
    elicit: never,
    args: ['--question-timeout', '50'],
  })
  const params = { name: 'shell', arguments: { command: 'touch ran' } }
  const asked = await client.callTool(params, { allowInputRequired: true })
  const { requestState, inputRequests } = asked as { requestState?: string; inputRequests?: object }
  assert.match(requestState ?? '', /^call_/)
  const [key = ''] = Object.keys(inputRequests ?? {})
  // Twenty times what the question had.
  await sleep(1000)
  const late = { ...params, requestState, inputResponses: { [key]: choose('allow once') } }
  const result = (await client.callTool(late as typeof params)) as CallToolResult
  assert.equal(result._meta?.['deckhand/error'], 'expired')
  assert.equal(existsSync(join(folder, 'ran')), false)
})

test('a server that ends while a question is out, waits for no answer (2026-07-28)', async t => {
  const { client, folder, pid, stderr } = await connectTestClient(t, { modern: true, roots: [], elicit: never })
  const params = { name: 'shell', arguments: { command: 'touch ran' } }
  const asked = await client.callTool(params, { allowInputRequired: true })
  assert.deepEqual(Object.values((asked as { inputRequests?: object }).inputRequests ?? {}), [{ method: 'roots/list' }])
  await client.close()
  await until(() => !isRunning(pid), 'the server is gone')
  assert.ok(!stderr().includes('not all that ran could be ended in time'), stderr())
  assert.equal(existsSync(join(folder, 'ran')), false)
})
