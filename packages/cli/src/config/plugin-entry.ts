// Which plugins the files name. Loading them is running code, and is done elsewhere: plugin/load-plugins.ts.
import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { ConfigError } from '@deckhand/core'
import { z } from 'zod'

export const defaultHookTimeoutMs = 5_000
const maxHookTimeoutMs = 600_000

const pathSchema = z.string({ error: 'must be a path' }).min(1, { error: 'must be a path' })
const limitError = { error: `must be a whole number from 1 to ${maxHookTimeoutMs}` }

const pluginObject = z.strictObject({
  path: pathSchema.describe('Its file.'),
  options: z.record(z.string(), z.unknown()).optional().describe('Handed to the plugin.'),
  timeoutMs: z
    .number(limitError)
    .int(limitError)
    .min(1, limitError)
    .max(maxHookTimeoutMs, limitError)
    .optional()
    .describe('How long one of its hooks may take.'),
})

/** The section `plugins`. */
export const pluginsSchema = z.array(
  z.union([pathSchema, pluginObject], { error: 'must be a path, or an object with path, options and timeoutMs' }),
  { error: 'must be a list of paths, or of objects with path, options and timeoutMs' },
)

/** A plugin as a file names it. */
export interface PluginEntry {
  /** As it is written there. */
  readonly path: string
  /** References in it are not filled in. */
  readonly options: Readonly<Record<string, unknown>>
  readonly timeoutMs: number
  /** The configuration file. */
  readonly file: string
}

interface FileValues {
  readonly path: string
  readonly values: Readonly<Record<string, unknown>>
}

/** The plugins that a file names, in its order. */
export function listPlugins({ path: file, values }: FileValues): readonly PluginEntry[] {
  return pluginsSchema.parse(values.plugins ?? []).map(entry => {
    const { path, options = {}, timeoutMs = defaultHookTimeoutMs } = typeof entry === 'string' ? { path: entry } : entry
    return { path, options, timeoutMs, file }
  })
}

export interface PluginPlaces {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
}

/** The absolute path of a plugin's file. Throws ConfigError `missing-secret` where a variable in it is not set. */
export function resolvePluginPath({ path, file }: PluginEntry, { env, home }: PluginPlaces): string {
  const filled = path.replace(/\{env:([^}]+)\}/g, (_, name: string) => {
    const value = env[name]
    if (value) return value
    throw new ConfigError(
      'missing-secret',
      `${file}: plugins names ${path}, and the environment variable ${name} is not set. Set it, or change the path.`,
      { variable: name, file },
    )
  })
  if (/^~[\\/]/.test(filled)) return join(home, filled.slice(2))
  return isAbsolute(filled) ? filled : join(dirname(file), filled)
}

/** By what the content of a plugin's file is known again; "missing" where there is none. Nothing of it is run. */
export function markPlugin(entry: PluginEntry, places: PluginPlaces): string {
  try {
    return createHash('sha256')
      .update(readRegularFile(resolvePluginPath(entry, places)))
      .digest('hex')
  } catch {
    // What can't be read can't be loaded either, and loading says why.
    return 'missing'
  }
}

// A project that nobody trusts may name anything: a pipe would never end.
function readRegularFile(path: string): Buffer {
  const found = statSync(path)
  if (!found.isFile()) throw new Error(`${path} is no file.`)
  const content = Buffer.alloc(found.size)
  const file = openSync(path, 'r')
  try {
    return content.subarray(0, readSync(file, content, 0, found.size, 0))
  } finally {
    closeSync(file)
  }
}
