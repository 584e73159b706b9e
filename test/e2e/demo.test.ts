import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

const bin = join(import.meta.dirname, '../../packages/cli/bin/deckhand.js')
const folder = mkdtempSync(join(tmpdir(), 'deckhand-demo-test-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function deckhand(...args: string[]) {
  const env = { ...process.env, DECKHAND_HOME: join(folder, 'home') }
  return spawnSync(process.execPath, [bin, ...args], { cwd: folder, env, encoding: 'utf8', timeout: 60_000 })
}

test('core.headless: the demo turns a red test green with real runs, says that the model is a script, and what is next', () => {
  const project = join(folder, 'project')
  const { status, stdout, stderr } = deckhand('demo', '--dir', project)
  assert.equal(status, 0, stderr)
  assert.match(stdout, /^This is a demo: the model is a script/)
  assert.match(stdout, /exit 1 · [\s\S]*exit 0 · [\s\S]*The test was red and is green now\./)
  assert.match(readFileSync(join(project, 'src/next-tide.js'), 'utf8'), /% \(24 \* 60\)/)

  const session = /session show (ses_\w+)/.exec(stdout)?.[1] ?? ''
  const shown = deckhand('session', 'show', session)
  assert.equal(shown.status, 0, shown.stderr)
  assert.match(shown.stdout, /> The test of this project fails[\s\S]*● \$ node --test[\s\S]*turns: done/)
})

test('the demo does not touch a folder that holds something', () => {
  const { status, stderr } = deckhand('demo', '--dir', '.')
  assert.equal(status, 2)
  assert.match(stderr, /is not empty\. The demo makes a project of its own: name a new folder\./)
})

test('started on an old Node, the program says what is needed in one line, without a stack trace', () => {
  const preload = join(folder, 'old-node.mjs')
  writeFileSync(preload, "Object.defineProperty(process.versions, 'node', { value: '20.20.2' })\n")
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', preload, bin, 'doctor'], {
    encoding: 'utf8',
  })
  assert.equal(status, 1)
  assert.equal(stdout, '')
  assert.match(stderr, /^deckhand: this is Node 20\.20\.2; Node 22\.18 or newer is needed\. [^\n]+\n$/)
})
