// What plugins do to commands: variables for one call, in the shell, in jobs, on a terminal and in the sandbox.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createHooks, type PluginHooks, type ShellEnvEvent, systemClock } from '@deckhand/core'
import { createContainedShell, noSandbox } from './fixtures/contained-shell.ts'
import { createTestShell } from './fixtures/test-shell.ts'

function createPlugin(hooks: PluginHooks) {
  return createHooks({
    plugins: [{ plugin: { name: 'guard', hooks }, timeoutMs: 60_000 }],
    clock: systemClock,
    tell() {},
  })
}

const token = 'tok-5f3a91c2'
const withVariables = createPlugin({
  'shell.env': () => ({ env: { HOOKED: 'yes', DEPLOY_TOKEN: token, HOME: null } }),
})

test('core.shell_env: variables of a plugin are there for a command, and its shell is as before in the next', async () => {
  let count = 0
  const hooks = createPlugin({
    'shell.env': () => {
      count++
      return count === 2 ? { env: { HOOKED: 'yes', HOME: null } } : undefined
    },
  })
  await using shell = createTestShell({}, { hooks })
  const print = `printf "%s|%s|%s\\n" "$HOOKED" "\${HOME:+home}" "$OWN"`
  assert.match(await shell.told({ command: `export OWN=1; ${print}` }), /\n\|home\|1\n/)
  assert.match(await shell.told({ command: `export OWN=2; ${print}` }), /\nyes\|\|2\n/)
  assert.match(await shell.told({ command: print }), /\n\|home\|2\n/)
  assert.equal(count, 3)
})

test('core.shell_env: a variable that the command gives another value keeps that', async () => {
  const hooks = createPlugin({
    'shell.env': ({ command }) => (/export/.test(command) ? { env: { OWN: 'hook' } } : undefined),
  })
  await using shell = createTestShell({}, { hooks })
  await shell.call({ command: 'export OWN' })
  assert.match(await shell.told({ command: 'echo "[$OWN]"' }), /\n\[\]\n/)
  await shell.call({ command: 'export OWN=mine' })
  assert.match(await shell.told({ command: 'echo "[$OWN]"' }), /\n\[mine\]\n/)
})

test('core.shell_env: shell.env is called once a command may run, and sees what it would get', async () => {
  const seen: ShellEnvEvent[] = []
  const order: string[] = []
  const hooks = createPlugin({
    'shell.env': event => {
      order.push('hook')
      seen.push(event)
    },
  })
  await using shell = createTestShell({}, { hooks })
  await shell.call({ command: 'export OWN=1' })
  order.length = 0
  await shell.call({ command: 'true' }, { ask: async () => void order.push('ask') })
  assert.deepEqual(order, ['ask', 'hook'])
  const { signal: _, env = {}, ...facts } = seen[1] ?? {}
  assert.deepEqual(facts, { sessionID: 'ses_test', callID: 'call', command: 'true', cwd: shell.directory })
  assert.equal(env.OWN, '1')
  assert.equal(env.SHELL_TEST_TOKEN, undefined, 'credentials are kept from plugins of this hook as from commands')
})

test('core.shell_env: a command is not run where its plugin fails', async () => {
  await using shell = createTestShell(
    {},
    { hooks: createPlugin({ 'shell.env': () => Promise.reject(new Error('no vault')) }) },
  )
  for (const input of [{ command: 'touch made' }, { command: 'touch made', background: true }]) {
    await assert.rejects(shell.call(input), {
      name: 'ToolFailure',
      message: /guard failed in its hook shell\.env, .*: it threw: no vault\./,
    })
  }
  assert.equal(existsSync(join(shell.directory, 'made')), false)
})

test('core.shell_env: values of variables are told nowhere but where the command prints them', async () => {
  await using shell = createTestShell({}, { hooks: withVariables })
  const result = await shell.call({ command: 'test -n "$DEPLOY_TOKEN"' })
  const job = await shell.call({ command: 'test -n "$DEPLOY_TOKEN"', background: true })
  const listed = await shell.job({ action: 'list' })
  assert.equal(result.metadata.exit, 0)
  const all = JSON.stringify([result, job, listed, shell.questions, shell.reports])
  assert.equal(all.includes(token), false, all)
})

test('core.shell_env: a credential that a plugin hands over is not told as missing', async () => {
  await using shell = createTestShell(
    {},
    { hooks: createPlugin({ 'shell.env': () => ({ env: { SHELL_TEST_TOKEN: 'x' } }) }) },
  )
  assert.equal(await shell.told({ command: 'test "$SHELL_TEST_TOKEN" = x' }), 'exit 0 · no output · TIME')
})

for (const tty of [false, true]) {
  test(`core.shell_env: a job${tty ? ' on a terminal' : ''} has them too, also when it is started again`, async () => {
    let count = 0
    const hooks = createPlugin({ 'shell.env': () => ({ env: { HOOKED: `for call ${++count}`, HOME: null } }) })
    await using shell = createTestShell({}, { hooks })
    const command = 'echo "$HOOKED [$HOME]"; sleep 60'
    const first = await shell.call({ command, background: true, tty, ready: { pattern: 'for call 1 \\[\\]' } })
    assert.match(first.output, /ready after/)
    const again = await shell.job({ action: 'restart' })
    const job = String(again.metadata.job)
    assert.match(
      (await shell.job({ action: 'wait', id: job, mode: 'pattern', pattern: 'for call 2 \\[\\]' })).output,
      /for call 2/,
    )
    assert.match(await shell.told({ command: 'echo "[$HOME]" | wc -c' }), /\n3\n/)
  })
}

test('core.shell_env: a command in the sandbox has them, in its second run outside as in its first', {
  skip: noSandbox,
}, async () => {
  let count = 0
  const hooks = createPlugin({ 'shell.env': () => ({ env: { HOOKED: `for call ${++count}` } }) })
  await using shell = createContainedShell({ hooks })
  assert.match(await shell.told('echo "$HOOKED"'), /\nfor call 1\n/)
  shell.answer = { reply: 'once', by: 'me' }
  assert.match(await shell.told('echo "$HOOKED"; touch "$OUT/made"'), /\nfor call 2\n/)
  assert.ok(existsSync(join(shell.outside, 'made')))
  assert.equal(count, 2)
})

test('core.shell_env: what tool.before makes of a command is what is asked, and what runs', async () => {
  const hooks = createPlugin({
    'tool.before': ({ input }) => ({ input: { ...input, command: `echo instead of ${input.command}` } }),
  })
  await using shell = createTestShell({}, { hooks })
  const { output, title } = await shell.call({ cmd: 'touch made' })
  assert.match(
    output,
    /^\(.*; the plugin guard changed command\)\n<output of="echo instead of touch made" fence="\w+">\ninstead of touch made\n/,
  )
  assert.deepEqual([title, shell.questions[0]?.title], ['echo instead of touch made', 'echo instead of touch made'])
  assert.equal(existsSync(join(shell.directory, 'made')), false)
})
