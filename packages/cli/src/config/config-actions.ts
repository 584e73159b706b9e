import { resolve } from 'node:path'
import { ConfigError } from '@deckhand/core'
import { z } from 'zod'
import type { CliContext } from '../cli-context.ts'
import { configSchema } from './config-schema.ts'
import { type LoadedConfig, listKeys, loadConfig } from './load-config.ts'

interface FolderOption {
  readonly dir?: string
}

function load({ dir }: FolderOption, { cwd, env, home }: CliContext): LoadedConfig {
  return loadConfig({ directory: resolve(cwd, dir ?? '.'), env, home })
}

/** Prints each value with its source. Keys and tokens that stand in a file in plain are never shown. */
export function showConfig(options: FolderOption & { readonly json?: boolean }, context: CliContext): void {
  const loaded = load(options, context)
  context.stdout.write(options.json ? `${JSON.stringify(toJson(loaded), null, 2)}\n` : describeConfig(loaded))
}

function toJson({ config, sources, files, notices }: LoadedConfig) {
  return { config: hideSecrets(config), sources: Object.fromEntries(sources), files, notices }
}

/** One line per value: key, value, and the file or "default". */
export function describeConfig({ config, sources, files, notices }: LoadedConfig): string {
  const shown = hideSecrets(config)
  const lines = listKeys(shown)
    .sort()
    .map(key => `${key} = ${JSON.stringify(valueAt(shown, key))}  (${sources.get(key) ?? 'default'})`)
  const read =
    files.length === 0
      ? ['No configuration file was found; all values are defaults.']
      : ['Files, the later ones win:', ...files.map(file => `  ${file}`)]
  return `${[...read, '', ...lines, ...(notices.length > 0 ? ['', ...notices] : [])].join('\n')}\n`
}

// Keys of maps may hold dots themselves, so the longest match is taken at each level.
function valueAt(value: unknown, key: string): unknown {
  if (key === '') return value
  const map = value as Record<string, unknown>
  const own = Object.keys(map).find(name => key === name || key.startsWith(`${name}.`))
  return own === undefined ? undefined : valueAt(map[own], key.slice(own.length + 1))
}

const secretName = /(key|token|secret|password|authorization|cookie)$/i

/** References such as `{env:NAME}` are shown; a secret that stands in plain is not. */
function hideSecrets<Value>(value: Value): Value {
  return JSON.parse(
    JSON.stringify(value, (name, inner) =>
      typeof inner === 'string' && secretName.test(name) && !/^\{(env|file):[^}]*\}$/.test(inner) ? '(hidden)' : inner,
    ),
  )
}

/** Says whether all files can be used; gives the exit code: 0, or 2 when one can't. */
export function checkConfig(options: FolderOption, context: CliContext): number {
  try {
    const { files, notices } = load(options, context)
    context.stdout.write(
      `${[...notices, files.length === 0 ? 'No configuration file was found; nothing to check.' : `${files.join('\n')}\nNothing wrong.`].join('\n')}\n`,
    )
    return 0
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    context.stderr.write(`${error.message}\n`)
    return 2
  }
}

/** Prints the JSON Schema of `deckhand.json`. */
export function printConfigSchema({ stdout }: CliContext): void {
  const schema = z.toJSONSchema(configSchema, { io: 'input', target: 'draft-7' })
  stdout.write(`${JSON.stringify({ ...schema, title: 'deckhand.json' }, null, 2)}\n`)
}
