import assert from 'node:assert/strict'
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionID } from '@deckhand/core'
import { assertWhole } from '../fixtures/kill-while-appending.ts'
import { withNextSchema } from '../fixtures/next-schema.ts'
import { createSampleSession, createSampleTurn } from '../fixtures/sample-session.ts'
import { raceProgram, startProgram } from '../fixtures/start-program.ts'
import { createTemporaryFolder } from '../fixtures/temporary-folder.ts'
import { migrations } from '../migrations/index.ts'
import { openDatabase } from './open-database.ts'
import { openSqliteStore } from './sqlite-store.ts'

/** Of the migration that `withNextSchema` adds, as copies are named. */
const number = String(withNextSchema.length).padStart(3, '0')

const newFile = () => join(createTemporaryFolder(), 'deckhand.db')
const versionOf = (file: string) => {
  const database = new DatabaseSync(file)
  const version = database.prepare('PRAGMA user_version').get()?.user_version
  database.close()
  return version
}

/** A database of the schema of today, with a session in it. */
async function makeOldFile(): Promise<{ file: string; id: SessionID }> {
  const file = newFile()
  const store = await openSqliteStore({ file })
  const session = createSampleSession()
  await store.create(session)
  await store.append(session.id, createSampleTurn(session.id).events)
  await store.close()
  return { file, id: session.id }
}

test('migrations are numbered 1, 2, 3 …, as their order is what files of users rely on', () => {
  assert.deepEqual(
    migrations.map(({ version }) => version),
    migrations.map((_, index) => index + 1),
  )
})

test('a new file gets the newest schema, in WAL mode, without a copy beside it', async () => {
  const file = newFile()
  const database = await openDatabase(file, withNextSchema)
  assert.equal(database.prepare('PRAGMA journal_mode').get()?.journal_mode, 'wal')
  database.close()
  assert.equal(versionOf(file), withNextSchema.length)
  assert.deepEqual(readdirSync(dirname(file)), ['deckhand.db'])
})

test('before an old file gets a new schema, a private copy of it is put beside it', async () => {
  const { file, id } = await makeOldFile()
  // What is not yet in the file itself, only in its log, belongs to the copy too.
  const writer = new DatabaseSync(file)
  writer.prepare("UPDATE session SET title = 'In the log' WHERE id = ?").run(id)
  ;(await openDatabase(file, withNextSchema)).close()
  writer.close()

  const copy = `${file}.before-${number}`
  assert.equal(versionOf(file), withNextSchema.length)
  assert.equal(versionOf(copy), migrations.length)
  assert.equal(statSync(copy).mode & 0o777, 0o600)
  const store = await openSqliteStore({ file: copy })
  assert.equal((await store.get(id))?.title, 'In the log')
  assert.equal((await store.messages(id)).length, 2)
  await store.close()
  assertWhole(copy)
})

test('a file of the first schema is brought up to date, with all that was in it', async () => {
  const file = newFile()
  const old = await openDatabase(file, migrations.slice(0, 1))
  old.exec("INSERT INTO approval VALUES ('per_1', 'shell', 'ls', 'allow', 'user', '', 1, 'terminal')")
  old.close()
  const store = await openSqliteStore({ file })
  assert.equal((await store.listApprovals())[0]?.pattern, 'ls')
  assert.deepEqual([await store.listVerdicts(), await store.listTrust()], [[], []])
  await store.close()
  assert.equal(versionOf(`${file}.before-002`), 1)
})

test('half a copy and an old one, as earlier attempts may leave them, are replaced', async () => {
  const { file, id } = await makeOldFile()
  const copy = `${file}.before-${number}`
  writeFileSync(copy, 'an older copy')
  writeFileSync(`${copy}.partial`, 'half a copy')
  ;(await openDatabase(file, withNextSchema)).close()
  assertWhole(copy)
  assert.equal(existsSync(`${copy}.partial`), false)
  const store = await openSqliteStore({ file: copy })
  assert.equal((await store.get(id))?.id, id)
  await store.close()
})

test('a migration that fails leaves the file as it was, with its copy, and the error comes out untouched', async () => {
  const { file, id } = await makeOldFile()
  const bug = new Error('bug in a migration')
  const failing = {
    version: withNextSchema.length + 1,
    name: 'failing',
    run(database: DatabaseSync) {
      database.exec('DROP TABLE event')
      throw bug
    },
  }
  await assert.rejects(openDatabase(file, [...withNextSchema, failing]), error => error === bug)
  assert.equal(versionOf(file), migrations.length)
  const store = await openSqliteStore({ file })
  assert.equal((await store.messages(id)).length, 2)
  await store.close()
  assert.ok(existsSync(`${file}.before-${number}`))
})

test('core.sessions: a database that is busy for a moment is waited for, also where SQLite itself does not wait', async () => {
  const file = newFile()
  const holder = new DatabaseSync(file)
  // In the old journal mode a writer makes the switch to WAL fail at once.
  holder.exec('BEGIN IMMEDIATE')
  const opening = openDatabase(file)
  setTimeout(() => holder.close(), 1)
  ;(await opening).close()
  assert.equal(versionOf(file), migrations.length)
})

test('core.sessions: ten processes that open a new file at once all succeed', async () => {
  const file = newFile()
  const results = await raceProgram(
    'opens-with-next-schema.ts',
    Array.from({ length: 10 }, () => [file]),
  )
  for (const { code, stderr } of results) assert.equal(code, 0, stderr)
  assertWhole(file)
})

test('core.sessions: ten processes that open an old file at once all succeed, and it is migrated once', async () => {
  const { file, id } = await makeOldFile()
  const results = await raceProgram(
    'opens-with-next-schema.ts',
    Array.from({ length: 10 }, () => [file]),
  )
  for (const { code, stderr } of results) assert.equal(code, 0, stderr)
  assert.deepEqual(readdirSync(dirname(file)).sort(), ['deckhand.db', `deckhand.db.before-${number}`])
  assertWhole(file)
  const copy = await openSqliteStore({ file: `${file}.before-${number}` })
  assert.equal((await copy.messages(id)).length, 2)
  await copy.close()
})

test('core.sessions: a process killed while it migrates leaves a file that the next one opens', async () => {
  const { file: original, id } = await makeOldFile()
  for (let kill = 0; kill < 6; kill++) {
    const file = newFile()
    copyFileSync(original, file)
    const { child, lines, ended } = startProgram('opens-with-next-schema.ts', [file])
    await lines.next()
    child.stdin.end('go\n')
    await Promise.race([sleep(Math.random() * 60), ended])
    child.kill('SIGKILL')
    await ended
    const copy = `${file}.before-${number}`
    if (existsSync(copy)) assertWhole(copy)
    const database = await openDatabase(file, withNextSchema)
    assert.equal(database.prepare('SELECT count(*) AS count FROM next').get()?.count, 50_000)
    assert.equal(database.prepare('SELECT count(*) AS count FROM message WHERE session_id = ?').get(id)?.count, 2)
    database.close()
    assertWhole(file)
    assertWhole(copy)
  }
})

test('a file of a newer program is left alone, and the error names both versions and the fix', async () => {
  const { file } = await makeOldFile()
  ;(await openDatabase(file, withNextSchema)).close()
  const before = readFileSync(file)
  await assert.rejects(openSqliteStore({ file }), {
    name: 'StoreError',
    code: 'newer-schema',
    message: `The database ${file} was written by a newer Deckhand: its schema is ${withNextSchema.length}, this program knows ${migrations.length}. Update Deckhand, or choose another place with DECKHAND_HOME.`,
    data: { file, version: withNextSchema.length, newest: migrations.length },
  })
  assert.deepEqual(readFileSync(file), before)
})

test('a file that is no database is left alone and told as damaged, with the way out', async () => {
  const file = newFile()
  const text = 'My shopping list, which has nothing to do with databases.\n'.repeat(100)
  writeFileSync(file, text)
  await assert.rejects(openSqliteStore({ file }), {
    name: 'StoreError',
    code: 'damaged',
    message: `Opening the store of sessions failed: the database ${file} is damaged, or no database of Deckhand. Move it away to start anew; "sqlite3 ${file} .recover" prints what can be saved, and copies from before schema changes stand beside it as ${file}.before-NNN. (file is not a database)`,
  })
  assert.equal(readFileSync(file, 'utf8'), text)
})

test('the database of another program is left alone, to the last byte', async () => {
  const file = newFile()
  const other = new DatabaseSync(file)
  other.exec("CREATE TABLE bookmark (url TEXT); INSERT INTO bookmark VALUES ('https://example.com')")
  other.close()
  const before = readFileSync(file)
  await assert.rejects(openSqliteStore({ file }), {
    name: 'StoreError',
    code: 'damaged',
    message: `The database ${file} belongs to another program: it has the table bookmark, and no schema of Deckhand. Nothing was changed. Move it away, or choose another place with DECKHAND_HOME.`,
  })
  assert.deepEqual(readFileSync(file), before)
  assert.deepEqual(readdirSync(dirname(file)), [basename(file)])
})

test('a file whose inner pages are overwritten is told as damaged when they are read', async () => {
  const { file, id } = await makeOldFile()
  const bytes = readFileSync(file)
  // The first page, which has the schema, stays as it is.
  bytes.fill(0xff, 4096)
  writeFileSync(file, bytes)
  await assert.rejects(
    openSqliteStore({ file }).then(async store => {
      await store.messages(id).finally(() => store.close())
    }),
    { name: 'StoreError', code: 'damaged' },
  )
})
