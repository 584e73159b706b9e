import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createLineSplitter } from './line-splitter.ts'

function split(chunks: readonly Buffer[], maxBytes: number): { lines: string[]; tooLong: number } {
  const lines: string[] = []
  let tooLong = 0
  const take = createLineSplitter({
    maxBytes,
    onLine: line => lines.push(line.toString('utf8')),
    onTooLong: () => {
      tooLong++
    },
  })
  for (const chunk of chunks) take(chunk)
  return { lines, tooLong }
}

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set(places.map(place => place % (bytes.length + 1)))].sort((a, b) => a - b)
  return [...ends, bytes.length].map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end))
}

test('lines come out whole however the stream is cut, also in the middle of a character', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'é', '漢', '😀', ' ', '\r') })
  fc.assert(
    fc.property(fc.array(line), fc.string(), fc.array(fc.nat(200)), (whole, rest, places) => {
      const unfinished = rest.replaceAll('\n', '')
      const bytes = Buffer.from(whole.map(text => `${text}\n`).join('') + unfinished)
      assert.deepEqual(split(cut(bytes, places), 1e6), { lines: whole, tooLong: 0 })
    }),
  )
})

test('a line that is too long is told once and dropped; the next one is read', () => {
  const bytes = Buffer.from(`${'x'.repeat(11)}\n${'y'.repeat(10)}\n`)
  for (let size = 1; size <= bytes.length; size++) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    )
    assert.deepEqual(split(chunks, 10), { lines: ['y'.repeat(10)], tooLong: 1 }, `chunks of ${size}`)
  }
})
