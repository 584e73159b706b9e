import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { type Message, noTokens, type SessionEvent, type SessionID, type TokenUsage } from '@deckhand/core'

/** Applies events to the tables of current state. To be called inside the transaction that stores the event. */
export type ProjectEvent = (id: SessionID, event: SessionEvent) => void

/** Prepares the statements once. */
export function createProjection(database: DatabaseSync): ProjectEvent {
  const statements = prepareStatements(database)
  return (id, event) => {
    switch (event.type) {
      case 'session.updated':
        updateSession(statements, id, event.changes)
        break
      case 'message.updated':
        updateMessage(statements, id, event.message)
        break
      case 'part.updated':
        statements.upsertPart.run(event.part.id, id, event.part.messageID, JSON.stringify(event.part))
        break
      case 'session.created':
      case 'permission.asked':
      case 'permission.answered':
      case 'retry':
      case 'notice':
      case 'turn.started':
      case 'turn.ended':
        break
    }
  }
}

type Statements = Readonly<
  Record<'title' | 'model' | 'directory' | 'oldMessage' | 'upsertMessage' | 'addTotals' | 'upsertPart', StatementSync>
>

function prepareStatements(database: DatabaseSync): Statements {
  return {
    title: database.prepare('UPDATE session SET title = ? WHERE id = ?'),
    model: database.prepare('UPDATE session SET model = ? WHERE id = ?'),
    directory: database.prepare('UPDATE session SET directory = ? WHERE id = ?'),
    oldMessage: database.prepare('SELECT data FROM message WHERE id = ?'),
    // `ord` stays that of the first write: messages and parts keep the place where they began.
    upsertMessage: database.prepare(
      'INSERT INTO message (id, session_id, data) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET data = excluded.data WHERE session_id = excluded.session_id',
    ),
    addTotals: database.prepare(`
      UPDATE session SET messages = messages + ?, tokens_total = tokens_total + ?, tokens_input = tokens_input + ?,
        tokens_output = tokens_output + ?, tokens_reasoning = tokens_reasoning + ?, tokens_cache_read = tokens_cache_read + ?,
        tokens_cache_write = tokens_cache_write + ?, cost = cost + ? WHERE id = ?`),
    upsertPart: database.prepare(
      'INSERT INTO part (id, session_id, message_id, data) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET data = excluded.data WHERE session_id = excluded.session_id',
    ),
  }
}

function updateSession(
  statements: Statements,
  id: SessionID,
  changes: Extract<SessionEvent, { type: 'session.updated' }>['changes'],
): void {
  if (changes.title !== undefined) statements.title.run(changes.title, id)
  if (changes.model !== undefined) statements.model.run(JSON.stringify(changes.model), id)
  if (changes.directory !== undefined) statements.directory.run(changes.directory, id)
}

function updateMessage(statements: Statements, id: SessionID, message: Message): void {
  const row = statements.oldMessage.get(message.id)
  const old = row ? totalsOf(JSON.parse(String(row.data)) as Message) : undefined
  const now = totalsOf(message)
  statements.upsertMessage.run(message.id, id, JSON.stringify(message))
  const before = old ?? { tokens: noTokens, cost: 0 }
  const difference = (pick: (tokens: TokenUsage) => number) => pick(now.tokens) - pick(before.tokens)
  statements.addTotals.run(
    old ? 0 : 1,
    difference(tokens => tokens.total),
    difference(tokens => tokens.input),
    difference(tokens => tokens.output),
    difference(tokens => tokens.reasoning),
    difference(tokens => tokens.cache.read),
    difference(tokens => tokens.cache.write),
    now.cost - before.cost,
    id,
  )
}

function totalsOf(message: Message): { tokens: TokenUsage; cost: number } {
  return message.role === 'assistant' ? message : { tokens: noTokens, cost: 0 }
}
