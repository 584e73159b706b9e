import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import openWabt from 'wabt'
import { countNewlines } from './count-newlines.ts'
import { counterCode, openReadBuffer } from './read-buffer.ts'

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

test('newlines in the read buffer are counted truly, whatever an earlier chunk left behind them', () => {
  const { bytes: buffer, count } = openReadBuffer()
  assert.ok(count, 'vectors can be had here')
  const byte = fc.constantFrom(0x0a, 0x0b, 0x8a, 0x00)
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 3000 }), fc.integer({ min: 0, max: 3000 }), (bytes, start) => {
      buffer.fill(0x0a)
      buffer.set(bytes)
      const counted = countNewlines(buffer.subarray(start, bytes.length))
      assert.equal(counted, bytes.slice(start).filter(value => value === 0x0a).length)
    }),
  )
})

test('the assembled counter is what its source says', async () => {
  const wat = readFileSync(join(import.meta.dirname, 'count-newlines.wat'), 'utf8')
  const { buffer } = (await openWabt()).parseWat('count-newlines.wat', wat, { simd: true }).toBinary({})
  assert.equal(Buffer.from(buffer).toString('base64'), counterCode)
})

test('newlines of a buffer full of them are counted truly', () => {
  assert.equal(countNewlines(new Uint8Array(65_536).fill(0x0a)), 65_536)
})
