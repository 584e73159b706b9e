// What the runner promises of a command holds in the sandbox too.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createChildEnvironment } from '../command/child-environment.ts'
import type { CommandOptions } from '../command/command-call.ts'
import { createCommandRunner } from '../command/command-runner.ts'
import { textOf, waitFor } from '../command/fixtures/test-runner.ts'
import { createRunResources } from '../command/run-resources.ts'
import { listProcesses, readVariable } from '../table/process-table.ts'
import { findSandbox } from './find-sandbox.ts'

const state = await findSandbox({ platform: process.platform, temporaryDirectory: tmpdir() })
const skip = state.kind === 'none' && state.reason

function createRunner(t: TestContext) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-in-sandbox-')))
  const directory = join(root, 'work')
  mkdirSync(directory)
  const runner = createCommandRunner(createRunResources({ temporaryDirectory: join(root, 'run') }))
  const sandbox = state.kind === 'found' ? state.open() : undefined
  const mark = `mark-${root}`
  const { environment } = createChildEnvironment({ ...process.env, DECKHAND_TEST_MARK: mark })
  t.after(async () => {
    await runner.close()
    await sandbox?.close()
    rmSync(root, { recursive: true, force: true })
  })
  return {
    directory,
    runner,
    alive: () => listProcesses().filter(({ pid }) => readVariable(pid, 'DECKHAND_TEST_MARK') === mark),
    bash: (command: string, options: Partial<CommandOptions> = {}) =>
      runner.run({
        argv: ['bash', '--noprofile', '--norc', '-c', command],
        cwd: directory,
        environment,
        timeoutMs: 30_000,
        ...(sandbox && {
          sandbox: {
            sandbox,
            policy: { writableRoots: [directory], readOnlyPaths: [], maskedPaths: [], network: 'off' },
          },
        }),
        ...options,
      }),
  }
}

test('core.sandbox: codes, output and its order are those of the command', { skip }, async t => {
  const { bash } = createRunner(t)
  for (const code of [0, 1, 3, 127, 255]) assert.deepEqual((await bash(`exit ${code}`)).end, { kind: 'exited', code })
  const outcome = await bash('for i in 1 2 3; do echo out $i; echo err $i >&2; echo dev $i > /dev/stderr; done')
  assert.equal(textOf(outcome), [1, 2, 3].map(i => `out ${i}\nerr ${i}\ndev ${i}\n`).join(''))
  assert.equal((await bash('head -c 5000000 /dev/zero')).output.bytes, 5_000_000)
})

test('core.sandbox: a call ends with its shell; what it leaves behind is named as commands see it, and ended at the end', {
  skip,
}, async t => {
  const { bash, runner, alive } = createRunner(t)
  const { leftovers, durationMs } = await bash('sleep 300 & echo $! > pid')
  assert.ok(durationMs < 5000)
  assert.ok(leftovers.known)
  const [found] = leftovers.processes
  assert.equal(found?.command, 'sleep 300')
  const { output } = await bash(`cat pid; kill -0 ${found?.pid} && echo there`)
  assert.equal(Buffer.concat([output.head, output.tail]).toString(), `${found?.pid}\nthere\n`)
  const { ended, survivors } = await runner.endLeftovers()
  assert.deepEqual([ended.length, survivors.length], [1, 0])
  assert.deepEqual(alive(), [])
})

test('core.sandbox: a timeout ends all of it, daemons and those that ignore SIGTERM too', { skip }, async t => {
  const { bash, alive } = createRunner(t)
  const command = "setsid sleep 301 & (trap '' TERM; while :; do sleep 302; done) & sleep 303"
  const { end } = await bash(command, { timeoutMs: 400, graceMs: 200 })
  assert.equal(end.kind, 'timed-out')
  await waitFor(() => alive().length === 0, 'that none is left')
})

test('core.sandbox: a cancel ends it, and is what is told', { skip }, async t => {
  const { bash, directory, alive } = createRunner(t)
  const abort = new AbortController()
  const running = bash('touch started; sleep 304', { signal: abort.signal })
  await waitFor(() => existsSync(join(directory, 'started')), 'that it has started')
  abort.abort(new Error('enough'))
  assert.equal((await running).end.kind, 'cancelled')
  await waitFor(() => alive().length === 0, 'that none is left')
})

test('core.sandbox: when a command ends all that it can, the next one has a sandbox again', { skip }, async t => {
  const { bash, directory } = createRunner(t)
  await bash('sleep 305 & kill -9 -1')
  assert.deepEqual((await bash('echo again > a')).end, { kind: 'exited', code: 0 })
  assert.equal(readFileSync(join(directory, 'a'), 'utf8'), 'again\n')
})

test('core.sandbox: commands side by side do not meet, but for what they share', { skip }, async t => {
  const { bash } = createRunner(t)
  const all = await Promise.all(
    Array.from({ length: 8 }, (_, index) => bash(`echo ${index} > /tmp/${index}; cat /tmp/${index}`)),
  )
  assert.deepEqual(
    all.map(textOf),
    Array.from({ length: 8 }, (_, index) => `${index}\n`),
  )
})

test('core.sandbox: what is to be hidden may go at any moment: the command is run all the same, and once', {
  skip,
}, async t => {
  const { bash, directory } = createRunner(t)
  // Many sockets that come and go outside while commands are started.
  const folder = mkdtempSync(join(homedir(), '.deckhand-sockets-'))
  let isOver = false
  const churn = (async () => {
    for (let count = 0; !isOver; count++) {
      const server = createServer().listen(join(folder, `socket-${count % 20}`))
      await once(server, 'listening')
      server.close()
      await once(server, 'close')
      // Neither of the two waits lets anything else run.
      await nextTurn()
    }
  })()
  try {
    for (let count = 1; count <= 30; count++) {
      const { end } = await bash(`echo run >> runs; exit ${count % 5}`)
      assert.deepEqual(end, { kind: 'exited', code: count % 5 })
    }
    assert.equal(readFileSync(join(directory, 'runs'), 'utf8'), 'run\n'.repeat(30))
  } finally {
    isOver = true
    await churn
    rmSync(folder, { recursive: true, force: true })
  }
})

test('core.sandbox: a folder that is not there any more is told as such', { skip }, async t => {
  const { bash, directory } = createRunner(t)
  const { end } = await bash('true', { cwd: join(directory, 'missing') })
  assert.ok(end.kind === 'failed-to-start' && end.missing === 'folder', JSON.stringify(end))
})
