import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyseCommand, type CommandAnalysis } from './analysis.ts'
import { createTestWorld } from './test-world.ts'

function analyse(text: string): Promise<CommandAnalysis> {
  return analyseCommand(text, { ...createTestWorld(), cwd: '/work/proj', shell: 'bash' })
}

test('core.preflight: a command is told with its words, wrappers, place, redirections and paths', async () => {
  const text = 'cd src && A=1 sudo env B=2 rm -f "a b" $X > ../out'
  const { commands, paths, readOnly, network } = await analyse(text)
  assert.deepEqual(
    commands.map(({ pattern, wrappers }) => [pattern, wrappers]),
    [
      ['cd src', []],
      ['rm -f a b $X', ['sudo', 'env']],
      ['env B=2 rm -f a b $X', ['sudo']],
      ['sudo env B=2 rm -f a b $X', []],
    ],
  )
  const whole = commands.at(-1)
  assert.deepEqual(whole?.written, { start: 10, end: text.length, assignments: ['A=1'], redirections: ['> ../out'] })
  assert.deepEqual(whole?.argv.at(-2), { text: 'a b', known: true })
  assert.equal(whole?.argv.at(-1)?.known, false)
  assert.deepEqual(
    paths.find(({ effect, real }) => effect === 'write' && real.endsWith('out')),
    {
      real: '/work/proj/out',
      written: '/work/proj/out',
      inside: true,
      isFolder: false,
      effect: 'write',
    },
  )
  assert.deepEqual([readOnly, network], ['no', 'no'])
})

const summaries: readonly (readonly [text: string, readOnly: string, network: string])[] = [
  ['ls | grep x', 'yes', 'no'],
  ['echo x > a', 'no', 'no'],
  ['python3 x.py', 'no', 'unknown'],
  ['git fetch', 'no', 'yes'],
  ['ls $(npm install)', 'no', 'yes'],
  ['$UNKNOWN', 'unknown', 'unknown'],
  ['echo "', 'unknown', 'unknown'],
  ['x=1', 'yes', 'no'],
]

for (const [text, readOnly, network] of summaries) {
  test(`core.preflight: ${text} only reads: ${readOnly}; uses the network: ${network}`, async () => {
    const analysis = await analyse(text)
    assert.deepEqual([analysis.readOnly, analysis.network], [readOnly, network])
  })
}

test('core.preflight: variables that the command gets are known, until the text sets them or where they may split', async () => {
  const env = { OUT: '/etc', DIR: 'src', SPLIT: 'a b', GLOB: '*', IFS: ' ' }
  const paths = async (text: string) => {
    const analysis = await analyseCommand(text, { ...createTestWorld(), cwd: '/work/proj', shell: 'bash', env })
    return analysis.paths.map(({ real }) => real)
  }
  const asks = async (text: string) => {
    const analysis = await analyseCommand(text, { ...createTestWorld(), cwd: '/work/proj', shell: 'bash', env })
    return analysis.commands.flatMap(({ asks }) => asks).length > 0
  }
  assert.deepEqual(await paths('cat $OUT/hosts "$DIR/a"'), ['/etc/hosts', '/work/proj/src/a'])
  assert.equal(await asks('cat $OUT/hosts "$DIR/a"'), false)
  for (const text of [
    'cat $UNKNOWN',
    'cat $SPLIT',
    'rm $GLOB',
    'read DIR; cat $DIR',
    'DIR=$(make); cat $DIR',
    'cat "a$IFS"',
    '$DIR x',
  ])
    assert.equal(await asks(text), true, text)
})

test('core.preflight: what can not be known is told in words', async () => {
  const { unknown } = await analyse('echo "')
  assert.equal(unknown.length, 1)
  assert.match(unknown[0]?.reason ?? '', /^the command can't be judged: bash would not take it as it is/)
})
