import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayChangeShell } from './state-words.ts'

const none = { functionNames: [], aliasNames: [] }

test('shell.persist_state: whatever may change the state of its shell takes its turn', () => {
  for (const command of [
    'cd sub && pwd',
    'export A=1',
    'A=1',
    'a[1]=x',
    'PATH+=:/opt',
    'f() { echo; }',
    'set -e',
    '. ./env.sh',
    'source env.sh',
    'echo ok; umask 077',
    '"$tool" sub',
    'trap "cd /" EXIT',
    String.raw`\cd sub`,
    `: $\{A:=1}`,
    '(( i++ ))',
    'printf -v A x',
  ])
    assert.equal(mayChangeShell(command, 'bash', none), true, command)
})

test('shell.persist_state: what can not change it runs side by side with others', () => {
  for (const command of [
    'npm test',
    'ls -la src',
    'sleep 1 & wait',
    'git log --oneline | head',
    './cd.sh',
    'cat readme',
  ])
    assert.equal(mayChangeShell(command, 'bash', none), false, command)
})

test('shell.persist_state: a name that an earlier command defined may change it, and so may any command of other shells', () => {
  assert.equal(mayChangeShell('work', 'bash', { functionNames: ['work'], aliasNames: [] }), true)
  assert.equal(mayChangeShell('w', 'zsh', { functionNames: [], aliasNames: ['w'] }), true)
  assert.equal(mayChangeShell('ls', 'fish', none), true)
})
