import assert from 'node:assert/strict'
import { test } from 'node:test'
import { offerAlways } from './always.ts'
import { builtinRules } from './builtin-rules.ts'
import { evaluateQuestion } from './evaluate.ts'
import { permissionModes } from './mode.ts'
import type { PermissionPart } from './question.ts'
import type { Rule } from './rule.ts'
import { parseRules } from './rules.ts'

function shell(pattern: string, more: Partial<PermissionPart> = {}): PermissionPart {
  return { permission: 'shell', pattern, effect: 'execute', ...more }
}

function judge(
  parts: readonly PermissionPart[],
  rules: readonly Rule[] | Record<string, unknown>,
  mode: (typeof permissionModes)[number] = 'ask',
) {
  const list = Array.isArray(rules) ? rules : parseRules(rules, { source: 'user', origin: 'deckhand.json' })
  return evaluateQuestion({ parts }, [...builtinRules, ...list], mode)
}

const floor = { action: 'ask', reason: 'the value of $x is not known beforehand' } as const

test('core.rules: the last rule that matches decides', () => {
  const rules = { shell: { '*': 'ask', 'git *': 'allow', 'git push *': 'deny', 'git push origin docs': 'allow' } }
  assert.equal(judge([shell('git status')], rules).action, 'allow')
  assert.equal(judge([shell('git push --force')], rules).action, 'deny')
  assert.equal(judge([shell('git push origin docs')], rules).action, 'allow')
  assert.equal(judge([shell('make')], rules).action, 'ask')
})

test('core.rules: B093: a trailing "*": ask takes back what stands before it, and a pattern without a wildcard is exact', () => {
  assert.equal(judge([shell('git ls-files -m')], { shell: { 'git ls-files *': 'allow', '*': 'ask' } }).action, 'ask')
  assert.equal(judge([shell('yarn test')], { shell: { '*': 'allow', yarn: 'deny' } }).action, 'allow')
  assert.equal(judge([shell('yarn test')], { shell: { '*': 'allow', 'yarn *': 'deny' } }).action, 'deny')
})

test('core.rules: B066, B070, B103: the strictest part decides, and parts that are all allowed are allowed', () => {
  const rules = { shell: { 'cd *': 'allow', 'grep *': 'allow', 'rm *': 'deny' } }
  assert.equal(judge([shell('cd x'), shell('grep y f')], rules).action, 'allow')
  assert.equal(judge([shell('cd /tmp'), shell('python3 evil.py')], rules).action, 'ask')
  assert.equal(judge([shell('make'), shell('rm x'), shell('cd x')], rules).action, 'deny')
})

test('core.rules: a question without parts is a bug, never "allowed"', () => {
  for (const mode of permissionModes) {
    assert.throws(() => judge([], {}, mode), /A permission question without parts can not be judged\./)
  }
})

test('core.rules: a deny holds in every mode', () => {
  for (const mode of permissionModes) {
    assert.equal(judge([shell('rm x', { harmless: true })], { shell: { 'rm *': 'deny' } }, mode).action, 'deny', mode)
  }
})

test('core.rules: a denied or asked name matches other spellings, an allowed one does not', () => {
  const part = shell('/bin/rm x', { denyPatterns: ['rm x'] })
  assert.equal(judge([part], { shell: { '*': 'allow', 'rm *': 'deny' } }).action, 'deny')
  assert.equal(judge([part], { shell: { '*': 'allow', 'rm *': 'ask' } }).action, 'ask')
  assert.equal(judge([part], { shell: { 'rm *': 'allow' } }).action, 'ask')
  const script = shell('./scripts/build.sh', { denyPatterns: ['build.sh'] })
  assert.equal(judge([script], { shell: { '*': 'deny', './scripts/*': 'allow' } }).action, 'allow')
})

test('core.rules: what the user denies no project and no approval allows', () => {
  const rules = [
    ...parseRules({ shell: { 'git push *': 'deny' } }, { source: 'user' }),
    ...parseRules({ shell: 'allow' }, { source: 'project' }),
    ...parseRules({ shell: { 'git push *': 'allow' } }, { source: 'session' }),
  ]
  assert.equal(judge([shell('git push')], rules).action, 'deny')
  assert.equal(judge([shell('git status')], rules).action, 'allow')
})

test('core.rules: a part that can not be known is asked whatever a rule allows, and runs in mode auto', () => {
  const verdict = judge([shell('cat $x', { floor })], { shell: 'allow' })
  assert.deepEqual(
    verdict.parts.map(part => [part.action, part.reason]),
    [['ask', 'the value of $x is not known beforehand']],
  )
  assert.equal(judge([shell('cat $x', { floor, harmless: true })], {}).action, 'ask')
  assert.equal(judge([shell('cat $x', { floor })], {}, 'auto').action, 'allow')
})

test('core.rules: what is harmless needs no question where no rule of a person says otherwise', () => {
  assert.equal(judge([shell('ls', { harmless: true, effect: 'read' })], {}).action, 'allow')
  assert.equal(judge([shell('ls', { harmless: true, effect: 'read' })], { shell: 'ask' }).action, 'ask')
  assert.equal(judge([shell('ls')], {}).action, 'ask')
})

test('core.rules: mode plan only reads: other effects are denied by the mode, and only harmless commands run', () => {
  const denied = judge([{ permission: 'edit', pattern: 'a.ts', effect: 'write' }], { edit: 'allow' }, 'plan')
  assert.deepEqual(
    denied.parts.map(part => [part.action, part.denial, part.reason]),
    [['deny', 'mode', 'mode plan only reads']],
  )
  assert.equal(judge([shell('make')], { shell: 'allow' }, 'plan').action, 'deny')
  assert.equal(judge([shell('cat x', { effect: 'read', floor, harmless: true })], {}, 'plan').action, 'deny')
  assert.equal(judge([shell('ls', { harmless: true, effect: 'read' })], {}, 'plan').action, 'allow')
  assert.equal(judge([{ permission: 'read', pattern: 'a.ts', effect: 'read' }], {}, 'plan').action, 'allow')
  assert.equal(
    judge([{ permission: 'external_directory', pattern: '/etc/*', effect: 'read' }], {}, 'plan').action,
    'ask',
  )
})

test('core.rules: the built-in rules read without a question and ask for the rest', () => {
  const actions = (
    ['read', 'glob', 'grep', 'todo', 'edit', 'shell', 'external_directory', 'doom_loop', 'fetch', 'mcp:a:b'] as const
  ).map(permission => judge([{ permission, pattern: 'x', effect: 'read' }], {}).action)
  assert.deepEqual(actions, ['allow', 'allow', 'allow', 'allow', 'ask', 'ask', 'ask', 'ask', 'ask', 'ask'])
})

test('core.rules: a verdict says which rule of which file decided', () => {
  const [part] = judge([shell('git push')], { shell: { 'git push *': 'deny' } }).parts
  assert.equal(part?.reason, 'the rule shell: "git push *" is deny (deckhand.json)')
  const [other] = judge([shell('make')], {}).parts
  assert.equal(other?.reason, 'no rule allows it')
})

test('core.sandbox: mode workspace runs what is contained, and asks for all else as mode ask does', () => {
  const contained = shell('make', { contained: true })
  const unknown = shell('$x', { contained: true, floor })
  const outside = { permission: 'external_directory', pattern: '/etc/*', effect: 'write' } as const
  assert.equal(judge([contained, unknown], {}, 'workspace').action, 'allow')
  assert.equal(judge([contained, unknown], {}, 'ask').action, 'ask')
  assert.equal(judge([contained, outside], {}, 'workspace').action, 'ask')
  assert.equal(judge([shell('make')], {}, 'workspace').action, 'ask')
  assert.equal(judge([shell('$x', { floor })], { shell: 'allow' }, 'workspace').action, 'ask')
})

test('core.sandbox: what a person wants to be asked about, or denies, is not run for being contained', () => {
  const make = shell('/usr/bin/make', { contained: true, denyPatterns: ['make'] })
  assert.equal(judge([make], { shell: { '*': 'ask' } }, 'workspace').action, 'ask')
  assert.equal(judge([make], { shell: { '*': 'allow', make: 'ask' } }, 'workspace').action, 'ask')
  assert.equal(judge([make], { shell: { make: 'deny' } }, 'workspace').action, 'deny')
  assert.equal(judge([make], { shell: { '*': 'ask', '/usr/bin/make': 'allow' } }, 'workspace').action, 'allow')
})

test('core.always: code that stands in the words is allowed by a rule for just these words, and by no wider one', () => {
  const part = shell('python3 -c print(1)', { floor: { ...floor, isShown: true }, always: ['python3 -c print(1)'] })
  assert.equal(judge([part], { shell: { 'python3 -c print(1)': 'allow' } }).action, 'allow')
  assert.equal(judge([part], { shell: { 'python3 *': 'allow' } }).action, 'ask')
  assert.equal(judge([{ ...part, pattern: 'python3 -c a*' }], { shell: { 'python3 -c a*': 'allow' } }).action, 'ask')
  assert.equal(judge([{ ...part, floor }], { shell: { 'python3 -c print(1)': 'allow' } }).action, 'ask')
  assert.deepEqual(offerAlways(judge([part], {})), [{ permission: 'shell', pattern: 'python3 -c print(1)' }])
})
