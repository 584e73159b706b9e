import { join } from 'node:path'
import { createId, type Message, noTokens, type Part, type SessionEvent, type SessionID } from '@deckhand/core'
import { openSqliteStore } from '@deckhand/store'
import { createDeckhandFixture, type DeckhandFixture } from './deckhand-fixture.ts'
import { compareProcesses } from './measure.ts'
import type { Bench } from './result.ts'

const count = 10_000
const words = 'A message of a long conversation, about nothing in particular but of a usual length.'
const model = { providerID: 'bench', modelID: 'model' }

/**
 * A turn in a session of 10,000 messages, against one in a session of two that are as long together: both send the
 * model as much text. What any program must do for 10,000 messages and not for two is measured by itself and taken off:
 * reading the rows, JSON.parse, the provider library's own work for each message, and the server's. A script without any
 * code of ours does just that (fixtures/sends-bare.ts). What is left is what a long session costs in Deckhand.
 */
const bench: Bench = async () => {
  const fixture = await createDeckhandFixture([{ text: 'Hello there.' }])
  try {
    const sessions = {
      long: await fillSession(fixture, count, words),
      short: await fillSession(fixture, 2, words.repeat(count / 2)),
    }
    const turn = (id: SessionID) => ({ argv: fixture.argv('--session', id, 'hello'), options: fixture.options })
    const bare = (id: SessionID) => ({ argv: bareArgv(fixture, id) })
    const figures = await compareProcesses(
      {
        longTurn: turn(sessions.long),
        shortTurn: turn(sessions.short),
        longBare: bare(sessions.long),
        shortBare: bare(sessions.short),
      },
      11,
    )
    const { longTurn, shortTurn, longBare, shortBare } = figures
    const bareMs = longBare.wallMs - shortBare.wallMs
    return [
      {
        name: 'turn in a session of 10,000 messages',
        figures: `${longTurn.wallMs.toFixed(0)} ms, ${bareMs.toFixed(0)} ms of it to read and send so many at all, over ${shortTurn.wallMs.toFixed(0)} ms`,
        value: (longTurn.wallMs - bareMs) / shortTurn.wallMs,
        limit: 1.2,
        unit: 'x',
      },
    ]
  } finally {
    await fixture.close()
  }
}

function bareArgv(fixture: DeckhandFixture, id: SessionID): [string, ...string[]] {
  const script = join(import.meta.dirname, 'fixtures/sends-bare.ts')
  return [process.execPath, script, databaseOf(fixture), id, fixture.serverURL]
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
