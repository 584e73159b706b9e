import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPathParts } from './path-permission.ts'
import { createWorkspace } from './workspace.ts'

const workspace = createWorkspace({ directory: '/nowhere/home/me/proj', home: '/nowhere/home/me' })

function offered(path: string, effect: 'read' | 'write', isFolder = false): (readonly string[] | undefined)[] {
  const permission = effect === 'read' ? 'read' : 'edit'
  return createPathParts(workspace, workspace.resolve(path), { permission, effect, isFolder }).map(part => part.always)
}

test('core.always: a folder that holds the workspace or the home folder is not offered', () => {
  for (const folder of ['/', '/nowhere', '/nowhere/home', '..']) {
    assert.deepEqual(offered(folder, 'read', true).at(-1), [], folder)
    assert.deepEqual(offered(`${folder}/file`, 'write').at(-1), [], folder)
  }
  assert.deepEqual(offered('../other', 'read', true), [['/nowhere/home/me/other/*'], ['/nowhere/home/me/other/*']])
  assert.deepEqual(offered('/data/x', 'write'), [['/data/x'], ['/data/*']])
})

test('core.always: a name that would stand for others as a pattern is not offered', () => {
  assert.deepEqual(offered('*', 'write'), [[]])
  assert.deepEqual(offered('src/a?.ts', 'write'), [[]])
  assert.deepEqual(offered('/data/*/x', 'write'), [[], []])
  assert.deepEqual(offered('src/[id].ts', 'write'), [['src/[id].ts']])
})
