import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { createOutputLog, maxChunkBytes } from './output-log.ts'

function temporaryFolder(t: { after(fn: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'deckhand-log-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('shell.full_log: all that is written is in the file, in its order', async t => {
  const folder = temporaryFolder(t)
  let files = 0
  const sizes = fc.array(fc.integer({ min: 1, max: maxChunkBytes }), { maxLength: 40 })
  // 0: as on a slow disk from the first write on.
  const slowWriteMs = fc.constantFrom(undefined, 0)
  await fc.assert(
    fc.asyncProperty(sizes, fc.string(), slowWriteMs, async (lengths, first, slowMs) => {
      const path = join(folder, String(files++), 'x.log')
      const log = createOutputLog(path, [Buffer.from(first)], slowMs)
      const chunks = lengths.map((length, index) => Buffer.alloc(length, index + 1))
      for (const chunk of chunks) await log.write(chunk)
      const bytes = Buffer.concat([Buffer.from(first), ...chunks])
      assert.deepEqual(await log.close(), { path, bytes: bytes.length })
      assert.ok(bytes.equals(readFileSync(path)))
      assert.equal(statSync(path).mode & 0o777, 0o600)
    }),
    { numRuns: 30 },
  )
})

test('a file or a link that is already there is not written to', async t => {
  const folder = temporaryFolder(t)
  const target = join(folder, 'target')
  writeFileSync(target, 'mine')
  symlinkSync(target, join(folder, 'link'))
  for (const name of ['target', 'link']) {
    const log = createOutputLog(join(folder, name))
    log.write(Buffer.from('theirs'))
    const facts = await log.close()
    assert.equal(facts.bytes, 0)
    assert.equal(facts.problem?.code, 'EEXIST')
    assert.equal(await log.close(), facts)
  }
  assert.equal(readFileSync(target, 'utf8'), 'mine')
})
