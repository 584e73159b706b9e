import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeOutput, takeEndOf, takeStartOf } from './decode-output.ts'

test('what is not UTF-8 is shown as U+FFFD, and all around it is kept', () => {
  assert.equal(decodeOutput(Buffer.from('left \xff\xfe right\n', 'latin1')), 'left \ufffd\ufffd right\n')
})

test('a character that a cut went through is left out; the text around it is whole', () => {
  const bytes = Buffer.from('a😀b')
  assert.equal(decodeOutput(bytes.subarray(0, 3), { end: true }), 'a')
  assert.equal(decodeOutput(bytes.subarray(3), { start: true }), 'b')
  assert.equal(decodeOutput(bytes.subarray(0, 3)), 'a\ufffd')
})

test('the start and the end of any text are whole characters of it, and as long as fits', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 0, max: 60 }), (text, maxBytes) => {
      const start = takeStartOf(text, maxBytes)
      const end = takeEndOf(text, maxBytes)
      assert.ok(text.startsWith(start) && text.endsWith(end))
      for (const part of [start, end]) {
        const bytes = Buffer.byteLength(part)
        assert.ok(bytes <= maxBytes)
        assert.ok(part === text || bytes > maxBytes - 4)
      }
    }),
  )
})
