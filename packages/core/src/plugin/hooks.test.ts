import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { systemClock } from '../clock.ts'
import { PermissionDenied, ToolFailure } from '../error.ts'
import { createId } from '../id.ts'
import type { Tool, ToolContext, ToolResult } from '../tool/tool.ts'
import { ToolSet } from '../tool/tool-set.ts'
import { createHooks } from './hooks.ts'
import type { PluginHooks, ToolAfterEvent, ToolBeforeEvent } from './plugin.ts'

const schema = z.strictObject({ path: z.string(), limit: z.number().int().positive().default(10) })

interface SetupOptions {
  readonly timeoutMs?: number
  readonly execute?: (input: z.infer<typeof schema>) => Promise<ToolResult>
}

/** A tool `read` behind plugins that are named a, b, … in their order. */
function createSetup(plugins: readonly PluginHooks[], { timeoutMs = 60_000, execute }: SetupOptions = {}) {
  const told: string[] = []
  const asked: string[] = []
  const hooks = createHooks({
    plugins: plugins.map((own, index) => ({ plugin: { name: 'abc'.charAt(index), hooks: own }, timeoutMs })),
    clock: systemClock,
    tell: words => told.push(words),
  })
  const controller = new AbortController()
  const context: ToolContext = {
    sessionID: createId('session'),
    callID: 'call-1',
    signal: controller.signal,
    ask: async ({ title }) => void asked.push(title),
    evaluate: async () => ({ action: 'allow', parts: [] }),
    report() {},
  }
  const read: Tool<typeof schema> = {
    name: 'read',
    description: 'Reads.',
    schema,
    annotations: {
      title: 'Read',
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    normalise: ({ file, ...rest }) => ({
      input: file === undefined ? rest : { path: file, ...rest },
      notes: file === undefined ? [] : ['"file" was taken as "path"'],
    }),
    async execute(input, { ask }) {
      await ask({ title: `read ${input.path}`, parts: [] })
      return execute?.(input) ?? { title: input.path, output: JSON.stringify(input), metadata: { lines: 1 } }
    },
  }
  const tools = new ToolSet([read as unknown as Tool], { cat: 'read' }, hooks)
  return {
    told,
    asked,
    context,
    controller,
    hooks,
    call: (input: object, name = 'read') => tools.call(name, input, context),
    shellEnv: (env = {}) =>
      hooks.shellEnv({
        sessionID: context.sessionID,
        callID: 'call-1',
        signal: controller.signal,
        command: 'ls',
        cwd: '/w',
        env,
      }),
  }
}

const failed = (plugin: string, hook: string, reason: string) =>
  `Nothing was done: the plugin ${plugin} failed in its hook ${hook}, and without its word the call may not run: ${reason}. The user can mend it, or take it out of "plugins" in the configuration.`

test('core.shell_env: tool.before sees the tool, the call and its arguments as they were put right, and can change none of it', async () => {
  const seen: ToolBeforeEvent[] = []
  const { call, context } = createSetup([{ 'tool.before': event => void seen.push(event) }])
  const { output } = await call({ file: 'f' }, 'cat')
  assert.equal(output, '("file" was taken as "path")\n{"path":"f","limit":10}')
  const [event] = seen
  assert.ok(event)
  const { signal, ...facts } = event
  const { sessionID } = context
  assert.deepEqual(facts, { sessionID, callID: 'call-1', tool: 'read', input: { path: 'f', limit: 10 } })
  assert.ok(signal.aborted, 'nobody waits any more')
  assert.ok(Object.isFrozen(event) && Object.isFrozen(event.input))
})

test('core.shell_env: what tool.before makes of the input is what is asked and what runs; model and user are told', async () => {
  const { call, asked, told } = createSetup([
    { 'tool.before': ({ input }) => ({ input: { ...input, path: 'b' } }) },
    { 'tool.before': async ({ input }) => ({ input: { ...input, path: `${input.path}c`, limit: 2 } }) },
    { 'tool.before': ({ input }) => ({ input }) },
  ])
  const { output, metadata } = await call({ path: 'a' })
  assert.equal(output, '(the plugin a changed path; the plugin b changed path, limit)\n{"path":"bc","limit":2}')
  assert.deepEqual(asked, ['read bc'])
  assert.deepEqual(metadata, { lines: 1, changedInput: { by: ['a', 'b'], input: { path: 'bc', limit: 2 } } })
  assert.deepEqual(told, [
    'The plugin a changed a call of read: path is now "b"',
    'The plugin b changed a call of read: path is now "bc", limit is now 2',
  ])
})

test('core.shell_env: that the input was changed is told where the call fails too', async () => {
  const before: PluginHooks = { 'tool.before': () => ({ input: { path: 'b' } }) }
  const failing = createSetup([before], { execute: () => Promise.reject(new ToolFailure('not-found', 'No file b.')) })
  await assert.rejects(failing.call({ path: 'a' }), error => {
    assert.ok(error instanceof ToolFailure)
    assert.deepEqual([error.code, error.message], ['not-found', '(the plugin a changed path)\nNo file b.'])
    assert.deepEqual(error.data.changedInput, { by: ['a'], input: { path: 'b', limit: 10 } })
    return true
  })
  const denied = createSetup([before], { execute: () => Promise.reject(new PermissionDenied('rule', 'No.')) })
  await assert.rejects(
    denied.call({ path: 'a' }),
    error => error instanceof PermissionDenied && error.message === '(the plugin a changed path)\nNo.',
  )
})

test('core.shell_env: a plugin can refuse a call in words; nothing is asked or done, and later plugins are not called', async () => {
  let isCalled = false
  const { call, asked } = createSetup([
    { 'tool.before': () => ({ refuse: 'that file is generated; edit schema.ts' }) },
    {
      'tool.before': () => {
        isCalled = true
      },
    },
  ])
  await assert.rejects(call({ path: 'a' }), error => {
    assert.ok(error instanceof PermissionDenied)
    assert.equal(error.code, 'plugin')
    assert.equal(
      error.message,
      'The plugin a refused this call of read, so nothing was done: that file is generated; edit schema.ts',
    )
    return true
  })
  assert.deepEqual([asked, isCalled], [[], false])
})

const cyclic: Record<string, unknown> = {}
cyclic.self = cyclic

const beforeFailures: readonly (readonly [string, () => unknown, string])[] = [
  ['throws', () => Promise.reject(new Error('boom')), 'it threw: boom'],
  [
    'throws what has no words',
    () => {
      throw Object.create(null)
    },
    'it threw: something that has no words',
  ],
  [
    'tries to change what it was given',
    () => {
      Object.assign(Object.freeze({ a: 1 }), { a: 2 })
    },
    "it threw: Cannot assign to read only property 'a' of object '#<Object>'",
  ],
  ['returns a text', () => 'no', 'it returned what it may not: must be nothing, or an object with input or refuse'],
  [
    'returns an unknown field',
    () => ({ refuse: 'no', inptu: {} }),
    'it returned what it may not: inptu is none of its fields; there may be input or refuse',
  ],
  ['returns nothing of use', () => ({}), 'it returned what it may not: must hold either input or refuse'],
  ['refuses without words', () => ({ refuse: true }), 'it returned what it may not: refuse: must be a text'],
  ['returns what is no JSON', () => ({ input: cyclic }), 'it returned what it may not: input: must be plain JSON'],
  [
    'makes an input that the tool does not take',
    () => ({ input: { path: 5 } }),
    'it made an input that is not valid: path: Invalid input: expected string, received number',
  ],
]
for (const [what, hook, reason] of beforeFailures) {
  test(`core.shell_env: a call is refused where tool.before ${what}`, async () => {
    const { call, asked } = createSetup([{ 'tool.before': hook as PluginHooks['tool.before'] }])
    await assert.rejects(call({ path: 'a' }), error => {
      assert.ok(error instanceof ToolFailure)
      assert.deepEqual([error.code, error.message], ['plugin', failed('a', 'tool.before', reason)])
      return true
    })
    assert.deepEqual(asked, [])
  })
}

test('core.shell_env: a hook that does not return is given up after its time, and its signal aborts', async () => {
  const stopped = Promise.withResolvers<void>()
  const { call } = createSetup(
    [
      {
        'tool.before': ({ signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => {
              stopped.resolve()
              reject(new Error('too late to be heard'))
            })
          }),
      },
    ],
    { timeoutMs: 30 },
  )
  await assert.rejects(call({ path: 'a' }), {
    message: failed('a', 'tool.before', 'it did not return within 0.03 s'),
  })
  await stopped.promise
})

test('core.shell_env: a cancelled call does not wait for a hook; the reason travels up as it is', async () => {
  for (const hook of ['tool.before', 'tool.after', 'shell.env'] as const) {
    const { call, shellEnv, controller } = createSetup([
      {
        [hook]: () => {
          controller.abort(new DOMException('stop', 'AbortError'))
          return new Promise(() => {})
        },
      },
    ])
    await assert.rejects(hook === 'shell.env' ? shellEnv() : call({ path: 'a' }), {
      name: 'AbortError',
      message: 'stop',
    })
  }
})

test('core.shell_env: tool.after sees the result, and changes title, output and facts; a note stands behind the output', async () => {
  const seen: ToolAfterEvent[] = []
  const { call } = createSetup([
    {
      'tool.after': event => {
        seen.push(event)
        return { title: 'A', output: 'new', metadata: { a: [1] }, note: 'look at b' }
      },
    },
    { 'tool.after': ({ result }) => ({ output: result.output.toUpperCase(), metadata: { lines: 2 } }) },
    { 'tool.after': () => undefined },
  ])
  const result = await call({ file: 'f' })
  assert.deepEqual(result, {
    title: 'A',
    output: '("file" was taken as "path")\nNEW\n(THE PLUGIN A NOTES: LOOK AT B)',
    metadata: { lines: 2, a: [1] },
  })
  const { tool, input, result: given } = seen[0] ?? {}
  assert.deepEqual(
    { tool, input, given },
    {
      tool: 'read',
      input: { path: 'f', limit: 10 },
      given: { title: 'f', output: '{"path":"f","limit":10}', metadata: { lines: 1 } },
    },
  )
  assert.ok(Object.isFrozen(given?.metadata))
})

test('core.shell_env: a tool.after that fails leaves the result as it was; model and user are told, and the next is called', async () => {
  const { call, told } = createSetup(
    [
      { 'tool.after': () => Promise.reject(new Error('boom')) },
      { 'tool.after': () => ({ output: 5 }) as never },
      { 'tool.after': () => ({ title: 'C' }) },
    ],
    { execute: async () => ({ title: 't', output: 'out', metadata: {}, attachments: [] }) },
  )
  const words = [
    'the plugin a failed in tool.after, so the result is without it: it threw: boom',
    'the plugin b failed in tool.after, so the result is without it: it returned what it may not: output: must be a text',
  ]
  assert.deepEqual(await call({ path: 'a' }), {
    title: 'C',
    output: `out\n(${words[0]})\n(${words[1]})`,
    metadata: {},
    attachments: [],
  })
  assert.deepEqual(
    told,
    words.map(each => `In a call of read ${each}`),
  )
})

test('core.shell_env: variables of several plugins are put together in their order; each sees those before it', async () => {
  const seen: unknown[] = []
  const { shellEnv } = createSetup([
    { 'shell.env': ({ env }) => ({ env: { A: `${env.A}+`, B: null, C: 'c' } }) },
    {
      'shell.env': async ({ env, cwd, command }) => {
        seen.push({ env, cwd, command })
        return { env: { C: null, D: 'd' } }
      },
    },
    { 'shell.env': () => {} },
  ])
  assert.deepEqual(await shellEnv({ A: 'a', B: 'b' }), { A: 'a+', B: undefined, C: undefined, D: 'd' })
  assert.deepEqual(seen, [{ env: { A: 'a+', C: 'c' }, cwd: '/w', command: 'ls' }])
})

const envFailures: readonly (readonly [string, unknown, string])[] = [
  ['a number', { A: 1 }, 'env.A: must be a text, or null to remove it'],
  ['a variable without a value', { A: undefined }, 'env.A: must be a text, or null to remove it'],
  ['a NUL character', { A: 'secret\0' }, 'env.A: must not hold a NUL character'],
  ['a name that is none', { 'BASH_FUNC_ls%%': '() { :; }' }, 'env.BASH_FUNC_ls%%: is no name of a variable'],
  [
    'a variable that changes the shell itself',
    { SHELLOPTS: 'errexit' },
    'env.SHELLOPTS: belongs to the shell or to Deckhand, and can not be set for one call',
  ],
  [
    "a variable that is Deckhand's own",
    { DECKHAND_CALL: 'x' },
    'env.DECKHAND_CALL: belongs to the shell or to Deckhand, and can not be set for one call',
  ],
]
for (const [what, env, reason] of envFailures) {
  test(`core.shell_env: a command is not run where shell.env gives it ${what}; no value is told`, async () => {
    const { shellEnv } = createSetup([{ 'shell.env': () => ({ env }) as never }])
    await assert.rejects(shellEnv(), {
      name: 'ToolFailure',
      message: failed('a', 'shell.env', `it returned what it may not: ${reason}`),
    })
  })
}
