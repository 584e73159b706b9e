import { statSync } from 'node:fs'
import { createId, isId, type Session, SessionError, type SessionStore, UsageError } from '@deckhand/core'
import type { CliContext } from '../cli-context.ts'
import { resolveFolder } from './request.ts'
import type { RunOptions } from './run-options.ts'

export interface FoundSession {
  readonly session: Session
  readonly isNew: boolean
  readonly notices: readonly string[]
}

/**
 * The session of a run: a new one, the one named, the folder's last, or a copy. It works in its own folder wherever
 * the command was typed, unless --dir names another. Throws SessionError `not-found` or UsageError.
 */
export async function findSession(
  options: RunOptions,
  prompt: string,
  store: SessionStore,
  context: CliContext,
): Promise<FoundSession> {
  const before = await findBefore(options, store, context)
  if (!before) return startSession(options, prompt, store, context)
  const { session, notices } = await settleFolder(before, options, store, context)
  if (!options.fork) return { session, isNew: false, notices }
  const now = context.clock.now()
  const copy: Session = {
    ...session,
    id: createId('session', now),
    parentID: session.id,
    title: options.title ?? session.title,
    time: { created: now, updated: now },
  }
  await store.fork(session.id, copy)
  return { session: copy, isNew: false, notices }
}

async function startSession(
  options: RunOptions,
  prompt: string,
  store: SessionStore,
  context: CliContext,
): Promise<FoundSession> {
  const now = context.clock.now()
  const directory = resolveFolder(options.dir ?? '.', context.cwd)
  const session: Session = {
    id: createId('session', now),
    title: options.title ?? titleOf(prompt, options),
    directory,
    time: { created: now, updated: now },
  }
  await store.create(session)
  return { session, isNew: true, notices: [] }
}

async function findBefore(options: RunOptions, store: SessionStore, context: CliContext): Promise<Session | undefined> {
  if (options.session !== undefined) return findNamed(options.session, store)
  if (!options.continue) return undefined
  const directory = resolveFolder(options.dir ?? '.', context.cwd)
  const [last] = await store.list({ directory, limit: 1 })
  if (!last)
    throw new SessionError(
      'not-found',
      `${directory} has no session to continue. Start one without --continue, or name one of "deckhand session list" with --session.`,
    )
  return last
}

async function findNamed(id: string, store: SessionStore): Promise<Session> {
  const session = isId('session', id) ? await store.get(id) : undefined
  if (session) return session
  throw new SessionError(
    'not-found',
    `There is no session "${id}". "deckhand session list" shows those that there are.`,
    { id },
  )
}

async function settleFolder(
  session: Session,
  options: RunOptions,
  store: SessionStore,
  context: CliContext,
): Promise<FoundSession> {
  if (options.dir !== undefined) {
    const directory = resolveFolder(options.dir, context.cwd)
    if (directory === session.directory) return { session, isNew: false, notices: [] }
    if (!options.fork) await store.append(session.id, [{ type: 'session.updated', changes: { directory } }])
    return {
      session: { ...session, directory },
      isNew: false,
      notices: [`The session moves from ${session.directory} to ${directory}.`],
    }
  }
  if (!statSync(session.directory, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`The session's folder ${session.directory} is gone. Go on in another one with --dir.`)
  }
  const isElsewhere = resolveFolder('.', context.cwd) !== session.directory
  return {
    session,
    isNew: false,
    notices: isElsewhere ? [`The session works in its own folder, ${session.directory}.`] : [],
  }
}

const maxTitleLength = 60

function titleOf(prompt: string, { file = [] }: RunOptions): string {
  const line = (prompt.trim().split('\n')[0] ?? '').trim() || file.join(', ')
  return line.length > maxTitleLength ? `${line.slice(0, maxTitleLength - 1)}…` : line
}
