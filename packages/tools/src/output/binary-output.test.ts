import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { identifyBinary } from './binary-output.ts'

const nothing = Buffer.alloc(0)
const noise = randomBytes(20_000)

test('compressed data is named, with the lines of text around it', () => {
  const bytes = Buffer.concat([Buffer.from('HTTP/1.1 200 OK\n'), gzipSync(noise), Buffer.from('\nexit: 0\n')])
  assert.deepEqual(identifyBinary(bytes, nothing), { type: 'gzip', before: 'HTTP/1.1 200 OK\n', after: 'exit: 0\n' })
})

test('data without a known start is binary all the same', () => {
  const found = identifyBinary(Buffer.concat([Buffer.from([1, 2, 3]), noise]), nothing)
  assert.equal(found?.type, undefined)
  assert.ok(found)
})

test('binary data after a long text is found in the tail', () => {
  assert.ok(identifyBinary(Buffer.from('text\n'.repeat(30_000)), noise))
})

for (const [name, bytes] of [
  ['plain text', Buffer.from('hello\n')],
  ['a few bytes that are not UTF-8', Buffer.from('left \xff\xfe right\n', 'latin1')],
  ['text in an older encoding', Buffer.from('c4e3bac3cac0bde7'.repeat(200), 'hex')],
  ['names separated by NUL', Buffer.from('src/a.ts\0src/b.ts\0'.repeat(100))],
  ['colours and redrawn lines', Buffer.from('\x1b[32m1%\x1b[0m\r'.repeat(1000))],
] as const) {
  test(`${name} is not binary`, () => assert.equal(identifyBinary(bytes, nothing), undefined))
}
