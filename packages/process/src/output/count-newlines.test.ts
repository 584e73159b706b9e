import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { countNewlines } from './count-newlines.ts'

test('newlines are counted truly, whatever the bytes and wherever they start in memory', () => {
  const byte = fc.constantFrom(0x0a, 0x0b, 0x09, 0x8a, 0x00, 0xff, 0x41)
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 3000 }), fc.integer({ min: 0, max: 7 }), (bytes, offset) => {
      const memory = new Uint8Array(bytes.length + offset)
      memory.set(bytes, offset)
      assert.equal(countNewlines(memory.subarray(offset)), bytes.filter(value => value === 0x0a).length)
    }),
  )
})

test('newlines of a buffer full of them are counted truly', () => {
  assert.equal(countNewlines(new Uint8Array(65_536).fill(0x0a)), 65_536)
})
