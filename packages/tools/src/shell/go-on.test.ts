import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTestShell } from './fixtures/test-shell.ts'

const counting = 'for i in $(seq 1 400); do echo "line $i"; sleep 0.005; done; exit 7'

test('shell.timeout_cap: with onTimeout background a call whose time is over goes on as a job, and none of its output is lost', async () => {
  await using shell = createTestShell()
  const told = await shell.told({ command: counting, timeoutMs: 300, onTimeout: 'background' })
  const [, cursor] = /cursor (\d+)/.exec(told) ?? []
  assert.match(told, /\nline 1\n/)
  assert.match(
    told,
    /not ended after 300 ms: it goes on as job-1 \(pid N\); go on with job output \| wait \| stop, id job-1, cursor \d+ · TIME$/,
  )
  const { output, metadata } = await shell.job({ action: 'wait', id: 'job-1', cursor: Number(cursor) })
  assert.match(output, /line 400\n/)
  assert.match(output, /job-1 ended: exit 7/)
  const log = readFileSync(String(metadata.outputPath), 'utf8')
  assert.equal(log, Array.from({ length: 400 }, (_, index) => `line ${index + 1}\n`).join(''))
})

test('shell.timeout_cap: a call that says nothing of it is ended at its timeout, or goes on where that is the rule', async () => {
  await using headless = createTestShell()
  assert.match(await headless.told({ command: 'sleep 60', timeoutMs: 200 }), /^timed out after 200 ms: sent SIGTERM/)
  await using followed = createTestShell({}, { onTimeout: 'background' })
  assert.match(
    await followed.told({ command: 'sleep 60', timeoutMs: 200 }),
    /^not ended after 200 ms: it goes on as job-1/,
  )
  const killed = await followed.told({ command: 'sleep 60', timeoutMs: 200, onTimeout: 'kill' })
  assert.match(killed, /^timed out after 200 ms/)
})

test('shell.timeout_cap: where too many jobs run already, it is ended, and told why', async () => {
  await using shell = createTestShell({}, { maxJobs: 1 })
  await shell.call({ command: 'sleep 60', background: true })
  assert.match(
    await shell.told({ command: 'sleep 60', timeoutMs: 200, onTimeout: 'background' }),
    /^timed out after 200 ms: sent SIGTERM; survivors: none\. It could not go on as a job, as too many run already/,
  )
})

test('shell.persistent: a call that goes on leaves the state of its shell as it was, and the next need not wait for it', async () => {
  await using shell = createTestShell()
  const told = await shell.told({ command: 'cd /; x=1; sleep 60', timeoutMs: 200, onTimeout: 'background' })
  assert.match(told, /cd and variables of this call are not kept/)
  assert.match(await shell.told({ command: 'pwd; echo "x=$x"' }), new RegExp(`\n${shell.directory}\nx=\n`))
})

test('shell.native_background: a call that goes on can be stopped, and its children with it', async () => {
  await using shell = createTestShell()
  const told = await shell.told({
    command: 'sleep 4242 & echo $! > child; wait',
    timeoutMs: 300,
    onTimeout: 'background',
  })
  assert.match(told, /goes on as job-1/)
  const child = Number(readFileSync(join(shell.directory, 'child'), 'utf8'))
  assert.match((await shell.job({ action: 'stop', id: 'job-1' })).output, /job-1 was stopped \(sent SIGTERM/)
  assert.equal(existsSync(`/proc/${child}/exe`), false)
})

test('shell.native_background: a call that has closed its output goes on too, and its end is told', async () => {
  await using shell = createTestShell()
  const command = 'echo before; exec >&- 2>&-; until [ -e go ]; do sleep 0.02; done; exit 5'
  const told = await shell.told({ command, timeoutMs: 300, onTimeout: 'background' })
  assert.match(told, /goes on as job-1/)
  writeFileSync(join(shell.directory, 'go'), '')
  assert.match((await shell.job({ action: 'wait', id: 'job-1' })).output, /job-1 ended: exit 5/)
})

test('shell.group_kill: with leftovers end, what a call leaves running is ended with it, and named', async () => {
  await using shell = createTestShell()
  const command = '(trap "" TERM; sleep 4243; sleep 4243) & setsid sleep 4244 & echo started'
  const { output, metadata } = await shell.call({ command, leftovers: 'end' })
  assert.match(output, /ended what it left running: .*sleep 4244 \(pid \d+\)/)
  assert.doesNotMatch(output, /still running/)
  assert.equal(metadata.leftovers, undefined)
  const kept = await shell.told({ command: 'sleep 4245 & echo started' })
  assert.match(kept, /still running: sleep 4245 \(pid N\)/)
})
