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

test('the same call with another answer is polling, not a loop; our own fence and the time taken do not count', () => {
  const watch = createDoomLoopWatch()
  const call = { command: 'cat log' }
  const answers = ['one', 'two', 'three', 'three'].map(
    (line, index) => `<output fence="k${index}">${line}</output>\nexit 0 · ${index}.5 s`,
  )
  const found = [...answers, ''].map(answer => {
    const isLoop = watch.isLoop('shell', call)
    watch.recordAnswer('shell', call, answer)
    return isLoop
  })
  assert.deepEqual(found, [false, false, false, false, true])
})
