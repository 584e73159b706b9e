import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createFifoPool } from './fifo-pool.ts'

const directory = mkdtempSync(join(tmpdir(), 'deckhand-pool-'))
after(() => rmSync(directory, { recursive: true, force: true }))

const skip = process.platform === 'win32' && 'there are no FIFOs'

test('folders of processes that died without cleaning up are removed, those of the living and the new are not', {
  skip,
}, async () => {
  const dead = spawnSync(process.execPath, ['-e', '0']).pid
  const makeFolder = (name: string, isOld: boolean) => {
    const path = join(directory, name)
    mkdirSync(path)
    if (isOld) utimesSync(path, new Date(0), new Date(0))
  }
  makeFolder(`deckhand-fifo-${dead}-old`, true)
  makeFolder(`deckhand-fifo-${dead}-new`, false)
  makeFolder(`deckhand-fifo-${process.pid}-mine`, true)
  makeFolder('somebody-elses', true)

  const pool = createFifoPool(directory)
  await pool.prepare()
  const names = readdirSync(directory).filter(name => name !== pool.folder()?.split('/').at(-1))
  assert.deepEqual(
    names.sort(),
    [`deckhand-fifo-${dead}-new`, `deckhand-fifo-${process.pid}-mine`, 'somebody-elses'].sort(),
  )
  await pool.close()
  assert.equal(readdirSync(directory).length, 3)
})
