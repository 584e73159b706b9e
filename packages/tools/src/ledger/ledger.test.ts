import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ContentStamp } from './content-stamp.ts'
import { isSameContent } from './content-stamp.ts'
import { createMemoryLedger, evaluateKnowledge } from './ledger.ts'
import { addRange, describeRanges } from './line-range.ts'

const stamp = (sha1: string, mtimeNs = '1'): ContentStamp => ({ size: 10, mtimeNs, sha1 })

test('read.ledger: content is known again by its hash, whatever the time says, and by time where it is too large', () => {
  assert.ok(isSameContent(stamp('a', '1'), stamp('a', '2')))
  assert.ok(!isSameContent(stamp('a', '1'), stamp('b', '1')))
  assert.ok(!isSameContent({ size: 10, mtimeNs: '1' }, stamp('a', '2')))
  assert.ok(!isSameContent({ size: 10, mtimeNs: '1' }, { size: 11, mtimeNs: '1' }))
})

test('read.partial_ledger: in any order of reads a file is known whole exactly when each line was shown', () => {
  const range = fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20 }))
  fc.assert(
    fc.property(fc.array(range, { maxLength: 8 }), fc.integer({ min: 1, max: 20 }), (ranges, totalLines) => {
      const ledger = createMemoryLedger()
      const seen = new Set<number>()
      ledger.recordRead('/f', stamp('a'), { totalLines })
      for (const [a, b] of ranges) {
        const [from, to] = [Math.min(a, b), Math.min(Math.max(a, b), totalLines)]
        ledger.recordRead('/f', stamp('a'), { ranges: [{ from, to }] })
        for (let line = from; line <= to; line++) seen.add(line)
      }
      const state = evaluateKnowledge(ledger.get('/f'), stamp('a')).state
      assert.equal(state, seen.size === totalLines ? 'whole' : 'partly')
      assert.equal(evaluateKnowledge(ledger.get('/f'), stamp('b')).state, 'changed')
    }),
  )
})

test('read.ledger: reading changed content starts anew; a write is known whole; an edit keeps what is known', () => {
  const ledger = createMemoryLedger()
  assert.equal(evaluateKnowledge(ledger.get('/f'), stamp('a')).state, 'never-read')
  ledger.recordRead('/f', stamp('a'), { ranges: [{ from: 1, to: 3 }], totalLines: 3 })
  ledger.recordRead('/f', stamp('b'), { ranges: [{ from: 1, to: 1 }], totalLines: 3 })
  assert.equal(evaluateKnowledge(ledger.get('/f'), stamp('b')).state, 'partly')
  ledger.recordWrite('/f', stamp('c'))
  ledger.recordEdit('/f', stamp('d'), 2)
  assert.equal(evaluateKnowledge(ledger.get('/f'), stamp('d')).state, 'whole')
})

test('read.ledger: what one ledger knows can be handed to the next', () => {
  const ledger = createMemoryLedger()
  ledger.recordRead('/f', stamp('a'), { ranges: [{ from: 1, to: 3 }], totalLines: 3 })
  const copy = createMemoryLedger(JSON.parse(JSON.stringify(ledger.entries())))
  assert.equal(evaluateKnowledge(copy.get('/f'), stamp('a')).state, 'whole')
})

test('read.dedup: a window is known for its content only, until the windows are forgotten', () => {
  const ledger = createMemoryLedger()
  ledger.recordRead('/f', stamp('a'), { totalLines: 1 })
  ledger.recordWindow('/f', '1:10', stamp('a'))
  assert.ok(ledger.hasWindow('/f', '1:10', stamp('a')))
  assert.ok(!ledger.hasWindow('/f', '2:10', stamp('a')))
  assert.ok(!ledger.hasWindow('/f', '1:10', stamp('b')))
  ledger.recordWrite('/f', stamp('b'))
  assert.ok(!ledger.hasWindow('/f', '1:10', stamp('a')))
  ledger.recordWindow('/f', '1:10', stamp('b'))
  ledger.forgetWindows()
  assert.ok(!ledger.hasWindow('/f', '1:10', stamp('b')))
})

test('read.ledger: actions on one path take turns, and a failure does not stop the next', async () => {
  const ledger = createMemoryLedger()
  const order: string[] = []
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const first = ledger.exclusive('/f', async () => {
    await gate
    order.push('first')
    throw new Error('failed')
  })
  const second = ledger.exclusive('/f', async () => order.push('second'))
  const other = ledger.exclusive('/g', async () => order.push('other'))
  await other
  open()
  await assert.rejects(first, /failed/)
  await second
  assert.deepEqual(order, ['other', 'first', 'second'])
})

test('read.partial_ledger: ranges are told in words', () => {
  assert.equal(describeRanges(addRange(addRange([], { from: 5, to: 9 }), { from: 1, to: 1 })), 'lines 1, 5-9')
  assert.equal(describeRanges(addRange(addRange([], { from: 2, to: 4 }), { from: 5, to: 9 })), 'lines 2-9')
  assert.equal(describeRanges([{ from: 3, to: 3 }]), 'line 3')
  assert.equal(describeRanges([]), 'no line in full')
})
