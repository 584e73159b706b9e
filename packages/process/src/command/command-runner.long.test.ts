import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTestRunner } from './fixtures/test-runner.ts'

test('shell.full_log: 1 GB of output is counted truly and whole in the log, in flat memory', async () => {
  await using runner = createTestRunner()
  const logPath = join(runner.directory, 'whole.log')
  await runner.bash('yes | head -c 50M', { logPath: join(runner.directory, 'warm.log') })
  const before = process.memoryUsage.rss()
  let highest = 0
  const outcome = await runner.bash('yes 0123456789 | head -c 1G; echo; echo LAST', {
    logPath,
    timeoutMs: 240_000,
    onOutput: () => {
      highest = Math.max(highest, process.memoryUsage.rss())
    },
  })
  const bytes = 1024 ** 3 + 6
  assert.deepEqual(outcome.end, { kind: 'exited', code: 0 })
  assert.equal(outcome.output.bytes, bytes)
  assert.equal(outcome.output.lines, Math.floor(1024 ** 3 / 11) + 2)
  assert.deepEqual(outcome.output.log, { path: logPath, bytes })
  assert.equal(statSync(logPath).size, bytes)
  assert.match(outcome.output.tail.toString(), /\nLAST\n$/)
  assert.ok(highest - before < 30e6, `memory grew by ${highest - before} bytes`)
})

test('a thousand calls leave memory and file descriptors as they were', async () => {
  await using runner = createTestRunner()
  const call = () => runner.bash('head -c 300K /dev/zero | tr "\\0" x')
  for (let index = 0; index < 100; index++) await call()
  const before = process.memoryUsage.rss()
  for (let index = 0; index < 1000; index++) await call()
  const grown = process.memoryUsage.rss() - before
  assert.ok(grown < 40e6, `memory grew by ${grown} bytes`)
})
