import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { systemClock } from '@deckhand/core'
import { defaultHookTimeoutMs, type PluginEntry } from '../config/plugin-entry.ts'
import { loadPlugins } from './load-plugins.ts'

const valid = "export default { name: 'valid', hooks: { 'tool.before': () => undefined } }\n"

function createSetting(t: TestContext, files: Readonly<Record<string, string>>) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-plugins-')))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const write = (name: string, content: string) => {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), content)
    return join(root, name)
  }
  for (const [name, content] of Object.entries(files)) write(name, content)
  const file = join(root, 'config/deckhand.json')
  const load = (paths: readonly (string | Partial<PluginEntry>)[], env = {}, signal?: AbortSignal) =>
    loadPlugins(
      paths.map(each => ({
        ...{ path: '', options: {}, timeoutMs: defaultHookTimeoutMs, file },
        ...(typeof each === 'string' ? { path: each } : each),
      })),
      { directory: '/work', root: '/', env, home: join(root, 'home'), clock: systemClock, signal },
    )
  return { root, file, write, load }
}

test('core.shell_env: plugins are found beside the file that names them, at home, and by a variable; in the order of the list', async t => {
  const { root, load } = createSetting(t, {
    'config/a.ts':
      "import type { Plugin } from '@deckhand/core'\nexport default { name: 'a', hooks: {} } satisfies Plugin\n",
    'home/plugins/b.mjs': "export default { name: 'b', hooks: {} }",
    'config/sub/c.js': "module.exports = { name: 'c', hooks: {} }",
  })
  const loaded = await load(['~/plugins/b.mjs', './a.ts', { path: '{env:WHERE}/c.js', timeoutMs: 7 }], { WHERE: 'sub' })
  assert.deepEqual(
    loaded.map(({ plugin: { name }, path, timeoutMs }) => [name, path, timeoutMs]),
    [
      ['b', join(root, 'home/plugins/b.mjs'), 5000],
      ['a', join(root, 'config/a.ts'), 5000],
      ['c', join(root, 'config/sub/c.js'), 7],
    ],
  )
})

test('core.shell_env: a function is given folder, repository and options, with references filled in', async t => {
  const { load } = createSetting(t, {
    'config/made.ts':
      "export default async (context: object) => ({ name: 'made', hooks: { 'shell.env': () => ({ env: { CONTEXT: JSON.stringify(context) } }) } })",
  })
  const options = { level: 2, key: '{env:KEY}' }
  const [made] = await load([{ path: './made.ts', options }], { KEY: 'k' })
  const change = (await made?.plugin.hooks['shell.env']?.({} as never)) as { env: { CONTEXT: string } }
  assert.deepEqual(JSON.parse(change.env.CONTEXT), {
    directory: '/work',
    root: '/',
    options: { level: 2, key: 'k' },
  })
  await assert.rejects(load([{ path: './made.ts', options }]), {
    name: 'ConfigError',
    message:
      /deckhand\.json: the options of \.\/made\.ts\.key refers to the environment variable KEY, which is not set/,
  })
})

const failures: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
  ['is missing', {}, 'there is no file ROOT/config/p.ts. Mend the path, or take it out.'],
  [
    'is a folder',
    { 'config/p.ts/x': '' },
    "ROOT/config/p.ts is no file. Name the plugin's own file, such as plugin.ts.",
  ],
  [
    'can not be parsed',
    { 'config/p.ts': 'export default {\n  name: 1\n  hooks: 2\n}\n' },
    "ROOT/config/p.ts can't be loaded: Expected ',', got 'ident' (line 3).",
  ],
  ['throws', { 'config/p.ts': "throw new Error('not today.')" }, "ROOT/config/p.ts can't be loaded: not today."],
  [
    'imports what is not there',
    { 'config/p.ts': "import 'no-such-package'" },
    "ROOT/config/p.ts can't be loaded: Cannot find package 'no-such-package' imported from ROOT/config/p.ts.",
  ],
  [
    'has no default export',
    { 'config/p.ts': "export const plugin = { name: 'a', hooks: {} }" },
    'ROOT/config/p.ts has no default export. docs/plugins.md shows how one is written.',
  ],
  [
    'has a hook that Deckhand does not know',
    { 'config/p.ts': "export default { name: 'a', hooks: { 'tool.befor': () => undefined } }" },
    'ROOT/config/p.ts is no plugin: there is no hook "tool.befor"; hooks are shell.env, tool.before, tool.after. docs/plugins.md shows how one is written.',
  ],
  [
    'makes none',
    { 'config/p.ts': 'export default () => undefined' },
    'ROOT/config/p.ts is no plugin: it must be an object with name and hooks, or a function that gives one. docs/plugins.md shows how one is written.',
  ],
  [
    'has a function that throws',
    { 'config/p.ts': "export default () => { throw new Error('no vault') }" },
    "ROOT/config/p.ts can't be loaded: no vault.",
  ],
]
for (const [what, files, words] of failures) {
  test(`core.shell_env: a plugin that ${what} is told with its file, and nothing goes on without it`, async t => {
    const { root, file, load } = createSetting(t, { ...files, 'config/valid.ts': valid })
    await assert.rejects(load(['./valid.ts', './p.ts']), {
      name: 'ConfigError',
      code: 'plugin',
      message: `${file}: plugins names ./p.ts: ${words.replaceAll('ROOT', root)}`,
    })
  })
}

for (const [what, code] of [
  ['file', 'await new Promise(() => {})'],
  ['function', 'export default () => new Promise(() => {})'],
] as const) {
  test(`core.shell_env: a plugin whose ${what} never comes to an end is given up`, async t => {
    const { load } = createSetting(t, { 'config/p.ts': code })
    await assert.rejects(load([{ path: './p.ts', timeoutMs: 50 }]), /p\.ts was not ready within 0\.05 s\.$/)
    const abort = new AbortController()
    const waiting = load([{ path: './p.ts', timeoutMs: 600_000 }], {}, abort.signal)
    abort.abort(new DOMException('stop', 'AbortError'))
    await assert.rejects(waiting, { name: 'AbortError' })
  })
}

test('core.shell_env: two plugins of one name are refused, and so is a variable that is not set', async t => {
  const { root, load } = createSetting(t, { 'config/a.ts': valid, 'config/b.ts': valid })
  await assert.rejects(
    load(['./a.ts', './b.ts']),
    new RegExp(`${root}/config/b\\.ts and ${root}/config/a\\.ts are both called valid\\. Take one of them out\\.$`),
  )
  await assert.rejects(
    load(['{env:NOWHERE}/a.ts']),
    /the environment variable NOWHERE is not set\. Set it, or change the path\.$/,
  )
})

test('core.shell_env: a file that was mended is read anew', async t => {
  const { write, load } = createSetting(t, { 'config/p.ts': 'export default {' })
  await assert.rejects(load(['./p.ts']), /can't be loaded/)
  utimesSync(write('config/p.ts', valid), 1, 1)
  assert.equal((await load(['./p.ts']))[0]?.plugin.name, 'valid')
})
