import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareWithReality } from './fixtures/compare-with-reality.ts'
import { noTracing } from './fixtures/run-traced.ts'

test('shell.safe_classification: five thousand commands run nothing and write nothing that was not foretold', {
  skip: noTracing,
}, async t => {
  const first = Date.now() % 2 ** 31
  let compared = 0
  let unknown = 0
  for (let seed = first; compared < 5000; seed++) {
    const result = await compareWithReality(seed, 500)
    assert.deepEqual(result.disagreements, [], `seed ${seed}`)
    compared += result.compared
    unknown += result.unknown
  }
  t.diagnostic(`seeds from ${first}: ${compared} commands compared, ${unknown} of them not foretold`)
})
