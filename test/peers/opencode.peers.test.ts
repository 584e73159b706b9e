// Real OpenCode and Deckhand run the same turns against the same server; a consumer written for OpenCode's lines reads
// both (`npm run test:peers`).
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTestFolder, type Result, startDeckhand, startProgram, type TestFolder } from '../e2e/deckhand-process.ts'
import { type ReadRun, readRun } from '../e2e/opencode-reader.ts'
import { type ServerStep, startModelServer } from '../model-server/model-server.ts'
import { installPeer } from './install-peer.ts'

const opencode = installPeer('opencode-ai', '1.18.4', 'opencode')
const skip = 'missing' in opencode ? opencode.missing : false

const usage = { input: 120, output: 7, cacheRead: 20 }

/** A turn of three requests: a call that succeeds, one that fails, and the last words. `tool` is the shell's name. */
const stepsFor = (tool: string): ServerStep[] => [
  {
    text: 'I will look.',
    calls: [{ tool, args: { command: 'echo out; echo err >&2', description: 'Prints' } }],
    usage,
  },
  { calls: [{ tool, args: { command: 'exit 3', description: 'Fails' } }], usage },
  { text: 'All done.', usage },
]

function configure(folder: TestFolder, url: string): void {
  const provider = {
    mock: {
      npm: '@ai-sdk/openai-compatible',
      name: 'Mock',
      options: { baseURL: `${url}/v1`, apiKey: 'x' },
      models: { mock: { name: 'Mock', tool_call: true, limit: { context: 400_000, output: 8_192 } } },
    },
  }
  folder.configure({ model: 'mock/mock', provider })
  const theirs = join(folder.path, '.config/opencode')
  mkdirSync(theirs, { recursive: true })
  const config = { autoupdate: false, share: 'disabled', enabled_providers: ['mock'], model: 'mock/mock', provider }
  writeFileSync(join(theirs, 'opencode.json'), JSON.stringify(config))
}

async function runOpencode(folder: TestFolder, prompt: string, session?: string): Promise<Result> {
  if ('missing' in opencode) throw new Error(opencode.missing)
  const args = [
    'run',
    '--format',
    'json',
    '--auto',
    '--dir',
    folder.workspace,
    ...(session ? ['--session', session] : []),
    prompt,
  ]
  const env = {
    HOME: folder.path,
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  }
  return startProgram(opencode.path, args, { cwd: folder.workspace, env }).exited
}

async function runDeckhand(folder: TestFolder, prompt: string, session?: string): Promise<Result> {
  const args = [
    'run',
    '--format',
    'json',
    '--auto',
    '--dir',
    folder.workspace,
    ...(session ? ['--session', session] : []),
    prompt,
  ]
  return startDeckhand(args, folder.options).exited
}

async function runBoth(
  stepsOf: (shell: string) => ServerStep[],
  prompt: string,
): Promise<{ theirs: ReadRun; ours: ReadRun }> {
  const read = async (shell: string, run: typeof runOpencode) => {
    const folder = createTestFolder()
    const server = await startModelServer({ steps: stepsOf(shell), by: 'history', side: { text: 'A title' } })
    try {
      configure(folder, server.url)
      const { code, stdout, stderr } = await run(folder, prompt)
      assert.equal(code, 0, stderr)
      return readRun(stdout)
    } finally {
      await server.close()
      folder.remove()
    }
  }
  return { theirs: await read('bash', runOpencode), ours: await read('shell', runDeckhand) }
}

/** What a consumer takes from a run, without what must differ: ids, and how output is worded for the model. */
function comparable({ reply, tools, steps, finish, usage: sums, error }: ReadRun) {
  return {
    reply,
    steps,
    finish,
    usage: sums,
    error,
    tools: tools.map(({ status, input }) => ({ status, command: (input as { command: string }).command })),
  }
}

test('core.opencode_compat: a consumer of OpenCode reads the same reply, tools and usage from both', {
  skip,
  timeout: 120_000,
}, async () => {
  const { theirs, ours } = await runBoth(stepsFor, 'look around')
  assert.deepEqual(comparable(ours), comparable(theirs))
  assert.equal(ours.reply, 'All done.')
  assert.match(ours.sessionID ?? '', /^ses_/)
  assert.match(theirs.sessionID ?? '', /^ses_/)
})

test('core.opencode_compat: a turn of words alone reads the same from both', { skip, timeout: 120_000 }, async () => {
  const { theirs, ours } = await runBoth(() => [{ text: 'Hello there.', usage }], 'say hello')
  assert.deepEqual(comparable(ours), comparable(theirs))
})

test('core.opencode_compat: a session goes on by the id that was printed, in both', {
  skip,
  timeout: 120_000,
}, async () => {
  for (const run of [runOpencode, runDeckhand]) {
    const folder = createTestFolder()
    const server = await startModelServer({
      steps: [{ text: 'First.' }, { text: 'Second.' }],
      by: 'history',
      side: { text: 'A title' },
    })
    try {
      configure(folder, server.url)
      const first = readRun((await run(folder, 'one')).stdout)
      const second = readRun((await run(folder, 'two', first.sessionID)).stdout)
      assert.deepEqual([first.reply, second.reply, second.sessionID], ['First.', 'Second.', first.sessionID])
    } finally {
      await server.close()
      folder.remove()
    }
  }
})
