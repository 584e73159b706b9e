import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { writeAtomically } from './atomic-write.ts'

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'deckhand-atomic-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('read.ledger: a reader sees the old content or the new one, never a part', async t => {
  const folder = folderOf(t)
  const file = join(folder, 'f')
  const contents = ['a', 'b'].map(letter => letter.repeat(2_000_000))
  writeFileSync(file, contents[0] ?? '')
  let writing = true
  const writes = (async () => {
    for (let round = 0; round < 10; round++) await writeAtomically(file, Buffer.from(contents[round % 2] ?? ''))
    writing = false
  })()
  while (writing) {
    assert.ok(contents.includes(readFileSync(file, 'utf8')))
    await new Promise(resolve => setImmediate(resolve))
  }
  await writes
  assert.deepEqual(readdirSync(folder), ['f'])
})

test('read.ledger: a write that fails leaves the old file and no other', async t => {
  const folder = folderOf(t)
  mkdirSync(join(folder, 'sub'))
  await assert.rejects(writeAtomically(join(folder, 'sub'), Buffer.from('x')))
  assert.deepEqual(readdirSync(folder), ['sub'])
  assert.ok(statSync(join(folder, 'sub')).isDirectory())
})

test('read.ledger: a read-only file is not replaced by a rename', { skip: process.getuid?.() === 0 }, async t => {
  const file = join(folderOf(t), 'f')
  writeFileSync(file, 'old')
  chmodSync(file, 0o444)
  await assert.rejects(writeAtomically(file, Buffer.from('new')), { code: 'EACCES' })
  assert.equal(readFileSync(file, 'utf8'), 'old')
})

test('read.ledger: a new file gets the usual mode and its folders', async t => {
  const file = join(folderOf(t), 'a/b/f')
  const { stats, atomic } = await writeAtomically(file, Buffer.from('new'))
  assert.ok(existsSync(file) && atomic)
  assert.equal(Number(stats.mode) & 0o777, 0o666 & ~process.umask())
})
