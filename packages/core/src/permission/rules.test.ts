import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError } from '../error.ts'
import { lowerProjectAllows, parseRules, permissionSchema } from './rules.ts'

const user = { source: 'user', origin: '~/.config/deckhand/deckhand.jsonc' } as const

test('core.rules: a permission section becomes rules in the order of its keys, and bash means shell', () => {
  const section = {
    '*': 'ask',
    bash: { 'git *': 'allow', 'git push *': 'deny' },
    edit: 'deny',
    'mcp:github:*': 'allow',
  }
  const rules = parseRules(permissionSchema.parse(section), user).map(rule => [
    rule.permission,
    rule.pattern,
    rule.action,
  ])
  assert.deepEqual(rules, [
    ['*', '*', 'ask'],
    ['shell', 'git *', 'allow'],
    ['shell', 'git push *', 'deny'],
    ['edit', '*', 'deny'],
    ['mcp:github:*', '*', 'allow'],
  ])
})

test('core.rules: one action stands for everything, and no section for no rules', () => {
  assert.deepEqual(parseRules('allow', user), [{ permission: '*', pattern: '*', action: 'allow', ...user }])
  assert.deepEqual(parseRules(undefined, user), [])
})

test('core.rules: names of OpenCode are understood', () => {
  const rules = parseRules({ webfetch: 'deny', todowrite: 'allow', list: 'allow', patch: 'ask' }, user)
  assert.deepEqual(
    rules.map(rule => rule.permission),
    ['fetch', 'todo', 'list', 'edit'],
  )
})

const mistakes: readonly (readonly [unknown, string])[] = [
  [
    { shell: 'yes' },
    'permission.shell must be "allow", "ask" or "deny", or a map of patterns to one of them; it is "yes" in ~/.config/deckhand/deckhand.jsonc.',
  ],
  [
    { shell: { 'git *': true } },
    'permission.shell["git *"] must be "allow", "ask" or "deny"; it is true in ~/.config/deckhand/deckhand.jsonc.',
  ],
  [
    ['allow'],
    'permission must be an action (allow, ask, deny) or a map of keys; it is ["allow"] in ~/.config/deckhand/deckhand.jsonc.',
  ],
  [
    { shel: 'ask' },
    'permission.shel is no permission in ~/.config/deckhand/deckhand.jsonc. Use one of read, edit, glob, grep, shell, external_directory, task, fetch, skill, schedule, kill, network, outside_sandbox, todo, doom_loop, bash (the same as shell), mcp:SERVER:TOOL, or a wildcard over them.',
  ],
]

for (const [section, message] of mistakes) {
  test(`core.rules: ${JSON.stringify(section)} is refused in words`, () => {
    assert.throws(
      () => parseRules(section, user),
      (error: unknown) => error instanceof ConfigError && error.message === message,
    )
  })
}

test('core.rules: what a project allows for itself is a question until the person trusts it', () => {
  const rules = parseRules({ shell: { 'make *': 'allow', 'rm *': 'deny' } }, { source: 'project' })
  assert.deepEqual(
    lowerProjectAllows([...rules, ...parseRules({ read: 'allow' }, user)]).map(rule => rule.action),
    ['ask', 'deny', 'allow'],
  )
})
