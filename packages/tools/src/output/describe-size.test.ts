import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeSize } from './describe-size.ts'

test('shell.omitted_counts: sizes have three digits', () => {
  const sizes = [
    0,
    1,
    999,
    1000,
    1024,
    10_235,
    102_000,
    1_048_575,
    3_000_032,
    13_736_345,
    200 * 1024 ** 2,
    2 * 1024 ** 3,
  ]
  assert.deepEqual(sizes.map(describeSize), [
    '0 bytes',
    '1 byte',
    '999 bytes',
    '0.98 KB',
    '1.00 KB',
    '10.0 KB',
    '99.6 KB',
    '1.00 MB',
    '2.86 MB',
    '13.1 MB',
    '200 MB',
    '2.00 GB',
  ])
})
