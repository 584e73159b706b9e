import { isAbsolute, join, resolve } from 'node:path'

/** Where Deckhand keeps things. Nothing is made by asking; who makes a folder makes it 0700. */
export interface Places {
  /** The user's configuration: `deckhand.jsonc`, `AGENTS.md`. */
  readonly configDirectory: string
  /** The database, logs of commands, cassettes. */
  readonly dataDirectory: string
  readonly databaseFile: string
  /** What can be made again. `bin/deckhand.js` keeps compiled code in it, and knows the same rules. */
  readonly cacheDirectory: string
  /** OpenCode's own user configuration, read where there is none of ours; never with `DECKHAND_HOME`. */
  readonly opencodeConfigDirectory?: string
}

type Environment = Readonly<Record<string, string | undefined>>

/** `DECKHAND_HOME` moves all of it; else the XDG folders, where they are absolute as their specification asks. */
export function resolvePlaces(env: Environment, home: string): Places {
  return env.DECKHAND_HOME ? placesIn(resolve(env.DECKHAND_HOME)) : xdgPlaces(env, home)
}

function placesIn(own: string): Places {
  return { configDirectory: own, ...dataIn(join(own, 'data')), cacheDirectory: join(own, 'cache') }
}

function xdgPlaces(env: Environment, home: string): Places {
  const configHome = resolveXdg(env.XDG_CONFIG_HOME, join(home, '.config'))
  return {
    configDirectory: join(configHome, 'deckhand'),
    ...dataIn(join(resolveXdg(env.XDG_DATA_HOME, join(home, '.local/share')), 'deckhand')),
    cacheDirectory: join(resolveXdg(env.XDG_CACHE_HOME, join(home, '.cache')), 'deckhand'),
    opencodeConfigDirectory: join(configHome, 'opencode'),
  }
}

function dataIn(dataDirectory: string): Pick<Places, 'dataDirectory' | 'databaseFile'> {
  return { dataDirectory, databaseFile: join(dataDirectory, 'deckhand.db') }
}

// The specification: "All paths must be absolute. If an implementation encounters a relative path it should consider the path invalid and ignore it."
function resolveXdg(value: string | undefined, fallback: string): string {
  return value && isAbsolute(value) ? value : fallback
}
