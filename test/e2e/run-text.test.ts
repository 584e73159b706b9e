// What people see of a run: in a pipe, on a terminal, quiet, verbose.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, test } from 'node:test'
import { createTestFolder, program, runDeckhand, startProgram } from './deckhand-process.ts'

const folder = createTestFolder()
after(() => folder.remove())

const hasScript = spawnSync('script', ['--version']).status === 0
const onTerminal = { skip: hasScript ? false : '"script" of util-linux is not here' }
const steps = [
  { think: 'Secretly.', say: 'I look.', call: { shell: { command: 'echo "[$((6 * 7))]"' } } },
  { say: 'It is **42**.', usage: { input: 1200, output: 30 } },
]

function run(...args: string[]) {
  return runDeckhand(['run', '--auto', '--model', folder.script(steps), ...args], folder.options)
}

/** Runs the program with a terminal as its three streams, and gives all that it wrote. */
async function runOnTerminal(env: Record<string, string>, ...args: string[]): Promise<string> {
  const words = [process.execPath, program, 'run', '--model', folder.script(steps), ...args].map(word => `'${word}'`)
  const { exited } = startProgram('script', ['-qec', words.join(' '), '/dev/null'], {
    ...folder.options,
    env: { ...folder.options.env, ...env },
  })
  const { code, stdout } = await exited
  assert.equal(code, 0, stdout)
  return stdout
}

test('core.headless: in a pipe stdout has what the model says and stderr the rest, plain', async () => {
  const { code, stdout, stderr } = await run('how much?')
  assert.equal(code, 0, stderr)
  assert.equal(stdout, 'I look.\nIt is **42**.\n')
  assert.match(stderr, /^script\/.+ \(--model\) · mode auto · .+\nsession ses_\w+\n/)
  assert.match(stderr, /\n● \$ echo "\[\$\(\(6 \* 7\)\)\]"\n {2}\[42\]\n {2}exit 0 · \d+\.\d s\n/)
  assert.match(stderr, /\ndone · \d+\.\d s · 2 steps · 1,200 tokens in, 30 out\n$/)
  assert.ok(!`${stdout}${stderr}`.includes('\x1b'))
})

test('core.headless: --quiet prints the answer and nothing else', async () => {
  const { code, stdout, stderr } = await run('--quiet', 'how much?')
  assert.deepEqual([code, stdout, stderr], [0, 'It is **42**.\n', ''])
})

test("core.headless: --verbose prints the model's thoughts too, beside the answer", async () => {
  const { stdout, stderr } = await run('--verbose', 'how much?')
  assert.equal(stdout, 'I look.\nIt is **42**.\n')
  assert.match(stderr, /Secretly\./)
  assert.doesNotMatch((await run('how much?')).stderr, /Secretly\./)
})

test(
  'core.headless: a terminal gets colours, unless NO_COLOR is set; its stdin is not waited for',
  onTerminal,
  async () => {
    const coloured = await runOnTerminal({}, '--auto', 'how much?')
    assert.match(coloured, /\x1b\[3\dm/)
    assert.match(coloured, /It is \*\*42\*\*\./)
    const plain = await runOnTerminal({ NO_COLOR: '1' }, '--auto', 'how much?')
    assert.doesNotMatch(plain, /\x1b\[\d*m/)
  },
)

test('core.headless: JSON lines on a terminal are lines of JSON, and nobody is asked', onTerminal, async () => {
  const printed = await runOnTerminal({}, '--auto', '--format', 'json', 'how much?')
  const types = printed
    .trim()
    .split(/\r?\n/)
    .map(line => JSON.parse(line).type)
  assert.deepEqual([types[0], types.at(-1)], ['session.start', 'session.idle'])
})
