// What `deckhand run` says to a command line that it can't act on: at once, with exit code 2 and one last line.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createTestFolder, parseLines, type Result, runDeckhand } from './deckhand-process.ts'

const folder = createTestFolder()
after(() => folder.remove())
const model = folder.script([{ say: 'OK' }])
folder.write('a-file', '')

interface WrongUse {
  readonly args: readonly string[]
  readonly name: string
  readonly message: RegExp
}

const wrong: readonly WrongUse[] = [
  {
    args: ['--bogus', 'hi'],
    name: 'UsageError',
    message: /^unknown option '--bogus'\n.* goes after --: deckhand run -- /,
  },
  { args: ['-1 is odd?'], name: 'UsageError', message: /^unknown option '-1 is odd\?'\n/ },
  {
    args: ['--mode', 'bold', 'hi'],
    name: 'UsageError',
    message: /'bold' is invalid\. Allowed choices are plan, ask, /,
  },
  { args: ['--max-steps', '0', 'hi'], name: 'UsageError', message: /It must be a whole number from 1 to 10000\./ },
  { args: ['--timeout', 'soon', 'hi'], name: 'UsageError', message: /It must be a number of seconds/ },
  {
    args: ['--auto', '--mode', 'plan', 'hi'],
    name: 'UsageError',
    message: /^--auto and --mode plan say two different/,
  },
  { args: [], name: 'UsageError', message: /^There is no prompt\. Say what to do: deckhand run "/ },
  { args: ['  '], name: 'UsageError', message: /^There is no prompt\./ },
  { args: ['--dir', 'nowhere', 'hi'], name: 'UsageError', message: /^There is no folder .*nowhere\. Make it first/ },
  { args: ['--dir', 'a-file', 'hi'], name: 'UsageError', message: /a-file is a file; --dir takes a folder\.$/ },
  { args: ['--file', 'none.txt', 'hi'], name: 'UsageError', message: /^--file .*none\.txt: No such file: none\.txt/ },
  {
    args: ['--agent', 'biuld', 'hi'],
    name: 'ConfigError',
    message: /^There is no agent "biuld"; did you mean build\?/,
  },
  { args: ['--model', 'gpt', 'hi'], name: 'ConfigError', message: /must be written as provider\/model/ },
  {
    args: ['--model', 'antropic/x', 'hi'],
    name: 'ConfigError',
    message: /no provider "antropic"\. Close names: anthropic/,
  },
  {
    args: ['--model', 'script/none.yaml', 'hi'],
    name: 'ConfigError',
    message: /^The script .*none\.yaml can't be read/,
  },
  { args: ['--session', 'ses_none', 'hi'], name: 'SessionError', message: /^There is no session "ses_none"\./ },
  { args: ['--continue', 'hi'], name: 'SessionError', message: /has no session to continue\. Start one without/ },
  { args: ['--fork', 'hi'], name: 'UsageError', message: /^--fork copies a session: name it with --session ID/ },
]

/** With a model, unless the arguments name one. */
function run(format: 'json' | 'text', args: readonly string[]): Promise<Result> {
  const chosen = args.includes('--model') ? [] : ['--model', model]
  return runDeckhand(['run', '--format', format, ...chosen, ...args], folder.options)
}

for (const { args, name, message } of wrong) {
  test(`core.headless: "run ${args.join(' ')}" ends at once with exit code 2 and one line that says why`, async () => {
    const { code, stdout, stderr } = await run('json', args)
    const lines = parseLines(stdout)
    assert.deepEqual(
      lines.map(line => [line.type, line.sessionID, line.error?.name]),
      [['error', '', name]],
    )
    const told: string = lines[0]?.error.data.message
    assert.match(told, message)
    assert.deepEqual([code, stderr], [2, `deckhand: ${told}\n`])
  })
}

test('core.headless: a wrong command line leaves no session behind', async () => {
  const { code, stdout } = await runDeckhand(['session', 'list', '--json'], folder.options)
  assert.deepEqual([code, JSON.parse(stdout)], [0, []])
})

test('core.headless: for people a wrong command line is told on stderr alone', async () => {
  const { code, stdout, stderr } = await run('text', ['--mode', 'bold', 'hi'])
  assert.deepEqual([code, stdout], [2, ''])
  assert.match(stderr, /^deckhand: option '--mode <mode>' argument 'bold' is invalid\. [^\n]+\n$/)
})

test('a command that is not there is told with a close name, and as a line where lines were asked for', async () => {
  const { code, stdout, stderr } = await runDeckhand(['rum', '--format', 'json', 'hi'], folder.options)
  assert.equal(code, 2)
  assert.equal(stderr, "deckhand: unknown command 'rum'\n(Did you mean run?)\n")
  assert.deepEqual(
    parseLines(stdout).map(({ type, error }) => [type, error.data.code]),
    [['error', 'usage']],
  )
})

test('a configuration that is broken is told with its file, and ends with exit code 2', async t => {
  const broken = createTestFolder()
  t.after(broken.remove)
  const file = join(broken.home, 'deckhand.jsonc')
  writeFileSync(file, '{ "limits": { "maxSteps": 0 } }')
  const args = ['run', '--format', 'json', '--model', broken.script([{ say: 'OK' }]), 'hi']
  const { code, stdout } = await runDeckhand(args, broken.options)
  const [line, ...more] = parseLines(stdout)
  assert.deepEqual([code, line?.type, line?.error.name, more], [2, 'error', 'ConfigError', []])
  assert.ok(line?.error.data.message.includes(file))
  assert.match(line?.error.data.message, /limits\.maxSteps must be a whole number from 1 to 10000/)
})

test('a local server that does not answer is told with the way to start it', async () => {
  // A port where nothing listens.
  const { code, stdout, stderr } = await runDeckhand(['run', '--model', 'ollama/x', 'hi'], {
    ...folder.options,
    env: { ...folder.options.env, OLLAMA_HOST: '127.0.0.1:1' },
  })
  assert.deepEqual([code, stdout], [2, ''])
  assert.match(stderr, /^deckhand: Ollama does not answer at http:\/\/127\.0\.0\.1:1\/v1: start it with `ollama serve`/)
})
