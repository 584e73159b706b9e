// Loads what `plugins` in the configuration names: other people's code, which runs as a part of Deckhand from then on.
import { statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { resolveReferences } from '@deckhand/agent'
import {
  type Clock,
  ConfigError,
  type InstalledPlugin,
  messageOf,
  type Plugin,
  type PluginContext,
  type PluginFactory,
  parsePlugin,
} from '@deckhand/core'
import { type PluginEntry, resolvePluginPath } from '../config/plugin-entry.ts'

/** A plugin that is ready, and where it came from. */
export interface LoadedPlugin extends InstalledPlugin {
  readonly path: string
}

export interface PluginSurroundings {
  /** Absolute path of the session's folder. */
  readonly directory: string
  /** Of the repository. */
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly clock: Clock
  readonly signal?: AbortSignal
}

/**
 * Loads them in their order. Throws ConfigError that names the file and what is wrong with it: a plugin may be there to
 * prevent things, so that nothing goes on without it. Rejects with the signal's reason when that comes first.
 */
export async function loadPlugins(
  entries: readonly PluginEntry[],
  surroundings: PluginSurroundings,
): Promise<readonly LoadedPlugin[]> {
  const loaded: LoadedPlugin[] = []
  for (const entry of entries) {
    const plugin = await loadPlugin(entry, surroundings)
    const same = loaded.find(each => each.plugin.name === plugin.plugin.name)
    if (same) {
      const { name } = plugin.plugin
      throw createError(entry, `${plugin.path} and ${same.path} are both called ${name}. Take one of them out.`)
    }
    loaded.push(plugin)
  }
  return loaded
}

async function loadPlugin(entry: PluginEntry, surroundings: PluginSurroundings): Promise<LoadedPlugin> {
  const path = resolvePluginPath(entry, surroundings)
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) throw createError(entry, `there is no file ${path}. Mend the path, or take it out.`)
  if (!found.isFile()) throw createError(entry, `${path} is no file. Name the plugin's own file, such as plugin.ts.`)
  const options = { entry, surroundings, path }
  // A file that was mended is another one: a server goes on, and would be given the old one.
  const url = `${pathToFileURL(path).href}?changed=${found.mtimeMs}`
  const module = await withinLimit(() => import(url) as Promise<Readonly<Record<string, unknown>>>, options)
  if (module.default === undefined) throw createError(entry, `${path} has no default export. ${howToWrite}`)
  const made =
    typeof module.default === 'function' ? await callFactory(module.default as PluginFactory, options) : module.default
  const parsed = parsePlugin(made)
  if ('plugin' in parsed) return { plugin: parsed.plugin, timeoutMs: entry.timeoutMs, path }
  throw createError(entry, `${path} is no plugin: ${parsed.problems.join('; ')}. ${howToWrite}`)
}

const howToWrite = 'docs/plugins.md shows how one is written.'

interface Loading {
  readonly entry: PluginEntry
  readonly surroundings: PluginSurroundings
  readonly path: string
}

async function callFactory(create: PluginFactory, loading: Loading): Promise<Plugin> {
  const { entry, surroundings } = loading
  const { directory, root, env, home } = surroundings
  // `{file:PATH}` was made absolute when the configuration was read.
  const { value } = await resolveReferences(entry.options, `${entry.file}: the options of ${entry.path}`, {
    env,
    home,
    directory,
  })
  const context: PluginContext = Object.freeze({ directory, root, options: value })
  return withinLimit(async () => create(context), loading)
}

async function withinLimit<Value>(
  act: () => Promise<Value>,
  { entry, surroundings: { clock, signal = new AbortController().signal }, path }: Loading,
): Promise<Value> {
  const over = new AbortController()
  const limit = clock.sleep(entry.timeoutMs, AbortSignal.any([signal, over.signal])).then(() => {
    throw createError(entry, `${path} was not ready within ${entry.timeoutMs / 1000} s.`)
  })
  try {
    return await Promise.race([act(), limit])
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ConfigError) throw error
    throw createError(entry, `${path} can't be loaded: ${describeLoadError(error)}.`, error)
  } finally {
    over.abort()
  }
}

// Where code can't be read, the place stands at the beginning of the stack and nowhere else.
function describeLoadError(error: unknown): string {
  const stack = error instanceof SyntaxError ? error.stack : undefined
  const [, line] = /^[^\n]*:(\d+)\n/.exec(stack ?? '') ?? []
  const words = messageOf(error)
    .replace(/\?changed=[\d.]+/g, '')
    .replace(/\.$/, '')
  return line === undefined ? words : `${words} (line ${line})`
}

function createError({ file, path }: PluginEntry, words: string, cause?: unknown): ConfigError {
  return new ConfigError('plugin', `${file}: plugins names ${path}: ${words}`, { file, path }, { cause })
}
