import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startModelServer } from '../model-server/model-server.ts'
import { type KillCount, killAndResume, noKills } from './kill-and-resume.ts'

test('core.sessions: fifty runs killed with -9 at random moments lose nothing that they printed, and go on', async t => {
  const server = await startModelServer({ handler: () => ({ text: 'Going on.' }) })
  t.after(server.close)
  const count: KillCount = { ...noKills }
  for (let index = 0; index < 50; index++) await killAndResume(120 + Math.random() * 600, server, count)
  t.diagnostic(
    `${count.kills} kills: ${count.early} before anything was printed, ${count.inCalls} in the middle of calls (${count.told} calls told to the model as interrupted); ${count.parts} printed parts, all stored`,
  )
  assert.ok(count.inCalls > 0, 'no kill fell into a call, so nothing was proved')
})
