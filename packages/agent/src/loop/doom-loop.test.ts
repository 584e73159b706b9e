import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDoomLoopWatch } from './doom-loop.ts'

test('the third same call in a row is a loop, whatever the order of its arguments', () => {
  const watch = createDoomLoopWatch()
  assert.equal(watch.isLoop('read', { path: 'a', offset: 1 }), false)
  assert.equal(watch.isLoop('read', { offset: 1, path: 'a' }), false)
  assert.equal(watch.isLoop('read', { path: 'a', offset: 1 }), true)
})

test('any other call in between starts the count anew', () => {
  const watch = createDoomLoopWatch()
  for (const path of ['a', 'a', 'b', 'a', 'a']) assert.equal(watch.isLoop('read', { path }), false)
})

test('after a loop was let go on, the next is found three calls later', () => {
  const watch = createDoomLoopWatch()
  const found = Array.from({ length: 7 }, () => watch.isLoop('shell', { command: 'make' }))
  assert.deepEqual(found, [false, false, true, false, false, true, false])
})
