// `deckhand run` with a session that is there: from any folder, the last one, a copy.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type ModelServer, startModelServer } from '../model-server/model-server.ts'
import { createTestFolder, type Line, parseLines, runDeckhand, startDeckhand } from './deckhand-process.ts'

const folder = createTestFolder()
let server: ModelServer
before(async () => {
  server = await startModelServer({ handler: ({ turn }) => ({ text: `Answer ${turn + 1}.` }) })
  const options = { baseURL: `${server.url}/v1`, apiKey: 'none' }
  folder.configure({ provider: { test: { options, models: { local: {} } } } })
})
after(async () => {
  await server.close()
  folder.remove()
})

/** Runs a turn in a folder of its own or the one named, and gives its lines. */
async function run(directory: string, ...args: string[]): Promise<Line[]> {
  const cwd = join(folder.path, directory)
  mkdirSync(cwd, { recursive: true })
  const { code, stdout, stderr } = await runDeckhand(['run', '--format', 'json', ...args], { ...folder.options, cwd })
  assert.equal(code, 0, stderr)
  return parseLines(stdout)
}

const idOf = (lines: readonly Line[]) => lines.at(-1)?.sessionID ?? ''
const textOf = (lines: readonly Line[]) => lines.at(-1)?.text

/** What the model was sent of the conversation, without the system prompt. */
function lastConversation(): unknown[] {
  const messages = server.requests.at(-1)?.body.messages ?? []
  return messages.filter(({ role }) => role !== 'system').map(({ role, content }) => `${role}: ${content}`)
}

test('core.sessions: a session is gone on with from another folder; it works in its own, prints, and ends', async () => {
  const first = await run('project', 'One?')
  const second = await run('elsewhere', '--session', idOf(first), 'Two?')
  assert.deepEqual([idOf(second), textOf(second)], [idOf(first), 'Answer 2.'])
  assert.equal(second[0]?.directory, join(folder.path, 'project'))
  assert.equal(
    second.find(({ type }) => type === 'notice')?.message,
    `The session works in its own folder, ${join(folder.path, 'project')}.`,
  )
  assert.deepEqual(lastConversation(), ['user: One?', 'assistant: Answer 1.', 'user: Two?'])
})

test("core.sessions: --continue takes the folder's last session, not another folder's", async () => {
  await run('mine', 'Old?')
  const last = await run('mine', '--title', 'The last', 'New?')
  await run('others', 'Other?')
  const next = await run('mine', '--continue', 'And?')
  assert.deepEqual([idOf(next), next[0]?.title], [idOf(last), 'The last'])
  assert.deepEqual(lastConversation(), ['user: New?', 'assistant: Answer 1.', 'user: And?'])
})

test('core.sessions: --fork goes on in a copy, and the original stays as it was', async () => {
  const original = await run('forked', 'One?')
  const copy = await run('forked', '--session', idOf(original), '--fork', '--title', 'A copy', 'Two?')
  assert.notEqual(idOf(copy), idOf(original))
  assert.deepEqual([textOf(copy), copy[0]?.title], ['Answer 2.', 'A copy'])
  assert.deepEqual(lastConversation(), ['user: One?', 'assistant: Answer 1.', 'user: Two?'])
  const { stdout } = await runDeckhand(['session', 'list', '--json'], folder.options)
  const listed = JSON.parse(stdout) as { id: string; title: string; messages: number }[]
  const counts = [original, copy].map(lines => listed.find(({ id }) => id === idOf(lines)))
  assert.deepEqual(
    counts.map(session => [session?.title, session?.messages]),
    [
      ['One?', 2],
      ['A copy', 4],
    ],
  )
})

test('core.sessions: a session whose turn another process holds is told as busy, at once', async () => {
  const first = await run('busy', 'One?')
  const options = { ...folder.options, cwd: join(folder.path, 'busy') }
  const args = ['run', '--format', 'json', '--session', idOf(first)]
  const model = folder.script([{ call: { shell: { command: 'sleep 60' } } }])
  const holder = startDeckhand([...args, '--auto', '--model', model, 'Two?'], options)
  await holder.until(/"tool\.start"/)
  const { code, stdout } = await runDeckhand([...args, 'Me?'], options)
  holder.child.kill('SIGTERM')
  await holder.exited
  const end = parseLines(stdout).at(-1)
  assert.deepEqual([code, end?.type, end?.error.data.code], [1, 'error', 'busy'])
  assert.match(end?.error.data.message, new RegExp(`process ${holder.child.pid}`))
})
