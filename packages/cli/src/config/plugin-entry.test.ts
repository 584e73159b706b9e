// Which plugins of which files count. A project's are code that somebody else wrote.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { ProjectTrust } from '@deckhand/core'
import { describeConfig } from './config-actions.ts'
import { parseConfigFile } from './config-file.ts'
import { type LoadedConfig, loadConfig } from './load-config.ts'

function createSetting(t: TestContext, files: Readonly<Record<string, unknown>>) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-plugin-config-')))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const home = join(root, 'home')
  const repo = join(root, 'repo')
  const write = (name: string, content: unknown) => {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  mkdirSync(join(repo, '.git'), { recursive: true })
  for (const [name, content] of Object.entries(files)) write(name, content)
  const load = (trust: readonly ProjectTrust[] = []) => loadConfig({ directory: repo, env: {}, home, trust })
  return { home, repo, load, write }
}

const own = 'home/.config/deckhand/deckhand.jsonc'

function trustAll({ untrusted }: LoadedConfig): ProjectTrust[] {
  return untrusted.map(({ realPath, sha256, lines }) => ({
    path: realPath,
    decision: 'trusted',
    sha256,
    lines,
    decidedAt: Date.UTC(2026, 4, 1),
    decidedBy: 'terminal',
  }))
}

const pathsOf = ({ plugins }: LoadedConfig) => plugins.map(({ path }) => path)

test("core.shell_env: a project's plugins are not loaded before it is trusted, and never take the person's own away", t => {
  const { load, repo, home } = createSetting(t, {
    [own]: { plugins: ['./guard.ts', { path: '~/b.ts', options: { token: 'tok-1' }, timeoutMs: 100 }] },
    'repo/deckhand.json': { plugins: ['./tools/p.ts', { path: '/elsewhere/q.ts', options: { x: 1 } }] },
    'repo/tools/p.ts': 'export default 1',
  })
  const before = load()
  assert.deepEqual(pathsOf(before), ['./guard.ts', '~/b.ts'])
  assert.deepEqual(before.plugins[1], {
    path: '~/b.ts',
    options: { token: 'tok-1' },
    timeoutMs: 100,
    file: join(home, '.config/deckhand/deckhand.jsonc'),
  })
  const file = join(repo, 'deckhand.json')
  const notLoaded = (path: string) =>
    `${file}: its plugin ${path} is not loaded, as that would run the project's code. Name it in your own configuration, or trust the project.`
  assert.deepEqual(before.notices.slice(0, 2), [notLoaded('./tools/p.ts'), notLoaded('/elsewhere/q.ts')])
  assert.deepEqual(before.untrusted[0]?.lines, [
    'plugins = ./tools/p.ts: code that runs as a part of Deckhand, outside the sandbox (sha256 f2ed650f15f2)',
    'plugins = /elsewhere/q.ts with {"x":1}: code that runs as a part of Deckhand, outside the sandbox (sha256 missing)',
  ])
  const after = load(trustAll(before))
  assert.deepEqual(pathsOf(after), ['./guard.ts', '~/b.ts', './tools/p.ts', '/elsewhere/q.ts'])
  assert.deepEqual(after.notices, [])
})

test('core.shell_env: trust in a project ends when the file of a plugin changes', t => {
  const { load, write } = createSetting(t, {
    'repo/deckhand.json': { plugins: ['./p.ts'] },
    'repo/p.ts': 'export default 1',
  })
  const trust = trustAll(load())
  assert.deepEqual(pathsOf(load(trust)), ['./p.ts'])
  write('repo/p.ts', 'export default 2')
  const changed = load(trust)
  assert.deepEqual(pathsOf(changed), [])
  assert.match(
    changed.notices[1] ?? '',
    /has changed since you trusted it on 2026-05-01; these lines are new: plugins = \.\/p\.ts/,
  )
  write('repo/p.ts', 'export default 1')
  assert.deepEqual(pathsOf(load(trust)), ['./p.ts'])
})

test('core.shell_env: a project that names a pipe as its plugin does not hold anything up', t => {
  const { load, repo } = createSetting(t, {
    'repo/deckhand.json': { plugins: ['./pipe', '/dev/zero', '{env:NOWHERE}'] },
  })
  execFileSync('mkfifo', [join(repo, 'pipe')])
  const [first = '', second = '', third = ''] = load().untrusted[0]?.lines ?? []
  for (const line of [first, second, third]) assert.match(line, /\(sha256 missing\)$/)
})

test("core.shell_env: OpenCode's plugins are not taken for ours", t => {
  const { load } = createSetting(t, { 'repo/opencode.json': { plugin: ['x'], plugins: ['./p.ts'] } })
  const loaded = load()
  assert.deepEqual(pathsOf(loaded), [])
  assert.match(loaded.notices[0] ?? '', /Deckhand does not use plugin, plugins\.$/)
})

test('core.shell_env: config show lists plugins with their files, and no options', t => {
  const { load, home } = createSetting(t, { [own]: { plugins: [{ path: './a.ts', options: { token: 'tok-1' } }] } })
  const text = describeConfig(load())
  assert.ok(
    text.includes(`\nPlugins, in the order of their hooks:\n  ./a.ts  (of ${home}/.config/deckhand/deckhand.jsonc)\n`),
    text,
  )
  assert.equal(text.includes('tok-1'), false)
})

test('core.shell_env: a wrong entry is told with its place', () => {
  const text = '{ "plugin": [],\n"plugins": [\n"./a.ts",\n{ "path": "b.ts", "timeoutMs": 0 },\n"",\n5 ] }'
  assert.throws(() => parseConfigFile('/p/deckhand.json', text), {
    message: `/p/deckhand.json can't be used:
  plugin is called plugins here (line 1)
  plugins.1.timeoutMs must be a whole number from 1 to 600000; it is 0 (line 4)
  plugins.2 must be a path; it is "" (line 5)
  plugins.3 must be a path, or an object with path, options and timeoutMs; it is 5 (line 6)`,
  })
  assert.throws(
    () => parseConfigFile('/p/deckhand.json', '{ "plugins": "./a.ts" }'),
    /plugins must be a list of paths, or of objects/,
  )
})
