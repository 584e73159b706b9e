import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { randomText } from '@deckhand/core'
import { listProcesses, readCommandLine, readVariable } from '../table/process-table.ts'
import { waitFor } from './fixtures/test-runner.ts'

test('shell.group_kill: a program that is killed with -9 leaves no process and no FIFO behind', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'deckhand-death-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const mark = randomText(12)
  const program = join(import.meta.dirname, 'fixtures/starts-and-waits.ts')
  const child = spawn(process.execPath, ['--conditions=deckhand-source', program, folder], {
    env: { ...process.env, DECKHAND_TEST_MARK: mark },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  const alive = () =>
    listProcesses()
      .filter(({ pid }) => readVariable(pid, 'DECKHAND_TEST_MARK') === mark)
      .map(readCommandLine)
  await waitFor(() => alive().filter(line => line.startsWith('sleep')).length >= 3, 'all three sleeps run')
  assert.equal(readdirSync(folder).length, 1)
  child.kill('SIGKILL')
  await waitFor(() => alive().length === 0, 'all are gone')
  await waitFor(() => existsSync(folder) && readdirSync(folder).length === 0, 'the FIFOs are gone')
})
