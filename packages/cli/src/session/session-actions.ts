import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  groupDigits,
  isId,
  messageOf,
  SessionError,
  type SessionID,
  type SessionSummary,
  UsageError,
} from '@deckhand/core'
import type { CliContext } from '../cli-context.ts'
import { withStore } from '../open-store.ts'
import { resolveFolder } from '../run/request.ts'
import { createTurnOwner, isOwnerAlive } from '../run/turn-owner.ts'
import { oneLine } from '../terminal/neutralise.ts'
import { describeSession } from './describe-session.ts'

/** `session list`. As JSON in OpenCode's fields (id, title, updated, created, directory), and with the sums. */
export async function listSessions(
  options: { json?: boolean; dir?: string; limit?: number },
  context: CliContext,
): Promise<void> {
  const directory = options.dir === undefined ? undefined : resolveFolder(options.dir, context.cwd)
  const sessions = await withStore(context, store => store.list({ directory, limit: options.limit }))
  context.stdout.write(options.json ? `${JSON.stringify(sessions.map(toJson), null, 2)}\n` : describeSessions(sessions))
}

function toJson({ id, title, directory, time, messages, tokens, cost, parentID }: SessionSummary) {
  return {
    id,
    title,
    updated: time.updated,
    created: time.created,
    directory,
    messages,
    tokens,
    cost,
    ...(parentID && { parentID }),
  }
}

/** A table: id, last change, messages, tokens, title, folder. Titles may be foreign: of an import, of a model. */
export function describeSessions(sessions: readonly SessionSummary[]): string {
  if (sessions.length === 0) return 'No sessions yet. Start one: deckhand run "what does this project do?"\n'
  const rows = sessions.map(({ id, time, messages, tokens, title, directory }) => [
    id,
    new Date(time.updated).toISOString().slice(0, 16).replace('T', ' '),
    String(messages),
    groupDigits(tokens.total),
    oneLine(title),
    oneLine(directory),
  ])
  const all = [['id', 'updated (UTC)', 'messages', 'tokens', 'title', 'folder'], ...rows]
  const widths = all[0]?.map((_, column) => Math.max(...all.map(row => row[column]?.length ?? 0))) ?? []
  return all
    .map(
      row =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

/** `session show`. */
export async function showSession(id: string, options: { json?: boolean }, context: CliContext): Promise<void> {
  await withStore(context, async store => {
    const session = await store.get(requireId(id))
    if (!session) throw createNotFound(id)
    const messages = await store.messages(session.id)
    const events = await store.events(session.id, 0)
    context.stdout.write(
      options.json ? `${JSON.stringify({ session, messages }, null, 2)}\n` : describeSession(session, messages, events),
    )
  })
}

/** `session export`. The file is made new, 0600: a session holds whatever the model saw. */
export async function exportSession(id: string, { output }: { output?: string }, context: CliContext): Promise<void> {
  const data = await withStore(context, store => store.export(requireId(id)))
  const text = `${JSON.stringify(data)}\n`
  if (output === undefined) {
    context.stdout.write(text)
    return
  }
  const file = resolve(context.cwd, output)
  try {
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST'
    throw new UsageError(
      isThere
        ? `${file} is there already. Delete it, or name another file.`
        : `${file} can't be written: ${messageOf(error)}.`,
    )
  }
  context.stderr.write(`Wrote ${file} (${data.events.length} events).\n`)
}

/** `session import`. */
export async function importSession(file: string, context: CliContext): Promise<void> {
  const data = parseJson(readInput(file, context), nameOf(file))
  const session = await withStore(context, store => store.import(data))
  context.stdout.write(`Imported ${session.id}: ${oneLine(session.title)}\n`)
}

function readInput(file: string, { cwd }: CliContext): string {
  try {
    return readFileSync(file === '-' ? 0 : resolve(cwd, file), 'utf8')
  } catch (error) {
    throw new UsageError(`${nameOf(file)} can't be read: ${messageOf(error)}.`)
  }
}

function nameOf(file: string): string {
  return file === '-' ? 'Standard input' : file
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new SessionError('invalid-import', `${file} is no JSON (${messageOf(error)}). Nothing was imported.`)
  }
}

/** `session delete`: all that are named, or none when one is unknown or a turn of it runs. */
export async function deleteSessions(ids: readonly string[], context: CliContext): Promise<void> {
  await withStore(context, async store => {
    const named = [...new Set(ids)].map(requireId)
    for (const id of named) if (!(await store.get(id))) throw createNotFound(id)
    // No turn can begin meanwhile; what is claimed when a later one is busy ends with this process.
    const owner = createTurnOwner(context.clock.now())
    for (const id of named) await store.claimTurn(id, owner, isOwnerAlive)
    for (const id of named) {
      await store.delete(id)
      context.stdout.write(`Deleted ${id}\n`)
    }
  })
}

function requireId(id: string): SessionID {
  if (!isId('session', id)) throw createNotFound(id)
  return id
}

function createNotFound(id: string): SessionError {
  return new SessionError(
    'not-found',
    `There is no session "${id}". "deckhand session list" shows those that there are.`,
    { id },
  )
}
