import type { McpSession } from './mcp-options.ts'
import { type AskRoots, type FoundFolders, isSameFolders } from './workspace-folders.ts'

export interface HolderOptions {
  findFolders(askRoots: AskRoots): Promise<FoundFolders>
  open(folders: FoundFolders): Promise<McpSession>
  /** A session could not be closed cleanly. */
  onCloseError(error: unknown): void
}

/** A session in use: it stays open until `release`. */
export interface SessionLease {
  readonly session: McpSession
  readonly folders: FoundFolders
  release(): void
}

/** Keeps the session of the client's workspace: one at a time for new calls, old ones until their calls have ended. */
export interface SessionHolder {
  /** Opens the session on the first call. Rejects with what `open` threw; the next call tries again. */
  acquire(askRoots: AskRoots): Promise<SessionLease>
  /** Asks for the folders anew; other folders mean a new session for the calls to come. */
  renew(askRoots: AskRoots): Promise<void>
  /** Closes every session, whatever still runs in it. */
  close(): Promise<void>
}

interface Held {
  readonly session: McpSession
  folders: FoundFolders
  users: number
  isRetired: boolean
  closing?: Promise<void>
}

/** Makes a holder; nothing is opened before it is needed. */
export function createSessionHolder({ findFolders, open, onCloseError }: HolderOptions): SessionHolder {
  const all = new Set<Held>()
  let current: Promise<Held> | undefined
  let isClosed = false

  async function findCurrent(askRoots: AskRoots): Promise<Held> {
    for (;;) {
      const found = current ?? become(replace(undefined, askRoots))
      const held = await found
      if (!held.folders.isProvisional || typeof askRoots !== 'function') return held
      // Of several calls that find it provisional, the first asks for all.
      if (current === found) become(replace(held, askRoots))
    }
  }

  // A failure is not kept: the person may mend the configuration and go on.
  function become(next: Promise<Held>): Promise<Held> {
    current = next
    next.catch(() => {
      if (current === next) current = undefined
    })
    return next
  }

  async function replace(before: Held | undefined, askRoots: AskRoots): Promise<Held> {
    const folders = await findFolders(askRoots)
    if (before && isSameFolders(before.folders, folders)) {
      before.folders = folders
      return before
    }
    const held = await start(folders)
    if (before) retire(before)
    return held
  }

  async function start(folders: FoundFolders): Promise<Held> {
    const held: Held = { session: await open(folders), folders, users: 0, isRetired: false }
    all.add(held)
    if (isClosed) retire(held)
    return held
  }

  function retire(held: Held): void {
    held.isRetired = true
    closeWhenIdle(held)
  }

  function closeWhenIdle(held: Held): void {
    if (held.isRetired && held.users === 0) void closeHeld(held)
  }

  function closeHeld(held: Held): Promise<void> {
    held.closing ??= held.session
      .close()
      .catch(onCloseError)
      .finally(() => all.delete(held))
    return held.closing
  }

  return {
    async acquire(askRoots) {
      const held = await findCurrent(askRoots)
      held.users++
      const release = () => {
        held.users--
        closeWhenIdle(held)
      }
      return { session: held.session, folders: held.folders, release }
    },
    async renew(askRoots) {
      const before = current
      await become((async () => replace(await before?.catch(() => undefined), askRoots))())
    },
    async close() {
      isClosed = true
      await Promise.all([...all].map(closeHeld))
    },
  }
}
