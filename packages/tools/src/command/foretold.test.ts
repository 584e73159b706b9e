// What generated commands did that the analysis had not foretold, once; each as a row.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyseCommand } from './analysis.ts'
import { createTestWorld } from './test-world.ts'

const analyse = (text: string) => analyseCommand(text, { ...createTestWorld(), cwd: '/work/proj', shell: 'bash' })

test('shell.safe_classification: a redirection to "-" makes a file of that name', async () => {
  const { paths } = await analyse('cat >- <<E\nx\nE')
  assert.deepEqual(
    paths.map(({ effect, real }) => [effect, real]),
    [['write', '/work/proj/-']],
  )
})

test('shell.safe_classification: an alternative of a brace list that is nothing is no word', async () => {
  const { commands } = await analyse('tr a {,b} c')
  assert.equal(commands[0]?.pattern, 'tr a b c')
})

const asked = [
  "sh -c \"echo $'a\\\\'; rm x; echo \\\\'b'\"",
  "sh -c '[[ a > b ]]'",
  "/bin/dash -c '((x>f))'",
  "sh -c 'cat {a,b}'",
  "fish -c 'echo (rm x)'",
  "zsh -c 'echo =(rm x)'",
  'rmdir \\',
  'env {A=1 wc a',
  'echo 2>(rm x)',
  '2>(rm x)',
  'cat 3<(rm x)',
  '{fd}>(rm x)',
  'ls >& -r>>f build',
  "compgen -W  -W  -W '$(touch PWNED)'",
  'rm {a},b.txt}',
  'echo a \\\\\\',
]

for (const command of asked) {
  test(`shell.safe_classification: what a shell reads in another way than bash is not taken for known: ${command}`, async () => {
    const { unknown, commands } = await analyse(command)
    assert.ok(unknown.length > 0 || commands.some(({ asks }) => asks.length > 0))
  })
}

test('shell.safe_classification: a plain script of another shell is followed', async () => {
  for (const command of [
    "sh -c 'ls -la && grep x f'",
    "zsh -c 'npm test > out'",
    'dash -c "echo $HOME"',
    'echo a\\\\',
  ]) {
    const { unknown, commands } = await analyse(command)
    assert.deepEqual([unknown, commands.flatMap(({ asks }) => asks)], [[], []], command)
  }
})
