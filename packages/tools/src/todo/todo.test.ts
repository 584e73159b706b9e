import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFileBench } from '../workspace/fixtures/file-bench.ts'

test('todo keeps the list and says what changed', async t => {
  const bench = createFileBench(t)
  const first = [
    { content: 'read', status: 'in_progress' },
    { content: 'fix', status: 'pending' },
  ]
  assert.equal(await bench.told('todo', { todos: first }), '2 items, 2 open. Changed: 2 added.\n[>] read\n[ ] fix')
  const second = [
    { content: 'read', status: 'completed' },
    { content: 'test', status: 'pending' },
  ]
  assert.equal(
    await bench.told('todo', { todos: second }),
    '2 items, 1 open. Changed: 1 added; 1 removed; "read" is now completed.\n[x] read\n[ ] test',
  )
  assert.equal(await bench.told('todo', { todos: second }), '2 items, 1 open. Nothing changed.\n[x] read\n[ ] test')
  assert.equal(await bench.told('todo', {}), '2 items, 1 open.\n[x] read\n[ ] test')
  assert.equal(await bench.told('todo', { todos: [] }), 'The list is empty. Changed: 2 removed.')
  assert.equal(bench.questions[0]?.parts[0]?.harmless, true)
})
