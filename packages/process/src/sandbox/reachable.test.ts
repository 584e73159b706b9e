import assert from 'node:assert/strict'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createChildEnvironment } from '../command/child-environment.ts'
import { createCommandRunner } from '../command/command-runner.ts'
import { createRunResources } from '../command/run-resources.ts'
import { findSandbox } from './find-sandbox.ts'
import { isReachable } from './reachable.ts'

const isRoot = process.getuid?.() === 0
const state = await findSandbox({ platform: process.platform, temporaryDirectory: tmpdir() })

test('core.sandbox: root without its power does not get behind a folder that another user has closed', {
  skip: !isRoot && 'it takes root',
}, t => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-reach-')))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const make = (name: string, uid: number, mode: number) => {
    const folder = join(root, name)
    mkdirSync(join(folder, 'inner'), { recursive: true })
    chownSync(folder, uid, uid)
    chmodSync(folder, mode)
    return join(folder, 'inner', 'file')
  }
  const reach = (path: string) => isReachable(path, new Map())
  assert.equal(reach(make('own', 0, 0o700)), true)
  assert.equal(reach(make('open', 65534, 0o755)), true)
  assert.equal(reach(make('closed', 65534, 0o700)), false)
  assert.equal(reach(join(root, 'missing', 'file')), false)
})

test('core.sandbox: what root can not get to is no hindrance for the sandbox', {
  skip: !isRoot ? 'it takes root' : state.kind === 'none' && state.reason,
}, async t => {
  assert.ok(state.kind === 'found')
  const root = realpathSync(mkdtempSync(join(homedir(), '.deckhand-reach-')))
  const closed = join(root, 'closed')
  mkdirSync(closed)
  writeFileSync(join(closed, 'secret'), 'x')
  chownSync(closed, 65534, 65534)
  chmodSync(closed, 0o700)
  const sandbox = state.open()
  const runner = createCommandRunner(createRunResources({ temporaryDirectory: join(root, 'run') }))
  t.after(async () => {
    await runner.close()
    await sandbox.close()
    rmSync(root, { recursive: true, force: true })
  })
  const { environment } = createChildEnvironment(process.env)
  const policy = {
    writableRoots: [root],
    readOnlyPaths: [],
    maskedPaths: [join(closed, 'secret')],
    network: 'off',
  } as const
  const { end, output } = await runner.run({
    ...{ argv: ['bash', '-c', `cat ${closed}/secret`], cwd: root, environment, timeoutMs: 10_000 },
    sandbox: { sandbox, policy },
  })
  assert.deepEqual(end, { kind: 'exited', code: 1 })
  assert.match(output.head.toString(), /Permission denied/)
})
