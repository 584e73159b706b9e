import { z } from 'zod'
import { ConfigError } from '../error.ts'
import type { PermissionKey, Rule, RuleAction, RuleSource } from './rule.ts'

const actions: readonly RuleAction[] = ['allow', 'ask', 'deny']

const actionSchema = z.enum(['allow', 'ask', 'deny'])

/**
 * The section `permission` of a configuration file: an action for everything, or for each key an action or a map of
 * patterns to actions. The order of keys is kept, since the last match wins.
 */
export const permissionSchema = z
  .union([actionSchema, z.record(z.string(), z.union([actionSchema, z.record(z.string(), actionSchema)]))])
  .describe('What is allowed, asked or denied, by permission and pattern; the last match wins.')

export type PermissionSection = z.input<typeof permissionSchema>

/** Keys that stand for ours: those of OpenCode, and names of tools that share a permission. */
const aliases: Readonly<Record<string, string>> = {
  bash: 'shell',
  write: 'edit',
  patch: 'edit',
  webfetch: 'fetch',
  todowrite: 'todo',
  todoread: 'todo',
}

/** The permissions that there are, besides `mcp:<server>:<tool>`. */
export const permissionKeys: readonly PermissionKey[] = [
  ...(['read', 'edit', 'glob', 'grep', 'shell', 'external_directory', 'task', 'fetch', 'skill'] as const),
  ...(['schedule', 'kill', 'network', 'outside_sandbox', 'todo', 'doom_loop'] as const),
]

const keys: readonly string[] = permissionKeys

/** Known to OpenCode, without a tool here: its configuration files stay readable. */
const withoutTool: readonly string[] = ['list', 'lsp', 'websearch', 'codesearch', 'question']

export interface RuleOrigin {
  readonly source: RuleSource
  /** The file, for messages and for the reasons of verdicts. */
  readonly origin?: string
}

/**
 * Reads a `permission` section into rules, in order. `bash` means `shell`. A key may be a wildcard (`mcp:*`, `*`).
 * Throws ConfigError that names the place, what it has, and what may stand there.
 */
export function parseRules(section: unknown, from: RuleOrigin): readonly Rule[] {
  if (section === undefined) return []
  if (isAction(section)) return [{ permission: '*', pattern: '*', action: section, ...from }]
  if (!isMap(section)) throw invalid('permission', section, `an action (${actions.join(', ')}) or a map of keys`, from)
  return Object.entries(section).flatMap(([key, value]) => parseEntry(key, value, from))
}

function parseEntry(key: string, value: unknown, from: RuleOrigin): readonly Rule[] {
  const permission = parseKey(key, from)
  if (isAction(value)) return [{ permission, pattern: '*', action: value, ...from }]
  const place = `permission.${key}`
  if (!isMap(value)) throw invalid(place, value, `${listActions()}, or a map of patterns to one of them`, from)
  return Object.entries(value).map(([pattern, action]) => {
    if (!isAction(action)) throw invalid(`${place}[${JSON.stringify(pattern)}]`, action, listActions(), from)
    return { permission, pattern, action, ...from }
  })
}

function parseKey(key: string, from: RuleOrigin): string {
  const permission = Object.hasOwn(aliases, key) ? (aliases[key] ?? key) : key
  if (keys.includes(permission) || withoutTool.includes(permission)) return permission
  if (permission.startsWith('mcp:') || /[*?]/.test(permission)) return permission
  throw new ConfigError(
    'unknown-key',
    `permission.${key} is no permission${inFile(from)}. Use one of ${keys.join(', ')}, bash (the same as shell), mcp:SERVER:TOOL, or a wildcard over them.`,
    { key, ...from },
  )
}

/** The permission that a name stands for: its own, or another that is known for it, such as `bash`. */
export function findPermission(name: string): PermissionKey | undefined {
  const permission = Object.hasOwn(aliases, name) ? aliases[name] : name
  return permission?.startsWith('mcp:') || keys.includes(permission ?? '') ? (permission as PermissionKey) : undefined
}

const pathPermissions: readonly string[] = ['read', 'edit', 'glob', 'grep', 'external_directory']

/** A pattern of paths as people write it, `~/notes/*`, as it is matched: with the home folder in place of `~`. */
export function expandHomePattern(permission: string, pattern: string, home: string): string {
  return pathPermissions.includes(permission) && pattern.startsWith('~/') ? `${home}${pattern.slice(1)}` : pattern
}

/**
 * The same rules, with what a project allows for itself lowered to a question: for projects that the person has not
 * said to trust, since whoever wrote the project's files would else decide what runs here.
 */
export function lowerProjectAllows(rules: readonly Rule[]): readonly Rule[] {
  return rules.map(rule => (rule.source === 'project' && rule.action === 'allow' ? { ...rule, action: 'ask' } : rule))
}

function isAction(value: unknown): value is RuleAction {
  return actions.includes(value as RuleAction)
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listActions(): string {
  return '"allow", "ask" or "deny"'
}

function invalid(place: string, value: unknown, wanted: string, from: RuleOrigin): ConfigError {
  return new ConfigError('invalid', `${place} must be ${wanted}; it is ${JSON.stringify(value)}${inFile(from)}.`, {
    place,
    value,
    ...from,
  })
}

function inFile(from: RuleOrigin): string {
  return from.origin ? ` in ${from.origin}` : ''
}
