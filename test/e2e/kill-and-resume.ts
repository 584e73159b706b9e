import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { isId, type MessageWithParts, type Part } from '@deckhand/core'
import { openSqliteStore } from '@deckhand/store'
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
  parts: number
}

/**
 * Kills a run with -9 after `delayMs`, and checks that whatever it had printed is in the store, that the database is
 * sound, and that the session goes on, with its cut calls told as interrupted.
 */
export async function killAndResume(delayMs: number, count: KillCount): Promise<void> {
  const folder = createTestFolder()
  try {
    const model = folder.script(steps)
    const run = startDeckhand(['run', '--auto', '--format', 'json', '--model', model, 'work'], folder.options)
    await sleep(delayMs)
    run.child.kill('SIGKILL')
    await run.exited
    const lines = parseLines(run.stdout())
    count.kills++
    const sessionID = lines.find(line => line.type !== 'session.start')?.sessionID ?? ''
    if (!isId('session', sessionID)) {
      count.early++
      return
    }
    assert.equal(checkIntegrity(folder), 'ok')
    count.parts += checkParts(lines, await readMessages(folder, sessionID))
    await resume(folder, sessionID, lines, count)
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

async function resume(folder: TestFolder, sessionID: string, lines: readonly Line[], count: KillCount): Promise<void> {
  const ended = new Set(lines.filter(({ type }) => type === 'tool_use').map(({ part }) => part.callID))
  const open = lines
    .filter(({ type, part }) => type === 'tool.start' && !ended.has(part.callID))
    .map(({ part }) => part.id)
  if (open.length > 0) count.inCalls++
  const model = folder.script([{ say: 'Going on.' }])
  const resumed = await runDeckhand(
    ['run', '--format', 'json', '--model', model, '--session', sessionID, 'go on'],
    folder.options,
  )
  assert.equal(resumed.code, 0, resumed.stderr)
  assert.equal(parseLines(resumed.stdout).at(-1)?.text, 'Going on.')
  const parts = (await readMessages(folder, sessionID)).flatMap(message => message.parts)
  for (const part of parts) {
    if (part.type !== 'tool') continue
    assert.ok(part.state.status === 'completed' || part.state.status === 'error', 'a call has no end')
    // A call may have ended in the store just before the kill, unprinted.
    if (open.includes(part.id) && part.state.status === 'error') assert.match(part.state.error, /^Interrupted: /)
  }
}
