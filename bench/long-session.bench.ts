import { join } from 'node:path'
import { createId, type Message, noTokens, type Part, type SessionEvent, type SessionID } from '@deckhand/core'
import { openSqliteStore } from '@deckhand/store'
import { createDeckhandFixture, type DeckhandFixture } from './deckhand-fixture.ts'
import { compareProcesses } from './measure.ts'
import type { Bench } from './result.ts'

const count = 10_000
const words = 'A message of a long conversation, about nothing in particular but of a usual length.'
const model = { providerID: 'bench', modelID: 'model' }

const sender = ['--conditions=deckhand-source', join(import.meta.dirname, 'fixtures/sends-messages.ts')]

/**
 * A turn in a session of 10,000 messages, against one in a session of two messages that are as long together. What it
 * takes to send 10,000 messages instead of two (the provider library's work for each message, and the server's) is
 * measured by itself and taken off: the promise is about all the rest, which is what a long session costs here.
 */
const bench: Bench = async () => {
  const fixture = await createDeckhandFixture([{ text: 'Hello there.' }])
  try {
    const long = await fillSession(fixture, count, words)
    const short = await fillSession(fixture, 2, words.repeat(count / 2))
    const send = (messages: number) => ({
      argv: [process.execPath, ...sender, fixture.serverURL, `${messages}`, `${(words.length * count) / messages}`] as [
        string,
        ...string[],
      ],
    })
    const figures = await compareProcesses(
      {
        longTurn: { argv: fixture.argv('--session', long, 'hello'), options: fixture.options },
        shortTurn: { argv: fixture.argv('--session', short, 'hello'), options: fixture.options },
        longSend: send(count),
        shortSend: send(2),
      },
      7,
    )
    const sending = figures.longSend.wallMs - figures.shortSend.wallMs
    return [
      {
        name: 'turn in a session of 10,000 messages',
        figures: `${figures.longTurn.wallMs.toFixed(0)} ms, ${sending.toFixed(0)} ms of it for sending so many messages, over ${figures.shortTurn.wallMs.toFixed(0)} ms`,
        value: (figures.longTurn.wallMs - sending) / figures.shortTurn.wallMs,
        limit: 1.2,
        unit: 'x',
      },
    ]
  } finally {
    await fixture.close()
  }
}

async function fillSession({ options }: DeckhandFixture, messages: number, text: string): Promise<SessionID> {
  const store = await openSqliteStore({ file: join(options.env.DECKHAND_HOME ?? '', 'data/deckhand.db') })
  const id = createId('session')
  await store.create({ id, title: 'Long', directory: options.cwd, time: { created: 1, updated: 1 } })
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
