// A consumer that was written for OpenCode's lines reads ours, without a change.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { lineSchema } from '../../packages/cli/src/json-lines/line-schema.ts'
import { createTestFolder, parseLines, type Result, runDeckhand } from './deckhand-process.ts'
import { readRun } from './opencode-reader.ts'

const samples = join(import.meta.dirname, '../wire/opencode')
const folder = createTestFolder()
after(() => folder.remove())

function readSample(name: string) {
  return readRun(readFileSync(join(samples, `${name}.jsonl`), 'utf8'))
}

/** Runs a scripted turn; each line must be one that our own schema knows. */
async function runScript(steps: readonly unknown[], ...args: string[]): Promise<Result> {
  const model = folder.script(steps)
  const result = await runDeckhand(['run', '--format', 'json', '--model', model, ...args], folder.options)
  for (const line of parseLines(result.stdout)) lineSchema.parse(line)
  return result
}

test("core.opencode_compat: the reader reads all of OpenCode's own recorded runs", () => {
  for (const file of globSync('*.jsonl', { cwd: samples })) readRun(readFileSync(join(samples, file), 'utf8'))
  const { sessionID: _, ...text } = readSample('a-text')
  assert.deepEqual(text, {
    reply: 'Hello there, this is the mock.',
    reasoning: [],
    tools: [],
    steps: 1,
    finish: 'stop',
    usage: { input: 103, output: 7, cacheRead: 20, cacheWrite: 0 },
    error: undefined,
  })
})

test('core.opencode_compat: the same reader gets the same from our run of the same turn', async () => {
  const { code, stdout, stderr } = await runScript(
    [{ say: 'Hello there, this is the mock.', usage: { input: 103, output: 7, cacheRead: 20 } }],
    '--auto',
    '--dir',
    folder.workspace,
    'say hello',
  )
  assert.equal(code, 0, stderr)
  const { sessionID, ...ours } = readRun(stdout)
  const { sessionID: _, ...theirs } = readSample('a-text')
  assert.match(sessionID ?? '', /^ses_/)
  assert.deepEqual(ours, theirs)
})

test('core.opencode_compat: tools, thoughts, a failing read beside a failing command, and the final text', async () => {
  folder.write('three.txt', 'one\ntwo\nthree\n')
  const { code, stdout, stderr } = await runScript(
    [
      {
        think: 'I should look at files.',
        say: 'Let me look.',
        call: { shell: { command: 'ls; echo err >&2' } },
        usage: { input: 100, output: 10 },
      },
      { call: { read: { path: 'three.txt' } }, usage: { input: 100, output: 10 } },
      {
        call: [{ read: { path: 'nope.txt' } }, { shell: { command: 'exit 3' } }],
        usage: { input: 100, output: 10 },
      },
      { say: 'All done.', usage: { input: 100, output: 10 } },
    ],
    '--auto',
    'look around',
  )
  assert.equal(code, 0, stderr)
  const ours = readRun(stdout)
  const theirs = readSample('b-tools-thinking')
  for (const key of ['reply', 'reasoning', 'steps', 'finish', 'usage', 'error'] as const)
    assert.deepEqual(ours[key], theirs[key], key)
  const shape = ({ tools }: typeof ours) => tools.map(({ tool, status }) => `${tool} ${status}`).sort()
  assert.deepEqual(
    shape(ours),
    shape(theirs)
      .map(line => line.replace('bash', 'shell'))
      .sort(),
  )
  assert.match(ours.tools.find(({ tool }) => tool === 'read')?.result ?? '', /one\n.*two\n.*three/)
})

test('core.opencode_compat: a session is gone on with by its id, and keeps it', async () => {
  const first = readRun((await runScript([{ say: 'One.' }], 'first')).stdout)
  const second = readRun((await runScript([{ say: 'Two.' }], '--session', first.sessionID ?? '', 'second')).stdout)
  assert.deepEqual([second.sessionID, second.reply], [first.sessionID, 'Two.'])
})

test("core.opencode_compat: a provider's error is an error line with OpenCode's name for it", async () => {
  const { code, stdout } = await runScript([{ fail: { status: 400, message: 'mock says no (400)' } }], 'go')
  const { error } = readRun(stdout)
  assert.deepEqual([code, error?.name, readSample('c-error-400').error?.name], [1, 'APIError', 'APIError'])
  assert.match(error?.message ?? '', /mock says no \(400\)/)
})

test('core.headless: a question that nobody can answer is a no at once, and the run goes on to its own end', async () => {
  const { code, stdout } = await runScript(
    [{ call: { shell: { command: 'rm a.txt' } } }, { say: 'I may not.' }],
    'remove it',
    '--mode',
    'ask',
  )
  const { reply, tools, finish } = readRun(stdout)
  assert.deepEqual(
    { code, reply, finish, status: tools[0]?.status },
    { code: 3, reply: 'I may not.', finish: 'stop', status: 'error' },
  )
  const lines = parseLines(stdout)
  assert.deepEqual(
    lines.filter(({ type }) => type === 'permission').map(({ title, answer }) => [title, answer?.why]),
    [
      ['rm a.txt', undefined],
      ['rm a.txt', 'nobody-to-ask'],
    ],
  )
  const types = lines.map(({ type }) => type)
  assert.equal(types[0], 'session.start')
  assert.deepEqual(
    types.filter(type => type === 'session.idle' || type === 'error'),
    [types.at(-1)],
  )
})
