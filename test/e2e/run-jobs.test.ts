// Jobs of a run, with the built program: contained where there is a sandbox, ended with the run, or kept.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { isProcessAlive, readStartTicks } from '@deckhand/process'
import { createTestFolder, runDeckhand } from './deckhand-process.ts'

const folder = createTestFolder()
after(() => folder.remove())

const start = {
  say: 'Start.',
  call: { shell: { command: 'echo up; sleep 64', background: true, ready: { pattern: 'up' } } },
}

function run(steps: readonly object[], ...args: string[]) {
  return runDeckhand(['run', '--model', folder.script(steps), ...args, 'go'], folder.options)
}

test('shell.persistent: in the default mode a command and a job start where the last call ended, without a word of the shell', async () => {
  const steps = [
    { say: 'Set.', call: { shell: { command: 'name=ann; greet() { echo "hi $name"; }' } } },
    { say: 'Use.', call: { shell: { command: 'greet' } } },
    { say: 'Job.', call: { shell: { command: 'greet', background: true, ready: { pattern: 'hi' } } } },
    { say: 'Look.', call: { job: { action: 'output', id: 'job-1' } } },
    { say: 'Done.' },
  ]
  const { code, stderr } = await run(steps, '--auto')
  assert.equal(code, 0, stderr)
  assert.match(stderr, /\n● \$ greet\n {2}hi ann\n {2}exit 0/)
  assert.match(stderr, /\n● \$ greet\n {2}job-1 (is running|ended: exit 0)/)
  const contained = await run(steps)
  assert.doesNotMatch(contained.stderr, /start\.sh/)
})

test('shell.native_background: a job is ended with its run, and that is told', async () => {
  const { code, stderr } = await run([start, { say: 'Done.' }], '--auto')
  assert.equal(code, 0, stderr)
  const [, pid] = /! Ended with the run: job-1: echo up; sleep 64 \(pid (\d+)\)\./.exec(stderr) ?? []
  assert.equal(isProcessAlive(Number(pid), readStartTicks(Number(pid))), false)
})

test('shell.native_background: with --keep-jobs it goes on; the next run of the session finds and stops it', async () => {
  const kept = await run([start, { say: 'Done.' }], '--auto', '--keep-jobs')
  const [, pid] = /! Still running, as was wished: job-1: echo up; sleep 64 \(pid (\d+)\)\./.exec(kept.stderr) ?? []
  assert.ok(process.kill(Number(pid), 0))
  const steps = [
    { say: 'List.', call: { job: { action: 'list' } } },
    { say: 'Stop.', call: { job: { action: 'stop', id: 'job-1' } } },
    { say: 'Done.' },
  ]
  const { stderr } = await run(steps, '--auto', '--continue')
  assert.match(stderr, /job-1 is running · for .* · started by an earlier run of Deckhand/)
  assert.equal(isProcessAlive(Number(pid), readStartTicks(Number(pid))), false)
})
