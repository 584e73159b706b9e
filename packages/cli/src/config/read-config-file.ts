import { createHash } from 'node:crypto'
import { readFileSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { ConfigError } from '@deckhand/core'
import { type ConfigFile, parseConfigFile } from './config-file.ts'
import { listPlugins, markPlugin, type PluginPlaces } from './plugin-entry.ts'

/**
 * Reads files; all of them before anything is said, so that a person mends them in one go. Throws ConfigError that lists
 * every problem of every file.
 */
export function readConfigFiles(paths: readonly (string | undefined)[]): (ReadFile | undefined)[] {
  const errors: ConfigError[] = []
  const files = paths.map(path => {
    try {
      return path === undefined ? undefined : readConfigFile(path)
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      errors.push(error)
      return undefined
    }
  })
  const [first, ...others] = errors
  if (!first) return files
  if (others.length === 0) throw first
  throw new ConfigError(first.code, errors.map(({ message }) => message).join('\n'), {
    files: errors.map(({ data }) => data),
  })
}

/** A file, and by what it is known again. */
export interface ReadFile extends ConfigFile {
  readonly realPath: string
  /** Of its content, in hexadecimal. */
  readonly sha256: string
}

/** A project's file with what its plugins hold: it stops being trusted when one of them changes, as it does itself. */
interface ProjectFile extends ReadFile {
  readonly pluginMarks: readonly string[]
}

export function markPlugins(file: ReadFile, places: PluginPlaces): ProjectFile {
  const pluginMarks = listPlugins(file).map(entry => markPlugin(entry, places))
  if (pluginMarks.length === 0) return { ...file, pluginMarks }
  const sha256 = createHash('sha256')
    .update([file.sha256, ...pluginMarks].join())
    .digest('hex')
  return { ...file, sha256, pluginMarks }
}

function readConfigFile(path: string): ReadFile {
  const { content, realPath } = readContent(path)
  const file = parseConfigFile(path, content.toString('utf8').replace(/^\uFEFF/, ''))
  return {
    ...file,
    values: anchorReferences(file.values, dirname(path)) as ConfigFile['values'],
    realPath,
    sha256: createHash('sha256').update(content).digest('hex'),
  }
}

function readContent(path: string): { readonly content: Buffer; readonly realPath: string } {
  try {
    return { content: readFileSync(path), realPath: realpathSync(path) }
  } catch (error) {
    throw new ConfigError(
      'unreadable',
      `${path} can't be read: ${(error as Error).message}.`,
      { file: path },
      { cause: error },
    )
  }
}

/** `{file:PATH}` is relative to the file that says it; it stays a reference. */
function anchorReferences(value: unknown, directory: string): unknown {
  if (typeof value === 'string') {
    return value.replace(/\{file:([^}]+)\}/g, (whole, path: string) =>
      isAbsolute(path) || /^~[\\/]/.test(path) ? whole : `{file:${join(directory, path)}}`,
    )
  }
  if (Array.isArray(value)) return value.map(item => anchorReferences(item, directory))
  if (!isMap(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, anchorReferences(inner, directory)]))
}

export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
