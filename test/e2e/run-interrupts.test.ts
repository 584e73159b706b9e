// A run that is told to end, while a command runs, while the model is silent, while it waits to try again.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type ServerStep, startModelServer } from '../model-server/model-server.ts'
import {
  createTestFolder,
  isAlive,
  parseLines,
  program,
  runDeckhand,
  startDeckhand,
  startProgram,
  type TestFolder,
  waitFor,
} from './deckhand-process.ts'

/** What is promised, and a little for a machine that has more to do. */
const soonMs = 3_000 + 2_000

function createFolder(t: TestContext): TestFolder {
  const folder = createTestFolder()
  t.after(folder.remove)
  return folder
}

/** The text that a command has written into a file of the workspace, once it is there. */
async function waitForFile({ workspace }: TestFolder, name: string): Promise<string> {
  const file = join(workspace, name)
  const read = () => (existsSync(file) ? readFileSync(file, 'utf8') : '')
  await waitFor(() => read().endsWith('\n'))
  return read()
}

function shell(command: string) {
  return { say: 'I start.', call: { shell: { command } } }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  test(`core.cancel: ${signal} in a running command ends it and all that it started, keeps what it printed, and is told`, async t => {
    const folder = createFolder(t)
    const command = 'echo partial; setsid sleep 60 & echo $$ $! > pids; sleep 60'
    const args = [
      'run',
      '--auto',
      '--format',
      'json',
      '--model',
      folder.script([shell(command), { say: 'never' }]),
      'go',
    ]
    const { child, exited, lines } = startDeckhand(args, folder.options)
    const pids = (await waitForFile(folder, 'pids')).trim().split(' ').map(Number)
    assert.equal(pids.filter(isAlive).length, 2)
    const signalledAt = performance.now()
    child.kill(signal)
    const { code, stderr } = await exited
    assert.ok(performance.now() - signalledAt < soonMs)
    assert.deepEqual(pids.filter(isAlive), [])
    assert.deepEqual([code, stderr], [130, ''])
    const end = lines().at(-1)
    assert.deepEqual([end?.type, end?.reason, end?.exitCode], ['session.idle', 'cancelled', 130])
    assert.match(
      lines().find(({ type }) => type === 'tool_use')?.part.state.output,
      /\npartial\n<\/output [^\n]+\ncancelled by the user: sent SIGTERM; survivors: none/,
    )
    const shown = await runDeckhand(['session', 'show', end?.sessionID ?? ''], folder.options)
    assert.match(shown.stdout, /I start\.\n● \$ echo partial; [\s\S]*\n {2}partial\n[\s\S]*turns: interrupted\n$/)
  })
}

test('core.cancel: a second Ctrl-C ends the run at once, with its terminal line; a command that ignores SIGTERM ends too', async t => {
  const folder = createFolder(t)
  const command = "trap 'echo yes > termed' TERM; echo $$ > pid; while :; do sleep 0.1; done"
  const args = ['run', '--auto', '--format', 'json', '--model', folder.script([shell(command), { say: 'never' }]), 'go']
  const { child, exited, lines } = startDeckhand(args, folder.options)
  const pid = Number(await waitForFile(folder, 'pid'))
  child.kill('SIGINT')
  await waitForFile(folder, 'termed')
  const secondAt = performance.now()
  child.kill('SIGINT')
  const { code } = await exited
  assert.equal(code, 130)
  assert.deepEqual([lines().at(-1)?.type, lines().at(-1)?.error.name], ['error', 'InterruptedError'])
  assert.equal(lines().filter(({ type }) => type === 'error' || type === 'session.idle').length, 1)
  await waitFor(() => !isAlive(pid))
  assert.ok(performance.now() - secondAt < soonMs)
})

interface ModelWait {
  readonly name: string
  readonly step: ServerStep
  /** Printed when the wait has begun; else the server has the request. */
  readonly line?: RegExp
}

const waits: readonly ModelWait[] = [
  { name: 'while the model has not said a word', step: { firstByteDelayMs: 60_000 } },
  { name: 'in the middle of an answer', step: { text: ['Half ', 'a text'], silentAfter: 2 }, line: /"step_start"/ },
  {
    name: 'while it waits to try again',
    step: { fail: { status: 429, headers: { 'retry-after': '60' } } },
    line: /"retry"/,
  },
]

for (const { name, step, line } of waits) {
  test(`core.cancel: Ctrl-C ${name} ends the run, and lets go of the connection`, async t => {
    const server = await startModelServer({ steps: [step] })
    t.after(() => server.close())
    const folder = createFolder(t)
    const options = { baseURL: `${server.url}/v1`, apiKey: 'none' }
    folder.configure({ provider: { test: { options, models: { local: {} } } } })
    const run = startDeckhand(['run', '--format', 'json', 'go'], folder.options)
    if (line) await run.until(line)
    else await waitFor(() => server.requests.length === 1)
    const signalledAt = performance.now()
    run.child.kill('SIGINT')
    const { code } = await run.exited
    assert.ok(performance.now() - signalledAt < soonMs)
    assert.deepEqual([code, run.lines().at(-1)?.reason, server.requests.length], [130, 'cancelled', 1])
    await waitFor(() => server.openConnections() === 0)
  })
}

test('core.headless: a reader that goes away ends the run quietly, and the running command with it', async t => {
  const folder = createFolder(t)
  const model = folder.script([
    // The second line is for nobody.
    { say: 'one', call: { shell: { command: 'sleep 0.5' } } },
    { say: 'two', call: { shell: { command: 'echo $$ > pid; sleep 60' } } },
    { say: 'never' },
  ])
  const run = `'${process.execPath}' '${program}' run --auto --format json --model '${model}' go 2>stderr.txt`
  const { exited } = startProgram('bash', ['-c', `${run} | head -1; echo "exit \${PIPESTATUS[0]}"`], folder.options)
  const { stdout, elapsedMs } = await exited
  const [first = '', exit] = stdout.trimEnd().split('\n')
  assert.equal(parseLines(`${first}\n`)[0]?.type, 'session.start')
  assert.equal(exit, 'exit 130')
  assert.equal(readFileSync(join(folder.workspace, 'stderr.txt'), 'utf8'), '')
  assert.ok(elapsedMs < 20_000)
  const pidFile = join(folder.workspace, 'pid')
  if (existsSync(pidFile)) assert.ok(!isAlive(Number(readFileSync(pidFile, 'utf8'))))
})
