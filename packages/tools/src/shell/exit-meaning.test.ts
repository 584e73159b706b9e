import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseShape } from './command-shape.ts'
import { explainBenignExit } from './exit-meaning.ts'

async function explain(command: string, code = 1, output?: string | null): Promise<string | undefined> {
  return explainBenignExit(code, (await parseShape(command)).deciders, output === null ? undefined : (output ?? ''))
}

const benign: readonly (readonly [string, string])[] = [
  ['grep -q x f', 'grep found no match'],
  ['cat f | grep x', 'grep found no match'],
  ['echo start; grep x f', 'grep found no match'],
  ['cd src && grep -rn x .', 'grep found no match'],
  ['A=1 /usr/bin/grep "a | b && c" f 2>/dev/null', 'grep found no match'],
  ['grep -q a f && grep -q b f', 'grep found no match'],
  ['false || grep x f', 'grep found no match'],
  ['(grep x f)', ''],
  ['rg x', 'rg found no match'],
  ['git grep x', 'git grep found no match'],
  ['diff a b', 'diff found differences'],
  ['cmp a b', 'cmp found differences'],
  ['git -C sub diff --exit-code', 'git diff found differences'],
  ['git diff --quiet', 'git diff found differences'],
  ['[ -f x ]', 'the condition is false'],
  ['test -f x', 'the condition is false'],
  ['[[ a == b ]]', 'the condition is false'],
  ['pgrep -f server', 'pgrep found no process'],
  ['command -v nope', 'there is no nope'],
]

for (const [command, meaning] of benign) {
  test(`shell.benign_exit: exit 1 of ${command} means: ${meaning || 'not sure'}`, async () =>
    assert.equal(await explain(command), meaning || undefined))
}

const unsure = [
  'false',
  'npm test',
  'npm test | grep FAIL && false',
  'grep x f | sort',
  'make && grep x f',
  'grep x f && make',
  'grep x f || exit 1',
  'set -e; make; grep x f',
  'set -o pipefail; make | grep x',
  '! grep x f',
  'grep() { make; }; grep x f',
  'alias grep=make; grep x f',
  'if grep x f; then make; fi',
  'for f in *; do grep x $f; done',
  'grep x f; exit 1',
  'echo "grep x"; make "| grep x"',
  'git diff',
  'grep -L x f',
  '$GREP x f',
  'grep x f &',
  'eval "make"; grep x f',
  'grep x "unclosed',
  '',
]

for (const command of unsure) {
  test(`shell.benign_exit: nothing is said of exit 1 of: ${command}`, async () =>
    assert.equal(await explain(command), undefined))
}

test('shell.benign_exit: a real failure of the same program is none', async () => {
  assert.equal(await explain('grep x nowhere', 2), undefined)
  assert.equal(await explain('diff a nowhere', 2), undefined)
  assert.equal(
    await explain('cd nowhere && grep x f', 1, 'bash: line 1: cd: nowhere: No such file or directory\n'),
    undefined,
  )
  assert.equal(await explain('cd nowhere && grep x f', 1, null), undefined)
})
