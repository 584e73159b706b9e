import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createOutputKeeper } from './output-keeper.ts'

test('head and tail are the first and last bytes, whatever the pieces they came in, and the totals are true', () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 30 })
  const limit = fc.integer({ min: 0, max: 50 })
  fc.assert(
    fc.property(pieces, limit, limit, fc.integer({ min: 0, max: 120 }), (chunks, headBytes, tailBytes, lastBytes) => {
      const keeper = createOutputKeeper({ headBytes, tailBytes })
      const reused = Buffer.alloc(40)
      for (const chunk of chunks) {
        reused.set(chunk)
        keeper.add(reused.subarray(0, chunk.length))
      }
      const all = Buffer.concat(chunks)
      const kept = keeper.keep()
      const rest = all.subarray(headBytes)
      assert.deepEqual(kept.head, all.subarray(0, headBytes))
      assert.deepEqual(kept.tail, rest.subarray(Math.max(0, rest.length - tailBytes)))
      assert.equal(kept.bytes, all.length)
      const newlines = all.filter(byte => byte === 10).length
      assert.equal(kept.lines, newlines + (all.length > 0 && all.at(-1) !== 10 ? 1 : 0))
      if (all.length <= headBytes + tailBytes)
        assert.deepEqual(keeper.last(lastBytes), all.subarray(Math.max(0, all.length - lastBytes)))
    }),
  )
})
