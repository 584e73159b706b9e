import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareWithReality } from './fixtures/compare-with-reality.ts'
import { noTracing } from './fixtures/run-traced.ts'

const given = process.env.DECKHAND_REALITY_SEED

test('shell.safe_classification: commands run nothing and write nothing that was not foretold', {
  skip: noTracing,
}, async t => {
  const seed = given === undefined ? Date.now() % 2 ** 31 : Number(given)
  const { compared, unknown, disagreements } = await compareWithReality(seed, 330)
  t.diagnostic(
    `seed ${seed}: ${compared} commands compared with what they did; of ${unknown} it was said that it can't be known`,
  )
  assert.ok(compared >= 300, `${compared} were followed`)
  assert.deepEqual(disagreements, [], `DECKHAND_REALITY_SEED=${seed}`)
})
