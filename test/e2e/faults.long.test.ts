import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type KillCount, killAndResume } from './kill-and-resume.ts'

test('core.sessions: fifty runs killed with -9 at random moments lose nothing that they printed, and go on', async t => {
  const count: KillCount = { kills: 0, early: 0, inCalls: 0, parts: 0 }
  for (let index = 0; index < 50; index++) await killAndResume(120 + Math.random() * 600, count)
  t.diagnostic(
    `${count.kills} kills: ${count.early} before anything was printed, ${count.inCalls} in the middle of calls; ${count.parts} printed parts, all stored`,
  )
  assert.ok(count.inCalls > 0, 'no kill fell into a call, so nothing was proved')
})
