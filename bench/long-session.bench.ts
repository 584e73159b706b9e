import { join } from 'node:path'
import { createId, type Message, noTokens, type Part, type SessionEvent, type SessionID } from '@deckhand/core'
import { openSqliteStore } from '@deckhand/store'
import { createDeckhandFixture, type DeckhandFixture } from './deckhand-fixture.ts'
import { compareProcesses, type Measure } from './measure.ts'
import type { Bench, BenchResult } from './result.ts'

const count = 10_000
const words = 'A message of a long conversation, about nothing in particular but of a usual length.'
const model = { providerID: 'bench', modelID: 'model' }

/**
 * A turn in a session of 10,000 messages, against one in a session of two that are as long together: both send the
 * model as much text. Two things are taken off, each measured by a script of its own:
 * - for "apart from sending them": what it takes Deckhand's own code to read 10,000 messages instead of two and send
 *   them. What is left is all else that a turn does, which is not to grow with the session;
 * - for "apart from what any program does": only what SQLite, JSON.parse and the provider library take for it.
 */
const bench: Bench = async () => {
  const fixture = await createDeckhandFixture([{ text: 'Hello there.' }])
  try {
    const sessions = {
      long: await fillSession(fixture, count, words),
      short: await fillSession(fixture, 2, words.repeat(count / 2)),
    }
    const turn = (id: SessionID) => ({ argv: fixture.argv('--session', id, 'hello'), options: fixture.options })
    const script = (name: string, id: SessionID) => ({ argv: scriptArgv(name, fixture, id) })
    const figures = await compareProcesses(
      {
        longTurn: turn(sessions.long),
        shortTurn: turn(sessions.short),
        longSend: script('sends-history.ts', sessions.long),
        shortSend: script('sends-history.ts', sessions.short),
        longBare: script('sends-bare.ts', sessions.long),
        shortBare: script('sends-bare.ts', sessions.short),
      },
      11,
    )
    const { longTurn, shortTurn } = figures
    const compare = (apartFrom: string, long: Measure, short: Measure, limit: number): BenchResult => {
      const partMs = long.wallMs - short.wallMs
      return {
        name: `turn in 10,000 messages, apart from ${apartFrom}`,
        figures: `${longTurn.wallMs.toFixed(0)} ms, ${partMs.toFixed(0)} ms of it for that, over ${shortTurn.wallMs.toFixed(0)} ms`,
        value: (longTurn.wallMs - partMs) / shortTurn.wallMs,
        limit,
        unit: 'x',
      }
    }
    return [
      compare('sending them', figures.longSend, figures.shortSend, 1.2),
      compare('what any program does', figures.longBare, figures.shortBare, 1.4),
    ]
  } finally {
    await fixture.close()
  }
}

function scriptArgv(name: string, fixture: DeckhandFixture, id: SessionID): [string, ...string[]] {
  const script = join(import.meta.dirname, 'fixtures', name)
  return [process.execPath, '--conditions=deckhand-source', script, databaseOf(fixture), id, fixture.serverURL]
}

function databaseOf({ options }: DeckhandFixture): string {
  return join(options.env.DECKHAND_HOME ?? '', 'data/deckhand.db')
}

async function fillSession(fixture: DeckhandFixture, messages: number, text: string): Promise<SessionID> {
  const store = await openSqliteStore({ file: databaseOf(fixture) })
  const id = createId('session')
  await store.create({ id, title: 'Long', directory: fixture.options.cwd, time: { created: 1, updated: 1 } })
  await store.append(id, Array.from({ length: messages }, (_, index) => createMessage(id, index, text)).flat())
  await store.close()
  return id
}

function createMessage(sessionID: SessionID, index: number, text: string): SessionEvent[] {
  const base = { id: createId('message'), sessionID, agent: 'build', model, time: { created: 1 } }
  const message: Message =
    index % 2 === 0 ? { ...base, role: 'user' } : { ...base, role: 'assistant', tokens: noTokens, cost: 0 }
  const part: Part = {
    id: createId('part'),
    sessionID,
    messageID: base.id,
    type: 'text',
    text,
    time: { start: 1, end: 1 },
  }
  return [
    { type: 'message.updated', message },
    { type: 'part.updated', part },
  ]
}

export default bench
