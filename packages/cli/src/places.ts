import { isAbsolute, join, resolve } from 'node:path'

/** Where Deckhand keeps things. Nothing is made by asking. */
export interface Places {
  /** The user's configuration: `deckhand.jsonc`, `AGENTS.md`. */
  readonly configDirectory: string
  /** The database, logs of commands, cassettes: 0700. */
  readonly dataDirectory: string
  readonly databaseFile: string
  /** What can be made again. */
  readonly cacheDirectory: string
  /** OpenCode's own user configuration, read where there is none of ours. */
  readonly opencodeConfigDirectory: string
}

type Environment = Readonly<Record<string, string | undefined>>

/** `DECKHAND_HOME` moves all of it; else the XDG folders, where they are absolute as their specification asks. */
export function resolvePlaces(env: Environment, home: string): Places {
  const configHome = resolveXdg(env.XDG_CONFIG_HOME, join(home, '.config'))
  const own = env.DECKHAND_HOME ? resolve(env.DECKHAND_HOME) : undefined
  const dataDirectory = own
    ? join(own, 'data')
    : join(resolveXdg(env.XDG_DATA_HOME, join(home, '.local/share')), 'deckhand')
  return {
    configDirectory: own ?? join(configHome, 'deckhand'),
    dataDirectory,
    databaseFile: join(dataDirectory, 'deckhand.db'),
    cacheDirectory: own ? join(own, 'cache') : join(resolveXdg(env.XDG_CACHE_HOME, join(home, '.cache')), 'deckhand'),
    opencodeConfigDirectory: join(configHome, 'opencode'),
  }
}

// The specification: "All paths must be absolute. If an implementation encounters a relative path it should consider the path invalid and ignore it."
function resolveXdg(value: string | undefined, fallback: string): string {
  return value && isAbsolute(value) ? value : fallback
}
