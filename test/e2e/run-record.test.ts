// `--record` against a server, then `--model replay/FILE` without one.
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type ServerStep, startModelServer } from '../model-server/model-server.ts'
import { createTestFolder, type Line, parseLines, type Result, runDeckhand } from './deckhand-process.ts'

const key = 'key-0123456789abcdef'
const header = 'header-fedcba9876543210'
const prompt = 'Read a.txt.'
const folder = createTestFolder()
const cassette = join(folder.workspace, 'cassette.jsonl')
let recorded: Result

// The server is closed when the recording is made: what plays after it needs no network.
before(async () => {
  folder.write('a.txt', 'one\n')
  const calls = [
    { tool: 'read', args: { path: 'a.txt' } },
    { tool: 'shell', args: { command: 'echo hi' } },
  ]
  const usage = { input: 50, output: 20, cacheRead: 10 }
  const answer = { text: 'One line.', usage }
  recorded = await record('cassette.jsonl', prompt, [
    { reasoning: 'Hm.', text: 'I look.', calls, usage },
    { fail: { status: 503 } },
    answer,
  ])
})
after(() => folder.remove())

/** Runs the program against a server, with the traffic recorded. */
async function record(file: string, words: string, steps: readonly ServerStep[]): Promise<Result> {
  const server = await startModelServer({ steps })
  const options = { baseURL: `${server.url}/v1`, apiKey: '{env:TEST_KEY}', headers: { 'x-team': header } }
  folder.configure({ retry: { firstDelayMs: 10 }, provider: { test: { options, models: { local: {} } } } })
  const result = await run('--record', file, words)
  await server.close()
  return result
}

function run(...args: string[]): Promise<Result> {
  const { cwd, env } = folder.options
  return runDeckhand(['run', '--auto', '--format', 'json', ...args], { cwd, env: { ...env, TEST_KEY: key } })
}

/** The lines without what is another in each run: ids, times, and how long things took. */
function comparable(stdout: string): Line[] {
  const parsed = parseLines(
    stdout
      .replace(/\b(ses|msg|prt|per)_[0-9A-Za-z]+/g, '$1_')
      .replace(/fence=\\"[0-9a-z]+\\"/g, 'fence')
      .replace(/"(timestamp|start|end|durationMs|delayMs)":\d+/g, '"$1":0')
      .replace(/\b\d+(\.\d+)? (ms|s)\b/g, '0 $2'),
  )
  // Calls that run side by side end in any order.
  return parsed.sort((a, b) =>
    a.type === 'tool_use' && b.type === 'tool_use' ? (a.part.tool < b.part.tool ? -1 : 1) : 0,
  )
}

test('core.providers: a recorded run plays again without the server, line by line', async () => {
  assert.equal(recorded.code, 0, recorded.stdout)
  const replayed = await run('--model', 'replay/cassette.jsonl', prompt)
  assert.equal(replayed.code, 0, replayed.stdout)
  assert.deepEqual(comparable(replayed.stdout), comparable(recorded.stdout))
  assert.equal(parseLines(replayed.stdout).at(-1)?.text, 'One line.')
})

test('core.providers: another prompt is told with the difference', async () => {
  const { code, stdout } = await run('--model', 'replay/cassette.jsonl', 'Read b.txt.')
  const end = parseLines(stdout).at(-1)
  assert.deepEqual([code, end?.type, end?.error.name, end?.error.data.code], [1, 'error', 'APIError', 'replay-differs'])
  assert.equal(
    end?.error.data.message,
    `Request 1 differs from the cassette ${cassette}:\n  messages[1].content\n    recorded: "Read a.txt."\n    now:      "Read b.txt."\nRecord it anew if the change is meant.`,
  )
})

test('core.providers: a cassette holds no secret, no path of this machine, and is for its owner alone', async () => {
  const { code, stdout } = await record('secrets.jsonl', `My key is ${key}; what is in ${folder.workspace}?`, [
    { text: `You said ${key} and ${header}, in ${folder.workspace}.` },
  ])
  assert.equal(code, 0, stdout)
  for (const name of ['cassette.jsonl', 'secrets.jsonl']) {
    const file = join(folder.workspace, name)
    const text = readFileSync(file, 'utf8')
    for (const secret of [key, header, folder.path]) assert.ok(!text.includes(secret), `${name}: ${secret}`)
    assert.equal(statSync(file).mode & 0o777, 0o600)
  }
})
