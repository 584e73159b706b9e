import { statSync } from 'node:fs'
import { createId, isId, type Session, SessionError, type SessionStore, UsageError } from '@deckhand/core'
import type { CliContext } from '../cli-context.ts'
import { resolveFolder } from './request.ts'
import type { RunOptions } from './run-options.ts'

export interface FoundSession {
  readonly session: Session
  readonly notices: readonly string[]
  /** Is there a session of this id already? */
  readonly isStored: boolean
  /** Stores what is new of it (the session, the copy, the folder); to be called when nothing else can go wrong. */
  save(): Promise<void>
}

/**
 * The session of a run: a new one, the one named, the folder's last, or a copy. It works in its own folder wherever
 * the command was typed, unless --dir names another. Nothing is stored yet, so that a run that can't begin leaves
 * nothing behind. Throws SessionError `not-found` or UsageError.
 */
export async function findSession(
  options: RunOptions,
  prompt: string,
  store: SessionStore,
  context: CliContext,
): Promise<FoundSession> {
  const before = await findBefore(options, store, context)
  if (!before) return startSession(options, prompt, store, context)
  const { directory, notices } = settleFolder(before, options, context)
  const session = { ...before, directory }
  if (!options.fork) return { session, notices, isStored: true, save: () => saveFolder(before, directory, store) }
  const copy = createCopy(session, options, context)
  return { session: copy, notices, isStored: false, save: () => store.fork(before.id, copy) }
}

function startSession(options: RunOptions, prompt: string, store: SessionStore, context: CliContext): FoundSession {
  const now = context.clock.now()
  const session: Session = {
    id: createId('session', now),
    title: options.title ?? titleOf(prompt, options),
    directory: resolveFolder(options.dir ?? '.', context.cwd),
    time: { created: now, updated: now },
  }
  return { session, notices: [], isStored: false, save: () => store.create(session) }
}

function createCopy(session: Session, { title = session.title }: RunOptions, { clock }: CliContext): Session {
  const now = clock.now()
  return { ...session, id: createId('session', now), parentID: session.id, title, time: { created: now, updated: now } }
}

async function saveFolder({ id, directory: old }: Session, directory: string, store: SessionStore): Promise<void> {
  if (directory !== old) await store.append(id, [{ type: 'session.updated', changes: { directory } }])
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

function settleFolder(
  { directory: old }: Session,
  { dir }: RunOptions,
  { cwd }: CliContext,
): { readonly directory: string; readonly notices: readonly string[] } {
  if (dir !== undefined) {
    const directory = resolveFolder(dir, cwd)
    return { directory, notices: directory === old ? [] : [`The session moves from ${old} to ${directory}.`] }
  }
  if (!statSync(old, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`The session's folder ${old} is gone. Go on in another one with --dir.`)
  }
  const isElsewhere = resolveFolder('.', cwd) !== old
  return { directory: old, notices: isElsewhere ? [`The session works in its own folder, ${old}.`] : [] }
}

const maxTitleLength = 60

function titleOf(prompt: string, { file = [] }: RunOptions): string {
  const line = (prompt.trim().split('\n')[0] ?? '').trim() || file.join(', ')
  return line.length > maxTitleLength ? `${line.slice(0, maxTitleLength - 1)}…` : line
}
