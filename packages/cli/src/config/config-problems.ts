import { findCloseNames } from '@deckhand/agent'
import { ConfigError, parseRules } from '@deckhand/core'
import { z } from 'zod'
import { configSchema, laterOptions, otherNames } from './config-schema.ts'
import { hideSecrets } from './hide-secrets.ts'

/** Something in a file that can't be used. */
export interface ConfigProblem {
  readonly place: readonly PropertyKey[]
  /** A sentence without its full stop. */
  readonly words: string
}

/** All that is wrong with a file's values, in words; empty when they can be used. */
export function findConfigProblems(values: Readonly<Record<string, unknown>>): readonly ConfigProblem[] {
  const parsed = configSchema.safeParse(values)
  const issues = parsed.success ? [] : parsed.error.issues
  return [
    ...issues.filter(({ path }) => !isOfRules(path)).flatMap(issue => describeIssue(issue, values)),
    ...findPermissionProblems(values.permission, []),
    ...agentsOf(values).flatMap(([name, agent]) => findPermissionProblems(agent.permission, ['agent', name])),
    ...findPrototypeKeys(values, []),
  ]
}

function isOfRules(path: readonly PropertyKey[]): boolean {
  return path[0] === 'permission' || (path[0] === 'agent' && path[2] === 'permission')
}

function agentsOf({ agent }: Readonly<Record<string, unknown>>): [string, Readonly<Record<string, unknown>>][] {
  return Object.entries(isMap(agent) ? agent : {}).flatMap(([name, own]) => (isMap(own) ? [[name, own]] : []))
}

function describeIssue(issue: z.core.$ZodIssue, values: unknown): ConfigProblem[] {
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.filter(key => key !== '__proto__')
    return keys.map(key => ({ place: [...issue.path, key], words: describeUnknown(key, issue.path) }))
  }
  const wanted = /^must /.test(issue.message) ? issue.message : `is wrong (${issue.message})`
  return [{ place: issue.path, words: `${issue.path.join('.')} ${wanted}; it is ${describeValue(values, issue.path)}` }]
}

const maxValueLength = 80

/** What stands at a place, without secrets and not endless. */
function describeValue(values: unknown, place: readonly PropertyKey[]): string {
  const found = place.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    hideSecrets(values),
  )
  const text = JSON.stringify(found) ?? 'missing'
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text
}

function describeUnknown(key: string, path: readonly PropertyKey[]): string {
  const place = [...path, key].join('.')
  const renamed = path.length === 0 && Object.hasOwn(otherNames, key) ? otherNames[key] : undefined
  if (renamed) return `${place} is called ${renamed} here`
  if (path.length === 0 && laterOptions.has(key)) return `${place} is not supported yet`
  const names = namesAt(path)
  const close = findCloseNames(key, names)
  return `${place} is no option${close.length > 0 ? `; did you mean ${close.join(' or ')}?` : `. Options here: ${names.join(', ')}`}`
}

interface SchemaNode {
  readonly properties?: Readonly<Record<PropertyKey, SchemaNode>>
  readonly additionalProperties?: SchemaNode
}

/** The names that may stand at a place of the schema. */
function namesAt(path: readonly PropertyKey[]): string[] {
  const root = z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' }) as SchemaNode
  const node = path.reduce<SchemaNode | undefined>(
    (schema, key) => schema?.properties?.[key] ?? schema?.additionalProperties,
    root,
  )
  return Object.keys(node?.properties ?? {}).filter(name => name !== '$schema')
}

/** Rules are read by core, which stops at the first problem: so each entry is read by itself. */
function findPermissionProblems(section: unknown, owner: readonly string[]): ConfigProblem[] {
  if (!isMap(section)) return tryRules(section, owner, [])
  return Object.entries(section).flatMap(([key, value]) => {
    if (!isMap(value)) return tryRules({ [key]: value }, owner, [key])
    const own = tryRules({ [key]: {} }, owner, [key])
    if (own.length > 0) return own
    return Object.entries(value).flatMap(([pattern, action]) =>
      tryRules({ [key]: { [pattern]: action } }, owner, [key, pattern]),
    )
  })
}

function tryRules(section: unknown, owner: readonly string[], inside: readonly string[]): ConfigProblem[] {
  try {
    parseRules(section, { source: 'user' })
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const words = [...owner, error.message.replace(/\.$/, '')].join('.')
    return [{ place: [...owner, 'permission', ...inside], words }]
  }
}

// JavaScript gives this name a meaning of its own, and in maps the schema passes over it.
function findPrototypeKeys(value: unknown, place: readonly PropertyKey[]): ConfigProblem[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = [...place, key]
    return key === '__proto__' ? [{ place: at, words: `${at.join('.')} is no option` }] : findPrototypeKeys(inner, at)
  })
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
