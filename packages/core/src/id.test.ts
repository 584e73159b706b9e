import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createId, isId, randomText } from './id.ts'

test('ids of one process sort by the order in which they were made, within a millisecond too', () => {
  const ids = Array.from({ length: 3000 }, () => createId('message', 1_796_079_457_520))
  assert.deepEqual([...ids].sort(), ids)
  assert.equal(new Set(ids).size, ids.length)
  assert.ok((ids.at(-1) ?? '') < createId('message', 1_796_079_457_521))
})

test('an id says what it names, and OpenCode’s are known as such', () => {
  assert.ok(isId('session', createId('session')))
  assert.ok(isId('session', 'ses_dd15270beffe6zOrloEMgu1J3t'))
  for (const text of ['', 'ses_', 'msg_dd15270beffe6zOrloEMgu1J3t', 'ses_../../etc', 'ses_dd15270b effe'])
    assert.equal(isId('session', text), false)
})

test('random text has the length asked for, from letters and digits', () => {
  for (const length of [0, 1, 6, 100]) assert.match(randomText(length), new RegExp(`^[0-9A-Za-z]{${length}}$`))
})
