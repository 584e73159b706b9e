// The messages and parts of sessions: what their events add up to.
import type { DatabaseSync } from 'node:sqlite'
import {
  type Message,
  type MessageWithParts,
  noTokens,
  type Part,
  SessionError,
  type SessionID,
  type TokenUsage,
} from '@deckhand/core'
import type { ReportDamage } from './damage.ts'
import { parseRecord } from './parse-record.ts'

/** Each function is to be called inside a transaction. */
export interface MessageTable {
  /** Adds the message, or replaces the one with its id, and keeps the session's sums. Throws SessionError `exists`. */
  put(id: SessionID, message: Message): void
  /** Adds the part, or replaces the one with its id. Throws SessionError `exists`. */
  putPart(id: SessionID, part: Part): void
  /** Oldest first. A damaged record is taken from the session's events, or left out where they are damaged too. */
  read(id: SessionID): MessageWithParts[]
}

/** A row in its place; without a value while it is damaged. */
interface Record<Value> {
  readonly id: string
  readonly value: Value | undefined
}

export function createMessageTable(database: DatabaseSync, reportDamage: ReportDamage): MessageTable {
  const statements = prepareStatements(database)

  function put(id: SessionID, message: Message): void {
    const row = statements.findMessage.get(id, message.id)
    requireOwn('message', message.id, statements.putMessage.run(message.id, id, JSON.stringify(message)).changes)
    const now = totalsOf(message)
    // What a damaged record had added to the sums can't be known, and is most likely what this one holds.
    const before = row ? totalsOf(parseRecord<Message>(row.data, isMessage) ?? message) : nothing
    addToSums(id, row ? 0 : 1, now, before)
  }

  function addToSums(id: SessionID, messages: number, now: Totals, before: Totals): void {
    const added = (pick: (totals: Totals) => number) => pick(now) - pick(before)
    statements.addToSums.run(
      messages,
      added(({ tokens }) => tokens.total),
      added(({ tokens }) => tokens.input),
      added(({ tokens }) => tokens.output),
      added(({ tokens }) => tokens.reasoning),
      added(({ tokens }) => tokens.cache.read),
      added(({ tokens }) => tokens.cache.write),
      added(({ cost }) => cost),
      id,
    )
  }

  function read(id: SessionID): MessageWithParts[] {
    return readSound(id) ?? readDamaged(id)
  }

  /** Nearly always all is sound, and then the ids that stand in the records are enough. Undefined where it is not. */
  function readSound(id: SessionID): MessageWithParts[] | undefined {
    const messages = parseTogether<Message>(statements.allMessages.get(id), isMessage)
    const parts = messages && parseTogether<Part>(statements.allParts.get(id), isPart)
    return parts && joinParts(messages, parts)
  }

  function readDamaged(id: SessionID): MessageWithParts[] {
    const messages = parseRows<Message>(statements.messages.iterate(id), isMessage)
    const parts = parseRows<Part>(statements.parts.iterate(id), isPart)
    const lost = [...messages, ...parts].filter(({ value }) => value === undefined).map(record => record.id)
    const restored = restore(id, new Set(lost))
    return joinParts(fillIn('message', id, messages, restored), fillIn('part', id, parts, restored))
  }

  /** The last state of these messages and parts, by their events. */
  function restore(id: SessionID, lost: ReadonlySet<string>): Map<string, Message | Part> {
    const found = new Map<string, Message | Part>()
    for (const { data } of statements.changes.iterate(id)) {
      const event = parseRecord<{ message?: Message; part?: Part }>(data, isChange)
      const value = event?.message ?? event?.part
      if (value && lost.has(value.id)) found.set(value.id, value)
    }
    return found
  }

  function fillIn<Value extends Message | Part>(
    kind: 'message' | 'part',
    session: SessionID,
    records: readonly Record<Value>[],
    restored: ReadonlyMap<string, Message | Part>,
  ): Value[] {
    const damaged = records.filter(({ value }) => value === undefined)
    const back = damaged.filter(({ id }) => restored.has(id)).length
    reportDamage({ session, kind, restored: back, skipped: damaged.length - back })
    return records.flatMap(({ id, value }) => value ?? (restored.get(id) as Value | undefined) ?? [])
  }

  return {
    put,
    putPart: (id, part) =>
      requireOwn('part', part.id, statements.putPart.run(part.id, id, part.messageID, JSON.stringify(part)).changes),
    read,
  }
}

function prepareStatements(database: DatabaseSync) {
  // `ord` stays that of the first write: messages and parts keep the place where they began.
  const replaceOwn = 'ON CONFLICT (id) DO UPDATE SET data = excluded.data WHERE session_id = excluded.session_id'
  return {
    findMessage: database.prepare('SELECT data FROM message WHERE session_id = ? AND id = ?'),
    putMessage: database.prepare(`INSERT INTO message (id, session_id, data) VALUES (?, ?, ?) ${replaceOwn}`),
    putPart: database.prepare(`INSERT INTO part (id, session_id, message_id, data) VALUES (?, ?, ?, ?) ${replaceOwn}`),
    addToSums: database.prepare(`
      UPDATE session SET messages = messages + ?, tokens_total = tokens_total + ?, tokens_input = tokens_input + ?,
        tokens_output = tokens_output + ?, tokens_reasoning = tokens_reasoning + ?,
        tokens_cache_read = tokens_cache_read + ?, tokens_cache_write = tokens_cache_write + ?, cost = cost + ?
      WHERE id = ?`),
    allMessages: database.prepare(selectTogether('message')),
    allParts: database.prepare(selectTogether('part')),
    messages: database.prepare('SELECT id, data FROM message WHERE session_id = ? ORDER BY ord'),
    parts: database.prepare('SELECT id, data FROM part WHERE session_id = ? ORDER BY ord'),
    changes: database.prepare(
      "SELECT data FROM event WHERE session_id = ? AND type IN ('message.updated', 'part.updated') ORDER BY seq",
    ),
  }
}

// A long session has many rows, and one string of all of them is read in two thirds of the time and of the memory.
// SQLite keeps the order of a subquery for group_concat. Beyond the limit, as JavaScript's strings have one, there is no
// string, and rows are read one by one.
function selectTogether(table: 'message' | 'part'): string {
  return `
    SELECT count(*) AS count, iif(sum(length(data)) < ${togetherChars}, '[' || group_concat(data) || ']', NULL) AS data
    FROM (SELECT data FROM ${table} WHERE session_id = ? ORDER BY ord)`
}

const togetherChars = 64 * 1024 ** 2

/** Ids are unique in the whole file: a row that was not written is another session's. */
function requireOwn(kind: 'message' | 'part', id: string, changes: number | bigint): void {
  if (Number(changes) > 0) return
  throw new SessionError('exists', `The ${kind} ${id} is in another session already. Nothing was stored.`, { id })
}

interface Totals {
  readonly tokens: TokenUsage
  readonly cost: number
}

const nothing: Totals = { tokens: noTokens, cost: 0 }

function totalsOf(message: Message): Totals {
  return message.role === 'assistant' ? message : nothing
}

type Json = Readonly<{ [key: string]: unknown }>

/** The values of rows that were read as one string; undefined when one of them is damaged, or there are too many. */
function parseTogether<Value extends object>(
  row: Json | undefined,
  isValid: (record: Json) => boolean,
): Value[] | undefined {
  if (row?.count === 0) return []
  if (typeof row?.data !== 'string') return undefined
  const values = parseRecord<Value[]>(row.data, Array.isArray) ?? []
  return values.length === row.count && values.every(value => isObjectOf(value, isValid)) ? values : undefined
}

function joinParts(messages: readonly Message[], parts: readonly Part[]): MessageWithParts[] {
  const partsOf = Map.groupBy(parts, part => part.messageID)
  return messages.map(info => ({ info, parts: partsOf.get(info.id) ?? [] }))
}

function parseRows<Value extends object>(rows: Iterable<Json>, isValid: (record: Json) => boolean): Record<Value>[] {
  return Array.from(rows, ({ id, data }) => ({ id: String(id), value: parseRecord<Value>(data, isValid) }))
}

function isMessage({ id, role, tokens, cost }: Json): boolean {
  if (typeof id !== 'string') return false
  return role === 'user' || (role === 'assistant' && isUsage(tokens) && typeof cost === 'number')
}

function isUsage(tokens: unknown): boolean {
  return typeof tokens === 'object' && tokens !== null && typeof (tokens as Partial<TokenUsage>).cache === 'object'
}

function isPart({ id, messageID, type }: Json): boolean {
  return typeof id === 'string' && typeof messageID === 'string' && typeof type === 'string'
}

function isChange({ message, part }: Json): boolean {
  return isObjectOf(message, isMessage) || isObjectOf(part, isPart)
}

function isObjectOf(value: unknown, isValid: (record: Json) => boolean): boolean {
  return typeof value === 'object' && value !== null && isValid(value as Json)
}
