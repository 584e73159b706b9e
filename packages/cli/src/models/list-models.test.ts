import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeModels } from './list-models.ts'

test('core.providers: without any model, the list says so and how to see Deckhand at work', () => {
  assert.equal(
    describeModels([]),
    `No model is configured, no key is in the environment, and no model server runs on this machine.
To see Deckhand at work without one: deckhand demo
`,
  )
})

test('core.providers: models are listed with where they come from, and the one that is taken is marked', () => {
  assert.equal(
    describeModels([
      { model: 'work/coder', source: 'provider.work in the configuration', contextTokens: 200_000, isDefault: true },
      { model: 'a/b', source: 'provider.a in the configuration', problem: 'A_KEY is not set', isDefault: false },
    ]),
    `* work/coder  provider.work in the configuration; 200,000 tokens
  a/b         provider.a in the configuration; not usable: A_KEY is not set
`,
  )
})
