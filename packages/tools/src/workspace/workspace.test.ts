import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { createWorkspace, isInside } from './workspace.ts'

function setUp(t: TestContext) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-workspace-')))
  t.after(() => rmSync(base, { recursive: true, force: true }))
  for (const name of ['proj', 'proj-secret', 'extra', 'home']) mkdirSync(join(base, name))
  const options = { directory: join(base, 'proj'), extraRoots: [join(base, 'extra')], home: join(base, 'home') }
  return { base, workspace: createWorkspace(options) }
}

test('shell.workspace_boundary: paths are inside by their components, not by their first letters', t => {
  const { base, workspace } = setUp(t)
  const inside = (path: string) => workspace.resolve(path).inside
  assert.equal(inside('a/b.txt'), true)
  assert.equal(inside('.'), true)
  assert.equal(inside('..a'), true)
  assert.equal(inside(join(base, 'extra/x')), true)
  assert.equal(inside(join(base, 'proj-secret/x')), false)
  assert.equal(inside('../../../../etc/passwd'), false)
  assert.equal(inside('~/x'), false)
})

test('shell.workspace_boundary: links are followed to where they lead, also through what does not exist yet', t => {
  const { base, workspace } = setUp(t)
  symlinkSync(join(base, 'proj-secret'), join(base, 'proj/out'))
  symlinkSync(join(base, 'proj-secret/new.txt'), join(base, 'proj/dangling'))
  symlinkSync('circle', join(base, 'proj/circle'))
  assert.deepEqual(workspace.resolve('out/new/x'), {
    absolute: join(base, 'proj/out/new/x'),
    real: join(base, 'proj-secret/new/x'),
    inside: false,
    shown: 'out/new/x',
  })
  assert.equal(workspace.resolve('dangling').inside, false)
  assert.equal(workspace.resolve('circle').inside, true)
})

test('shell.workspace_boundary: paths are shown relative to the workspace, else whole', t => {
  const { base, workspace } = setUp(t)
  assert.equal(workspace.resolve(join(base, 'proj/a')).shown, 'a')
  assert.equal(workspace.resolve('.').shown, '.')
  assert.equal(workspace.resolve('b', join(base, 'proj/a')).shown, 'a/b')
  assert.equal(workspace.resolve('~').shown, join(base, 'home'))
})

test('shell.workspace_boundary: whatever is joined below a folder is inside it, and what climbs out is not', () => {
  const name = fc.string({ minLength: 1, maxLength: 5 }).map(text => text.replace(/[/\0.]/g, 'x'))
  fc.assert(
    fc.property(fc.array(name, { maxLength: 4 }), name, (parts, other) => {
      assert.ok(isInside(join('/w', ...parts), '/w'))
      assert.ok(!isInside(join('/w', ...parts, ...parts.map(() => '..'), '..', `v${other}`), '/w'))
      assert.ok(!isInside(`/w${other}`, '/w'))
    }),
  )
})
