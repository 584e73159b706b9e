import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createId } from '@deckhand/core'
import { assertWhole, killWhileAppending } from '../fixtures/kill-while-appending.ts'
import { createSampleSession } from '../fixtures/sample-session.ts'
import { raceProgram, startProgram } from '../fixtures/start-program.ts'
import { createTemporaryFolder } from '../fixtures/temporary-folder.ts'
import { openSqliteStore } from './sqlite-store.ts'

test('core.sessions: a process killed with -9 at any moment loses nothing that was acknowledged, and leaves no half batch', async () => {
  await killWhileAppending(join(createTemporaryFolder(), 'deckhand.db'), createId('session'), 8)
})

test('core.sessions: eight processes write eight sessions of one file at once, without an error or a lost event', async () => {
  const file = join(createTemporaryFolder(), 'deckhand.db')
  const ids = Array.from({ length: 8 }, () => createId('session'))
  const results = await raceProgram(
    'appends-many.ts',
    ids.map(id => [file, id, '150']),
  )
  for (const { code, stderr } of results) assert.equal(code, 0, stderr)
  const store = await openSqliteStore({ file })
  for (const id of ids) {
    const events = await store.events(id, 1)
    assert.deepEqual(
      events.map(({ seq, event }) => [seq, event.type === 'notice' && event.message]),
      Array.from({ length: 150 }, (_, index) => [index + 2, `${index + 1}`]),
    )
  }
  await store.close()
  assertWhole(file)
})

test('core.sessions: a reader never sees half of what another process stores at the same time', async t => {
  const file = join(createTemporaryFolder(), 'deckhand.db')
  const store = await openSqliteStore({ file })
  const session = createSampleSession()
  await store.create(session)
  const { child, ended } = startProgram('stores-pairs.ts', [file, session.id, createId('message'), createId('part')])
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
    await store.close()
  })
  const seen = new Set<string>()
  while (seen.size < 500) {
    assert.equal(child.exitCode, null, 'the writer ended')
    for (const { info, parts } of await store.messages(session.id)) {
      const [part] = parts
      assert.equal(part?.type === 'text' && part.text, info.agent)
      seen.add(info.agent)
    }
    // Lets the end of the writer be heard.
    await setImmediate()
  }
})
