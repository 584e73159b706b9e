import { type Clock, systemClock } from '@deckhand/core'

/** What the program is given by the world: the only place where it is read is `createCliContext`. */
export interface CliContext {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly cwd: string
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  readonly clock: Clock
  readonly version: string
  readonly fetch: typeof fetch
}

declare const __DECKHAND_VERSION__: string | undefined

/** The program's version; `dev` when run from source. */
export const version = typeof __DECKHAND_VERSION__ === 'string' ? __DECKHAND_VERSION__ : 'dev'

/** Reads it from the running process. Throws when the current folder is gone. */
export function createCliContext(home: string): CliContext {
  return {
    env: process.env,
    home,
    cwd: process.cwd(),
    get stdin() {
      return process.stdin
    },
    stdout: process.stdout,
    stderr: process.stderr,
    clock: systemClock,
    version,
    fetch: globalThis.fetch,
  }
}
