// A project's own configuration that allows things: it counts only after the person said so. The built program.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createTestFolder, program, runDeckhand, startProgram } from './deckhand-process.ts'

function prepare(t: TestContext) {
  const folder = createTestFolder()
  t.after(folder.remove)
  const deckhand = (...args: readonly string[]) => runDeckhand(args, folder.options)
  const model = () => folder.script([{ call: { shell: { command: 'touch made' } } }, { say: 'ok' }])
  const run = () => deckhand('run', '--mode', 'ask', '--model', model(), 'go')
  const configure = (...patterns: readonly string[]) => {
    const shell = Object.fromEntries(patterns.map(pattern => [pattern, 'allow']))
    return folder.write('deckhand.json', JSON.stringify({ permission: { shell } }))
  }
  return { folder, deckhand, model, run, configure, isMade: () => existsSync(join(folder.workspace, 'made')) }
}

test('core.rules: without a person it is told how to trust a project, and what it allows is asked', async t => {
  const { run, configure, deckhand, isMade } = prepare(t)
  const file = configure('touch *')
  const { code, stderr } = await run()
  assert.deepEqual([code, isMade()], [3, false])
  assert.ok(
    stderr.includes(
      `${file}: you have not trusted it so far. "deckhand permission trust" shows what it would allow, and asks you.`,
    ),
    stderr,
  )
  const asked = await deckhand('permission', 'trust')
  assert.deepEqual(
    [asked.code, asked.stdout, asked.stderr],
    [
      2,
      `\n${file} came with the project, and would make things looser than you have set them.\n  It says:\n    allow shell: "touch *"\n`,
      'deckhand: Nobody can be asked here. If you have read the above and want it: deckhand permission trust --yes\n',
    ],
  )
  assert.equal((await run()).code, 3)
})

test('core.rules: a trusted project counts until it changes, and then what is new is shown', async t => {
  const { folder, run, configure, deckhand, isMade } = prepare(t)
  const file = configure('touch *')
  const trusted = await deckhand('permission', 'trust', '--yes')
  assert.equal(trusted.code, 0)
  assert.ok(
    trusted.stdout.endsWith(`Trusted as it is now: ${file}. You are asked again when it changes.\n`),
    trusted.stdout,
  )
  const first = await run()
  assert.deepEqual([first.code, isMade(), first.stderr.includes('trust')], [0, true, false])
  assert.match((await deckhand('permission', 'trust')).stdout, /^No file of the project in .* would allow anything/)
  assert.equal(JSON.parse((await deckhand('permission', 'test', 'touch x', '--json')).stdout).decision, 'allow')
  assert.match(
    (await deckhand('permission', 'list')).stdout,
    /\n {2}shell "touch \*" = allow {2}\(.*deckhand\.json\)\n/,
  )
  assert.doesNotMatch((await deckhand('doctor')).stdout, /not trusted/)

  configure('touch *', 'rm *')
  assert.equal((await run()).code, 3)
  const { stdout } = await deckhand('permission', 'trust', folder.workspace)
  assert.match(
    stdout,
    /has changed since you trusted it on .*\n {2}New in it:\n {4}allow shell: "rm \*"\n {2}As before:\n {4}allow shell: "touch \*"\n/,
  )

  await deckhand('permission', 'trust', '--yes')
  assert.equal((await run()).code, 0)
  const untrusted = await deckhand('permission', 'untrust')
  assert.equal(untrusted.stdout, `Not trusted any more: ${file}\n`)
  assert.equal((await run()).code, 3)
  assert.equal((await deckhand('permission', 'untrust')).stdout, `Nothing was trusted in ${folder.workspace}.\n`)
})

const hasTerminal = spawnSync('script', ['--version']).status === 0
const skip = hasTerminal ? false : 'there is no program "script" here, which makes a terminal'

for (const [key, counts] of [
  ['y', true],
  ['n', false],
  ['never', false],
] as const) {
  test(`core.rules: at a terminal a run asks first whether a project is trusted: ${key}`, { skip }, async t => {
    const { folder, run, configure, model } = prepare(t)
    configure('touch *')
    const command = `'${process.execPath}' '${program}' run --mode ask --model '${model()}' go`
    const start = () => startProgram('script', ['-qec', command, '/dev/null'], { ...folder.options, stdinAs: 'pipe' })
    const terminal = start()
    await terminal.until(/Does that count\? \[y\] yes/)
    terminal.child.stdin?.write(`${key}\r`)
    if (!counts) {
      await terminal.until(/\? shell asks: touch made/)
      terminal.child.stdin?.write('n\r')
    }
    const { stdout } = await terminal.exited
    assert.match(stdout, / {4}allow shell: "touch \*"/)
    assert.equal(stdout.includes('asks: touch made'), !counts, stdout)
    assert.equal((await run()).code, counts ? 0 : 3)
    if (key === 'n') return
    const again = start()
    if (!counts) {
      await again.until(/\? shell asks: touch made/)
      again.child.stdin?.write('n\r')
    }
    assert.doesNotMatch((await again.exited).stdout, /Does that count/)
  })
}

test('core.rules: an agent has rules of its own', async t => {
  const { folder, deckhand, model } = prepare(t)
  folder.configure({ agent: { maker: { permission: { bash: { 'touch *': 'allow' } } } } })
  const run = (...args: readonly string[]) => deckhand('run', '--mode', 'ask', '--model', model(), ...args, 'go')
  assert.equal((await run()).code, 3)
  assert.equal((await run('--agent', 'maker')).code, 0)
  const decide = async (...args: readonly string[]) =>
    JSON.parse((await deckhand('permission', 'test', 'touch x', '--json', ...args)).stdout).decision
  assert.deepEqual([await decide(), await decide('--agent', 'maker')], ['ask', 'allow'])
  assert.match((await deckhand('permission', 'list', '--agent', 'maker')).stdout, /jsonc, agent maker\)\n\n/)
  assert.match(
    (await deckhand('permission', 'list', '--agent', 'baker')).stderr,
    /There is no agent "baker"; did you mean maker\?/,
  )
  assert.match(
    (await deckhand('config', 'show')).stdout,
    /\nThen those of the agent maker:\n {2}shell "touch \*" = allow /,
  )
})
