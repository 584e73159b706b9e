// A session may be long: nothing but the reading of all of it may take longer for that.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { type SessionEvent, type SessionID, silentLog, systemClock } from '@deckhand/core'
import { createAssistantMessage, createSampleSession, createTextPart } from '../fixtures/sample-session.ts'
import { createTemporaryFolder } from '../fixtures/temporary-folder.ts'
import { openDatabase } from './open-database.ts'
import { createSqliteStore, openSqliteStore } from './sqlite-store.ts'

const messages = 10_000

async function openStores(t: TestContext) {
  const file = join(createTemporaryFolder(), 'deckhand.db')
  const store = await openSqliteStore({ file })
  const raw = new DatabaseSync(file, { readOnly: true })
  t.after(async () => {
    raw.close()
    await store.close()
  })
  const createLong = async (count: number) => {
    const session = createSampleSession()
    await store.create(session)
    for (let done = 0; done < count; done += 1000)
      await store.append(session.id, Array.from({ length: 1000 }, () => createAnswer(session.id)).flat())
    return session.id
  }
  return { store, raw, createLong }
}

function createAnswer(sessionID: SessionID): SessionEvent[] {
  const message = createAssistantMessage(sessionID)
  const part = createTextPart(sessionID, message.id, 'Some words of an answer, as long as they often are. '.repeat(4))
  return [
    { type: 'message.updated', message },
    { type: 'part.updated', part },
  ]
}

/** The best of several tries, since a loaded machine makes any one of them slow. */
async function measureBest(tries: number, act: () => unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let left = tries; left > 0; left--) {
    const start = performance.now()
    await act()
    best = Math.min(best, performance.now() - start)
  }
  return best
}

test('core.sessions: reading a session of 10,000 messages takes little more than SQLite and JSON need for it', async t => {
  const { store, raw, createLong } = await openStores(t)
  const id = await createLong(messages)
  const select = ['message', 'part'].map(table =>
    raw.prepare(`SELECT data FROM ${table} WHERE session_id = ? ORDER BY ord`),
  )
  const plainMs = await measureBest(7, () => {
    for (const statement of select) for (const { data } of statement.all(id)) JSON.parse(String(data))
  })
  const history = await store.messages(id)
  assert.equal(history.length, messages)
  assert.ok(history.every(({ parts }) => parts.length === 1))
  const ownMs = await measureBest(7, () => store.messages(id))
  assert.ok(ownMs < plainMs * 4, `${ownMs.toFixed(1)} ms, where plain reading takes ${plainMs.toFixed(1)} ms`)
})

test('core.sessions: appending to a session of 10,000 messages takes no longer than to an empty one', async t => {
  const { store, createLong } = await openStores(t)
  const ids = { short: await createLong(0), long: await createLong(messages) }
  const best = { short: Number.POSITIVE_INFINITY, long: Number.POSITIVE_INFINITY }
  // In turns, so that a busy moment of the machine meets both.
  for (let round = 0; round < 40; round++) {
    for (const kind of ['short', 'long'] as const) {
      const added = Array.from({ length: 5 }, () => createAnswer(ids[kind]))
      const tookMs = await measureBest(1, async () => {
        for (const events of added) await store.append(ids[kind], events)
      })
      best[kind] = Math.min(best[kind], tookMs)
    }
  }
  assert.ok(
    best.long < best.short * 4,
    `${best.long.toFixed(2)} ms against ${best.short.toFixed(2)} ms for five appends`,
  )
})

test('no statement of the store reads through a whole table of events, messages or parts', async t => {
  const database = await openDatabase(join(createTemporaryFolder(), 'deckhand.db'))
  t.after(() => database.close())
  const statements: string[] = []
  const prepare = database.prepare.bind(database)
  database.prepare = sql => {
    statements.push(sql)
    return prepare(sql)
  }
  createSqliteStore(database, 'deckhand.db', systemClock, silentLog)
  assert.ok(statements.length > 15, `only ${statements.length} statements were seen`)
  for (const sql of statements) {
    const plan = prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => String(detail))
    for (const step of plan) assert.doesNotMatch(step, /^SCAN (event|message|part)\b/, `${sql}\n${plan.join('\n')}`)
    if (/ORDER BY (ord|seq)/.test(sql))
      assert.ok(!plan.some(step => /TEMP B-TREE/.test(step)), `${sql}\n${plan.join('\n')}`)
  }
})
