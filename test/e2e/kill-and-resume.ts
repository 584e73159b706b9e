import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { isId, type MessageWithParts, type Part } from '@deckhand/core'
import { openSqliteStore } from '@deckhand/store'
import type { ModelServer } from '../model-server/model-server.ts'
import {
  createTestFolder,
  type Line,
  parseLines,
  runDeckhand,
  startDeckhand,
  type TestFolder,
} from './deckhand-process.ts'

/** Long enough that a kill falls on every kind of moment: between steps, in calls side by side, in a wait, after the end. */
const steps = [
  {
    think: 'Let me see.',
    say: 'I will look.',
    call: [{ shell: { command: 'sleep 0.1; echo one' } }, { glob: { pattern: '*' } }],
  },
  { say: 'And write.', call: [{ write: { path: 'a.txt', content: 'a\n' } }, { shell: { command: 'seq 1 50000' } }] },
  { wait: 60, call: [{ read: { path: 'a.txt' } }, { shell: { command: 'sleep 0.15; echo two' } }] },
  { say: 'Done.' },
]

/** What the kills met, for the figures that are printed. */
export interface KillCount {
  kills: number
  /** Before anything was printed. */
  early: number
  /** With calls that had begun and not ended. */
  inCalls: number
  /** Calls of which the model was told, in the request after, that they were interrupted. */
  told: number
  parts: number
}

/** At the start of a count. */
export const noKills: Readonly<KillCount> = { kills: 0, early: 0, inCalls: 0, told: 0, parts: 0 }

/**
 * Kills a run with -9 after `delayMs`, and checks that the database opens and is sound, that whatever was printed is in
 * the store, and that the session goes on with `server`'s model, which is told of each call that was cut.
 */
export async function killAndResume(delayMs: number, server: ModelServer, count: KillCount): Promise<void> {
  const folder = createTestFolder()
  try {
    const model = folder.script(steps)
    const run = startDeckhand(['run', '--auto', '--format', 'json', '--model', model, 'work'], folder.options)
    await sleep(delayMs)
    run.child.kill('SIGKILL')
    await run.exited
    const lines = parseLines(run.stdout())
    count.kills++
    const listed = await runDeckhand(['session', 'list', '--json'], folder.options)
    assert.equal(listed.code, 0, listed.stderr)
    assert.equal(checkIntegrity(folder), 'ok')
    const sessionID = lines.find(line => line.type !== 'session.start')?.sessionID ?? ''
    if (!isId('session', sessionID)) {
      count.early++
      return
    }
    count.parts += checkParts(lines, await readMessages(folder, sessionID))
    await resume(folder, sessionID, server, count)
  } finally {
    folder.remove()
  }
}

const databaseOf = ({ home }: TestFolder) => join(home, 'data/deckhand.db')

function checkIntegrity(folder: TestFolder): unknown {
  const database = new DatabaseSync(databaseOf(folder))
  try {
    return database.prepare('PRAGMA integrity_check').get()?.integrity_check
  } finally {
    database.close()
  }
}

async function readMessages(folder: TestFolder, sessionID: string): Promise<readonly MessageWithParts[]> {
  assert.ok(isId('session', sessionID))
  const store = await openSqliteStore({ file: databaseOf(folder) })
  try {
    return await store.messages(sessionID)
  } finally {
    await store.close()
  }
}

/** Each part that was printed is stored, at least as far as it was printed. Gives their number. */
function checkParts(lines: readonly Line[], messages: readonly MessageWithParts[]): number {
  const stored = new Map<string, Part>(messages.flatMap(({ parts }) => parts.map(part => [part.id, part])))
  const printed = lines.filter(line => line.part !== undefined)
  for (const { type, part } of printed) {
    const found = stored.get(part.id)
    assert.ok(found, `${type} ${part.id} was printed and is not stored`)
    if (type !== 'tool.start') assert.deepEqual(found, part)
  }
  return printed.length
}

async function resume(folder: TestFolder, sessionID: string, server: ModelServer, count: KillCount): Promise<void> {
  const open = listCalls(await readMessages(folder, sessionID)).filter(({ state }) => state.status === 'running')
  if (open.length > 0) count.inCalls++
  folder.configure({
    provider: { local: { options: { baseURL: `${server.url}/v1` }, models: { 'test-model': {} } } },
  })
  const resumed = await runDeckhand(
    ['run', '--format', 'json', '--model', 'local/test-model', '--session', sessionID, 'go on'],
    folder.options,
  )
  assert.equal(resumed.code, 0, resumed.stderr)
  assert.equal(parseLines(resumed.stdout).at(-1)?.text, 'Going on.')
  const request = JSON.stringify(server.requests.at(-1)?.body.messages)
  for (const { callID } of open) {
    assert.ok(request.includes(JSON.stringify({ role: 'tool', tool_call_id: callID, content: interrupted })), request)
    count.told++
  }
  for (const { state } of listCalls(await readMessages(folder, sessionID))) {
    assert.ok(state.status === 'completed' || state.status === 'error', 'a call has no end')
  }
}

const interrupted =
  'Interrupted: Deckhand was ended while this call ran, and its result is not known. It may have had effects; look before you do it again.'

function listCalls(messages: readonly MessageWithParts[]) {
  return messages.flatMap(({ parts }) => parts).filter(part => part.type === 'tool')
}
