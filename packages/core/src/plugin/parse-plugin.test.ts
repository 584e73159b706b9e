import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlugin } from './parse-plugin.ts'

const wrong: readonly (readonly [string, unknown, readonly string[]])[] = [
  ['nothing', undefined, ['it must be an object with name and hooks, or a function that gives one']],
  ['a list', [], ['it must be an object with name and hooks, or a function that gives one']],
  ['no name', { hooks: {} }, ['name must be a text']],
  ['no hooks', { name: 'a' }, ['hooks must be an object with the hooks']],
  ['a name of several words', { name: 'my guard', hooks: {} }, ['name must be 1 to 64 letters, digits, or . _ - @ /']],
  [
    'an unknown hook',
    { name: 'a', hooks: { 'tool.befor': () => undefined } },
    ['there is no hook "tool.befor"; hooks are shell.env, tool.before, tool.after'],
  ],
  ['a hook that is none', { name: 'a', hooks: { 'shell.env': {} } }, ['hooks["shell.env"] must be a function']],
  [
    'a hook beside the hooks',
    { name: 'a', hooks: {}, 'tool.before': () => undefined },
    ['"tool.before": a plugin has name and hooks, and nothing else'],
  ],
]

for (const [what, value, problems] of wrong) {
  test(`core.shell_env: a plugin with ${what} is none, and it is said why`, () => {
    assert.deepEqual(parsePlugin(value), { problems })
  })
}

test('core.shell_env: a plugin is taken as it is, so that its hooks find their own fields', () => {
  const plugin = { name: '@team/guard.js', hooks: { 'tool.before': () => undefined } }
  assert.deepEqual(parsePlugin(plugin), { plugin })
})
