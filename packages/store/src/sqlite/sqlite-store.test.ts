import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { createId, StoreError, silentLog, systemClock } from '@deckhand/core'
import { createSampleSession, createSampleTurn, createTextPart } from '../fixtures/sample-session.ts'
import { startProgram } from '../fixtures/start-program.ts'
import { createTemporaryFolder } from '../fixtures/temporary-folder.ts'
import { testStoreContract } from '../store.contract.ts'
import { openDatabase } from './open-database.ts'
import { createSqliteStore, openSqliteStore } from './sqlite-store.ts'

testStoreContract('sqlite', ({ clock }) =>
  openSqliteStore({ file: join(createTemporaryFolder(), 'deckhand.db'), clock }),
)

/** A store with one session of one turn, the warnings it gave, and a way to its file past it. */
async function openSampleStore(t: TestContext) {
  const file = join(createTemporaryFolder(), 'deckhand.db')
  const warnings: string[] = []
  const store = await openSqliteStore({ file, log: { debug() {}, warn: message => void warnings.push(message) } })
  const raw = new DatabaseSync(file)
  t.after(async () => {
    raw.close()
    await store.close()
  })
  const session = createSampleSession({ model: { providerID: 'p', modelID: 'm' } })
  await store.create(session)
  const turn = createSampleTurn(session.id)
  await store.append(session.id, turn.events)
  const damage = (table: 'message' | 'part', id: string | undefined, data = '{"id":"prt_x","text":"cut he') =>
    void raw.prepare(`UPDATE ${table} SET data = ? WHERE id = ?`).run(data, id ?? '')
  const damageEvents = (containing: string) =>
    void raw.prepare("UPDATE event SET data = '{' WHERE instr(data, ?) > 0").run(containing)
  return { file, store, raw, session, turn, warnings, damage, damageEvents }
}

test('core.sessions: damaged messages and parts are read from the events instead, and that is told', async t => {
  const { store, session, turn, warnings, damage } = await openSampleStore(t)
  damage('message', turn.history[0]?.info.id)
  damage('part', turn.history[1]?.parts[1]?.id, 'null')
  damage('part', turn.history[1]?.parts[2]?.id, '{"id":5}')
  assert.deepEqual(await store.messages(session.id), turn.history)
  assert.deepEqual(warnings, [
    `Session ${session.id}: 1 damaged message restored from its events. All other records were read.`,
    `Session ${session.id}: 2 damaged parts restored from its events. All other records were read.`,
  ])
})

test('core.sessions: what is damaged in the events too is skipped and told, and all else is read', async t => {
  const { store, session, turn, warnings, damage, damageEvents } = await openSampleStore(t)
  const [question, answer] = turn.history
  const [lost, ...rest] = answer?.parts ?? []
  damage('message', question?.info.id)
  damageEvents(question?.info.id ?? 'none')
  damage('part', lost?.id)
  damageEvents(lost?.id ?? 'none')
  assert.deepEqual(await store.messages(session.id), [{ info: answer?.info, parts: rest }])
  assert.deepEqual(warnings, [
    `Session ${session.id}: 1 damaged message skipped. All other records were read.`,
    `Session ${session.id}: 1 damaged part skipped. All other records were read.`,
  ])
})

test('core.sessions: damaged events are passed over, also by pages, and told once per reading', async t => {
  const { store, session, turn, warnings, raw } = await openSampleStore(t)
  raw.prepare("UPDATE event SET data = '' WHERE seq BETWEEN 3 AND 6").run()
  const events = await store.events(session.id, 1, 2)
  assert.deepEqual(
    events.map(({ seq }) => seq),
    [2, 7],
  )
  assert.deepEqual(warnings, [`Session ${session.id}: 4 damaged events skipped. All other records were read.`])
  assert.equal((await store.events(session.id, 0)).length, 1 + turn.events.length - 4)
})

test('core.sessions: a damaged session is exported, and what is left of it imported', async t => {
  const { store, session, turn, damageEvents } = await openSampleStore(t)
  for (const title of ['Older', 'Lost'])
    await store.append(session.id, [{ type: 'session.updated', changes: { title } }])
  for (const text of ['session.created', 'overloaded', 'Lost']) damageEvents(text)
  const exported = JSON.parse(JSON.stringify(await store.export(session.id)))
  await store.delete(session.id)
  await store.import(exported)
  assert.deepEqual(await store.messages(session.id), turn.history)
  // The first event is made anew; of the turn's one is lost, of the two titles the last.
  assert.equal((await store.events(session.id, 0)).length, 1 + (turn.events.length - 1) + 1)
  assert.equal((await store.get(session.id))?.title, 'Lost')
})

test('core.sessions: a damaged model hides neither its session nor the others', async t => {
  const { store, session, raw, warnings } = await openSampleStore(t)
  const other = createSampleSession()
  await store.create(other)
  raw.prepare("UPDATE session SET model = '{' WHERE id = ?").run(session.id)
  assert.equal((await store.list()).length, 2)
  assert.equal((await store.get(session.id))?.model, undefined)
  assert.equal(warnings[0], `Session ${session.id}: 1 damaged model skipped. All other records were read.`)
})

test('core.sessions: a damaged message can be stored anew, and the sums do not count it twice', async t => {
  const { store, session, turn, damage } = await openSampleStore(t)
  const info = turn.history[1]?.info
  assert.ok(info)
  const before = await store.list()
  damage('message', info.id)
  await store.append(session.id, [{ type: 'message.updated', message: info }])
  assert.deepEqual(await store.messages(session.id), turn.history)
  const [{ messages, tokens, cost } = assert.fail()] = await store.list()
  assert.deepEqual([messages, tokens, cost], [before[0]?.messages, before[0]?.tokens, before[0]?.cost])
})

test('a file that says it has this schema and lacks a table of it is told as damaged, with the way out', async () => {
  const file = join(createTemporaryFolder(), 'deckhand.db')
  const store = await openSqliteStore({ file })
  await store.close()
  const raw = new DatabaseSync(file)
  raw.exec('DROP TABLE part')
  raw.close()
  await assert.rejects(openSqliteStore({ file }), {
    name: 'StoreError',
    code: 'damaged',
    message: `Opening the store of sessions failed: the database ${file} is damaged, or no database of Deckhand. Move it away to start anew; "sqlite3 ${file} .recover" prints what can be saved, and copies from before schema changes stand beside it as ${file}.before-NNN. (no such table: part)`,
  })
})

test('core.sessions: when there is no more room the store says so, keeps what it had, and goes on when there is', async t => {
  const file = join(createTemporaryFolder(), 'deckhand.db')
  const database = await openDatabase(file)
  const store = createSqliteStore(database, file, systemClock, silentLog)
  t.after(() => store.close())
  const session = createSampleSession()
  await store.create(session)
  // SQLite's own bound gives the very error of a full disk.
  const { page_count } = database.prepare('PRAGMA page_count').get() ?? {}
  database.exec(`PRAGMA max_page_count = ${Number(page_count) + 10}`)
  const part = (text: string) => createTextPart(session.id, createId('message'), text)
  await assert.rejects(store.append(session.id, [{ type: 'part.updated', part: part('x'.repeat(100_000)) }]), {
    name: 'StoreError',
    code: 'full',
    message: `Storing events failed: the disk that holds ${file} is full. Make room and try again; what was stored before is safe. (database or disk is full)`,
  })
  assert.equal((await store.events(session.id, 0)).length, 1)
  assert.equal(await store.append(session.id, [{ type: 'part.updated', part: part('small') }]), 2)
  database.exec('PRAGMA max_page_count = 1000000')
  assert.equal(await store.append(session.id, [{ type: 'part.updated', part: part('x'.repeat(100_000)) }]), 3)
})

test('core.sessions: the end of a turn waits for the disk, so that a loss of power keeps it, and nothing else does', async t => {
  const file = join(createTemporaryFolder(), 'deckhand.db')
  const database = await openDatabase(file)
  const store = createSqliteStore(database, file, systemClock, silentLog)
  t.after(() => store.close())
  // SQLite tells, in the middle of each transaction, whether it will wait: 1 is NORMAL, 2 is FULL.
  const levels: unknown[] = []
  database.function('note_level', () => {
    levels.push(database.prepare('PRAGMA synchronous').get()?.synchronous)
    return null
  })
  database.exec('CREATE TEMP TRIGGER noted AFTER INSERT ON event BEGIN SELECT note_level(); END')
  const session = createSampleSession()
  await store.create(session)
  const { events } = createSampleTurn(session.id)
  await store.append(session.id, events.slice(0, 1))
  await store.append(session.id, events.slice(-1))
  await store.append(session.id, events.slice(0, 1))
  assert.deepEqual(levels, [1, 1, 2, 1])
})

/** Runs what follows in a user namespace, where the folder is a disk of 1 MB. */
const onSmallDisk = (folder: string) =>
  ['unshare', '-rm', 'sh', '-c', 'mount -t tmpfs -o size=1m tmpfs "$0" && exec "$@"', folder] as const
const [unshare, ...unshareArgs] = onSmallDisk(createTemporaryFolder())
const canMount = spawnSync(unshare, [...unshareArgs, 'true']).status === 0

test('core.sessions: on a disk that is really full, storing and opening say so, and nothing that was kept is lost', {
  skip: canMount ? false : 'no user namespaces here, so no small disk can be made',
}, async () => {
  const folder = createTemporaryFolder()
  const { lines, ended } = startProgram('fills-disk.ts', [folder], onSmallDisk(folder))
  const [line = ''] = await Array.fromAsync(lines)
  const { code, stderr } = await ended
  assert.equal(code, 0, stderr)
  const { kept, whileFull, afterwards, error, opened, reopened } = JSON.parse(line)
  assert.ok(kept > 3)
  assert.equal(whileFull, kept)
  assert.equal(afterwards, kept + 1)
  assert.equal(error.code, 'full')
  assert.equal(
    error.message,
    `Storing events failed: the disk that holds ${folder}/deckhand.db is full. Make room and try again; what was stored before is safe. (database or disk is full)`,
  )
  assert.deepEqual([opened.code, reopened.code], ['full', 'full'])
})

test('every file of the store is for its owner alone, and so is a folder that is made for it', async () => {
  const folder = join(createTemporaryFolder(), 'data', 'deckhand')
  const store = await openSqliteStore({ file: join(folder, 'deckhand.db') })
  await store.create(createSampleSession())
  const modes = ['', 'deckhand.db', 'deckhand.db-wal', 'deckhand.db-shm'].map(
    name => statSync(join(folder, name)).mode & 0o777,
  )
  await store.close()
  assert.deepEqual(modes, [0o700, 0o600, 0o600, 0o600])
})

test('a store that can’t be made says where, and what to do', async () => {
  const folder = createTemporaryFolder()
  const inTheWay = join(folder, 'file')
  await openSqliteStore({ file: inTheWay }).then(store => store.close())
  await assert.rejects(openSqliteStore({ file: join(inTheWay, 'deckhand.db') }), (error: unknown) => {
    assert.ok(error instanceof StoreError)
    assert.equal(error.code, 'io')
    assert.match(
      error.message,
      /^The store of sessions could not be made at .*\/file\/deckhand\.db: E[A-Z]+: .* Choose another place with DECKHAND_HOME\.$/,
    )
    return true
  })
  await assert.rejects(openSqliteStore({ file: folder }), {
    code: 'io',
    message: `Opening the store of sessions failed: the database ${folder} could not be read or written. Check that it and its folder are there, are yours, and can be written. (unable to open database file)`,
  })
})

test('core.rules: a verdict in the audit log can neither be changed nor taken out, and a damaged one is still listed', async t => {
  const { store, raw } = await openSampleStore(t)
  await store.addVerdict({
    time: 1,
    sessionID: 'ses_1',
    callID: 'call_1',
    tool: 'shell',
    title: 'make',
    mode: 'ask',
    action: 'deny',
    parts: [{ permission: 'shell', pattern: 'make', action: 'deny', reason: 'a rule' }],
    omittedParts: 0,
  })
  for (const statement of [
    "UPDATE verdict SET action = 'allow'",
    'DELETE FROM verdict',
    'DELETE FROM verdict WHERE seq = 1',
  ])
    assert.throws(() => raw.exec(statement), /the audit log of permissions only grows/)
  assert.equal((await store.listVerdicts())[0]?.action, 'deny')
  raw.exec('DROP TRIGGER verdict_is_not_changed')
  raw.exec(`UPDATE verdict SET parts = '[{', answer = 'null'`)
  const [damaged] = await store.listVerdicts()
  assert.deepEqual([damaged?.title, damaged?.parts, damaged?.answer], ['make', [], undefined])
})
