import { readFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { ConfigError, messageOf } from '@deckhand/core'
import type { Environment } from './local-servers.ts'

export interface ReferenceContext {
  readonly env: Environment
  /** For `{file:~/…}`. */
  readonly home?: string
  /** For relative paths in `{file:…}`: the folder of the configuration. */
  readonly directory: string
}

export interface Resolved<T> {
  readonly value: T
  /** What came out of references: not to be shown anywhere. */
  readonly secrets: readonly string[]
}

const reference = /\{(env|file):([^}]+)\}/g

/**
 * Puts the values of `{env:NAME}` and `{file:PATH}` into every text of a value. ConfigError `missing-secret` that
 * names the variable or the file, and the place of the reference; never a value.
 */
export async function resolveReferences<T>(value: T, place: string, context: ReferenceContext): Promise<Resolved<T>> {
  const secrets: string[] = []
  const walk = async (item: unknown, at: string): Promise<unknown> => {
    if (typeof item === 'string') return fill(item, at)
    if (Array.isArray(item)) return Promise.all(item.map((entry, index) => walk(entry, `${at}[${index}]`)))
    if (typeof item !== 'object' || item === null) return item
    const entries = Object.entries(item).map(async ([key, entry]) => [key, await walk(entry, `${at}.${key}`)] as const)
    return Object.fromEntries(await Promise.all(entries))
  }
  const fill = async (text: string, at: string): Promise<string> => {
    let result = text
    for (const [whole, kind, name = ''] of text.matchAll(reference)) {
      const secret = kind === 'env' ? readVariable(name, at, context) : await readSecretFile(name, at, context)
      secrets.push(secret)
      result = result.replaceAll(whole, () => secret)
    }
    return result
  }
  return { value: (await walk(value, place)) as T, secrets }
}

/** The first reference in a text, as a person would look for it: `OPENAI_API_KEY`, `~/.keys/openai`. */
export function describeReference(text: string | undefined): string | undefined {
  return text === undefined ? undefined : new RegExp(reference.source).exec(text)?.[2]
}

function readVariable(name: string, place: string, { env }: ReferenceContext): string {
  const value = env[name]
  if (value) return value
  throw new ConfigError(
    'missing-secret',
    `${place} refers to the environment variable ${name}, which is ${value === undefined ? 'not set' : 'empty'}. Set it, or change the reference.`,
    { variable: name, place },
  )
}

async function readSecretFile(name: string, place: string, context: ReferenceContext): Promise<string> {
  const path = resolvePath(name, context)
  let text: string
  try {
    text = (await readFile(path, 'utf8')).trim()
  } catch (error) {
    throw new ConfigError(
      'missing-secret',
      `${place} refers to the file ${name}, which can't be read: ${messageOf(error)}.`,
      { file: name, place },
      {
        cause: error,
      },
    )
  }
  if (text !== '') return text
  throw new ConfigError('missing-secret', `${place} refers to the file ${name}, which is empty.`, { file: name, place })
}

function resolvePath(name: string, { home, directory }: ReferenceContext): string {
  if (home !== undefined && /^~[/\\]/.test(name)) return join(home, name.slice(2))
  return isAbsolute(name) ? name : join(directory, name)
}
