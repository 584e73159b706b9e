import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startModelServer } from '../model-server/model-server.ts'
import { createTestFolder, runDeckhand } from './deckhand-process.ts'
import { type KillCount, killAndResume, noKills } from './kill-and-resume.ts'

test('core.sessions: runs killed with -9 lose nothing that they printed, and go on', async t => {
  const server = await startModelServer({ handler: () => ({ text: 'Going on.' }) })
  t.after(server.close)
  const count: KillCount = { ...noKills }
  for (const delayMs of [180, 260, 340, 430, 520]) await killAndResume(delayMs, server, count)
  assert.equal(count.kills, 5)
})

test('core.sessions: eight runs at once in one folder, with a database that none of them finds there, all work', async () => {
  const folder = createTestFolder()
  try {
    const model = folder.script([{ call: { shell: { command: 'echo step' } } }, { say: 'Done.' }])
    const runs = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        runDeckhand(['run', '--auto', '--quiet', '--model', model, `run ${index}`], folder.options),
      ),
    )
    for (const { code, stdout, stderr } of runs) assert.deepEqual([code, stdout], [0, 'Done.\n'], stderr)
    const { stdout } = await runDeckhand(['session', 'list', '--json'], folder.options)
    const titles = (JSON.parse(stdout) as { title: string; messages: number }[]).map(
      ({ title, messages }) => `${title}: ${messages}`,
    )
    assert.deepEqual(
      titles.sort(),
      Array.from({ length: 8 }, (_, index) => `run ${index}: 3`),
    )
  } finally {
    folder.remove()
  }
})
