// bin/deckhand.js: what is there before the program itself is loaded.
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { transform } from 'esbuild'
import { createTestFolder, program, runDeckhand, startProgram } from './deckhand-process.ts'

const folder = createTestFolder()
after(() => folder.remove())

const packageFile = join(dirname(program), '../package.json')
const { version } = JSON.parse(readFileSync(packageFile, 'utf8'))

/** The launcher alone, as in a repository that has not been built. */
function copyLauncher(): string {
  const copy = join(folder.path, 'unbuilt/bin/deckhand.js')
  mkdirSync(dirname(copy), { recursive: true })
  cpSync(program, copy)
  cpSync(packageFile, join(folder.path, 'unbuilt/package.json'))
  return copy
}

test('the version is told without loading anything, so also where nothing was built', async () => {
  for (const flag of ['--version', '-v']) {
    const { code, stdout, stderr } = await startProgram(process.execPath, [copyLauncher(), flag]).exited
    assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: `${version}\n`, stderr: '' })
  }
})

test('where nothing was built, the way to build it is told in one line', async () => {
  const { code, stdout, stderr } = await startProgram(process.execPath, [copyLauncher(), 'run', 'x']).exited
  assert.deepEqual(
    { code, stdout, stderr },
    { code: 1, stdout: '', stderr: 'deckhand: it has not been built yet. Run "npm run build" in its repository.\n' },
  )
})

test('the launcher has no syntax that Node 12 can not read', async () => {
  const source = readFileSync(program, 'utf8')
  const [old, newest] = await Promise.all(
    ['node12.20', 'esnext'].map(target => transform(source, { target, loader: 'js' })),
  )
  assert.equal(old?.code, newest?.code)
})

test("compiled code is kept in the user's own cache folder, for them alone", async () => {
  assert.equal((await runDeckhand(['session', 'list'], folder.options)).code, 0)
  const cache = join(folder.home, 'cache/compiled')
  assert.equal(statSync(cache).mode & 0o777, 0o700)
  assert.ok(readdirSync(cache).length > 0)
})

test('a cache folder that can not be made is no failure', async () => {
  const home = join(folder.path, 'file')
  writeFileSync(home, '')
  const env = { HOME: folder.path, XDG_CACHE_HOME: home, XDG_DATA_HOME: join(folder.path, 'data') }
  const { code, stderr } = await runDeckhand(['session', 'list'], { cwd: folder.workspace, env })
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
})

test('only the warning about node:sqlite is hidden', async () => {
  const preload = join(folder.path, 'warns.mjs')
  writeFileSync(
    preload,
    `setImmediate(() => {
      process.emitWarning('SQLite is an experimental feature and might change at any time', 'ExperimentalWarning')
      process.emitWarning('Something else', 'ExperimentalWarning')
    })\n`,
  )
  const args = ['--import', preload, program, 'session', 'list']
  const { stderr } = await startProgram(process.execPath, args, folder.options).exited
  assert.doesNotMatch(stderr, /SQLite/)
  assert.match(stderr, /Something else/)
})
