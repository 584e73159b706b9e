import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { SessionError } from '@deckhand/core'
import { createTemporaryFolder } from '../fixtures/temporary-folder.ts'
import { toStoreError } from './store-failure.ts'

/** What `act` throws. */
function failureOf(act: () => void): unknown {
  try {
    act()
  } catch (error) {
    return error
  }
  return assert.fail('nothing was thrown')
}

test('a database that another process holds is told as locked, with what to do', t => {
  const file = join(createTemporaryFolder(), 'deckhand.db')
  const [holder, other] = [new DatabaseSync(file), new DatabaseSync(file, { timeout: 0 })]
  t.after(() => {
    holder.close()
    other.close()
  })
  holder.exec('BEGIN IMMEDIATE')
  const failure = failureOf(() => other.exec('BEGIN IMMEDIATE'))
  const error = toStoreError(failure, file, 'Storing events')
  assert.ok(error instanceof Error)
  assert.equal(
    error.message,
    `Storing events failed: another process held the database ${file} for too long. Try again; if it stays so, look for a hanging deckhand process. (database is locked)`,
  )
  assert.equal((error as { code?: string }).code, 'locked')
  assert.equal(error.cause, failure)
})

test('a wrong statement, a broken constraint and anything that is not SQLite’s come back as they are', t => {
  const database = new DatabaseSync(':memory:')
  t.after(() => database.close())
  database.exec('CREATE TABLE a (b INTEGER NOT NULL) STRICT')
  const errors = [
    failureOf(() => database.exec('SELECT')),
    failureOf(() => database.exec('INSERT INTO a VALUES (NULL)')),
    new SessionError('not-found', 'There is none.'),
    new TypeError('bug'),
    undefined,
  ]
  for (const error of errors) assert.equal(toStoreError(error, ':memory:', 'Storing'), error)
})
