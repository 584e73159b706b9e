import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { groupDigits } from './group-digits.ts'

test('the digits of a count are grouped as toLocaleString groups them', () => {
  fc.assert(fc.property(fc.maxSafeInteger(), count => assert.equal(groupDigits(count), count.toLocaleString('en-US'))))
})
