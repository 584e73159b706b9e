import { resolve } from 'node:path'
import { ConfigError, type Rule } from '@deckhand/core'
import { z } from 'zod'
import type { CliContext } from '../cli-context.ts'
import { describeRuleLine } from '../permission/describe-rules.ts'
import { loadFolderConfig } from '../permission/project-trust.ts'
import { neutralise } from '../terminal/neutralise.ts'
import { configSchema } from './config-schema.ts'
import { hideSecrets } from './hide-secrets.ts'
import { type LoadedConfig, listKeys } from './load-config.ts'

interface FolderOption {
  readonly dir?: string
}

function load({ dir }: FolderOption, context: CliContext): Promise<LoadedConfig> {
  return loadFolderConfig(resolve(context.cwd, dir ?? '.'), context)
}

/** Prints each value with its source. Keys and tokens that stand in a file in plain are never shown. */
export async function showConfig(
  options: FolderOption & { readonly json?: boolean },
  context: CliContext,
): Promise<void> {
  const loaded = await load(options, context)
  context.stdout.write(options.json ? `${JSON.stringify(toJson(loaded), null, 2)}\n` : describeConfig(loaded))
}

function toJson({ config, rules, agentRules, instructions, plugins, sources, files, notices }: LoadedConfig) {
  return {
    config: hideSecrets(config),
    sources: Object.fromEntries(sources),
    rules,
    agentRules: Object.fromEntries(agentRules),
    instructions,
    plugins: hideSecrets(plugins),
    files,
    notices,
  }
}

/**
 * One line per value: key, value, and the file or "default"; then what is added up over the files, in the order in
 * which it counts.
 */
export function describeConfig(loaded: LoadedConfig): string {
  const { files, notices, rules } = loaded
  const read =
    files.length === 0
      ? ['No configuration file was found; all values are defaults.']
      : ['Files, the later ones win:', ...files.map(file => `  ${file}`)]
  const sections = [
    read,
    describeValues(loaded),
    describeInstructionEntries(loaded),
    describePluginEntries(loaded),
    ['Permission rules, the last match wins:', ...rules.map(rule => `  ${describeRuleLine(rule)}`)],
    ...[...loaded.agentRules].map(([name, own]) => describeAgentRules(name, own)),
    notices,
  ]
  const text = sections.filter(section => section.length > 0).map(section => section.join('\n'))
  return `${neutralise(text.join('\n\n'))}\n`
}

function describeAgentRules(name: string, rules: readonly Rule[]): string[] {
  return rules.length === 0
    ? []
    : [`Then those of the agent ${name}:`, ...rules.map(rule => `  ${describeRuleLine(rule)}`)]
}

function describeValues({ config, sources }: LoadedConfig): string[] {
  const { permission: _, instructions: __, plugins: ___, ...values } = hideSecrets(config)
  return listKeys(values)
    .filter(key => !/^agent\..*\.permission(\.|$)/.test(key))
    .sort()
    .map(key => `${key} = ${JSON.stringify(valueAt(values, key))}  (${sources.get(key) ?? 'default'})`)
}

function describeInstructionEntries({ instructions }: LoadedConfig): string[] {
  if (instructions.length === 0) return []
  return ['Instructions:', ...instructions.map(({ entry, directory }) => `  ${entry}  (of ${directory})`)]
}

function describePluginEntries({ plugins }: LoadedConfig): string[] {
  if (plugins.length === 0) return []
  return ['Plugins, in the order of their hooks:', ...plugins.map(({ path, file }) => `  ${path}  (of ${file})`)]
}

// Keys of maps may hold dots themselves, so names are tried until one leads to the end.
function valueAt(value: unknown, key: string): unknown {
  if (key === '') return value
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, inner] of Object.entries(value)) {
    if (key === name) return inner
    const found = key.startsWith(`${name}.`) ? valueAt(inner, key.slice(name.length + 1)) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** Says whether all files can be used; gives the exit code: 0, or 2 when one can't. */
export async function checkConfig(options: FolderOption, context: CliContext): Promise<number> {
  try {
    const { files, notices } = await load(options, context)
    const found =
      files.length === 0 ? 'No configuration file was found; nothing to check.' : `${files.join('\n')}\nNothing wrong.`
    context.stdout.write(`${neutralise([...notices, found].join('\n'))}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    context.stderr.write(`${neutralise(error.message)}\n`)
    return 2
  }
}

/** Prints the JSON Schema of `deckhand.json`. */
export function printConfigSchema({ stdout }: CliContext): void {
  stdout.write(`${JSON.stringify(createConfigJsonSchema(), null, 2)}\n`)
}

/** For editors: what may stand in `deckhand.json`, with defaults and a sentence for each. */
export function createConfigJsonSchema(): Readonly<Record<string, unknown>> {
  return { ...z.toJSONSchema(configSchema, { io: 'input', target: 'draft-7' }), title: 'deckhand.json' }
}
