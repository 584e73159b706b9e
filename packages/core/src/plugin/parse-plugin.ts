import { z } from 'zod'
import type { HookName, Plugin } from './plugin.ts'

/** A plugin, or what is wrong with what should be one. */
export type ParsedPlugin = { readonly plugin: Plugin } | { readonly problems: readonly string[] }

/** Checks what a plugin's file exports, or its function returned. A hook with an unknown name would never be called. */
export function parsePlugin(value: unknown): ParsedPlugin {
  const parsed = pluginSchema.safeParse(value)
  // Not the parsed copy: a hook may rely on `this`.
  if (parsed.success) return { plugin: value as Plugin }
  return { problems: parsed.error.issues.map(describeIssue) }
}

const hookNames = ['shell.env', 'tool.before', 'tool.after'] as const satisfies readonly HookName[]

const hookSchema = z
  .custom<(event: never) => unknown>(value => typeof value === 'function', { error: 'must be a function' })
  .optional()

const pluginSchema = z.strictObject(
  {
    name: z
      .string({ error: 'must be a text' })
      .regex(/^[\w.@/-]{1,64}$/, { error: 'must be 1 to 64 letters, digits, or . _ - @ /' }),
    hooks: z.strictObject(
      { 'shell.env': hookSchema, 'tool.before': hookSchema, 'tool.after': hookSchema } satisfies Record<
        HookName,
        unknown
      >,
      { error: issue => (issue.code === 'unrecognized_keys' ? undefined : 'must be an object with the hooks') },
    ),
  },
  {
    error: issue =>
      issue.code === 'unrecognized_keys'
        ? undefined
        : 'it must be an object with name and hooks, or a function that gives one',
  },
)

function describeIssue(issue: z.core.$ZodIssue): string {
  const place = issue.path.map(String)
  if (issue.code !== 'unrecognized_keys')
    return place.length === 0 ? issue.message : `${showPlace(place)} ${issue.message}`
  const names = issue.keys.map(key => `"${key}"`).join(', ')
  return place.length === 0
    ? `${names}: a plugin has name and hooks, and nothing else`
    : `there is no hook ${names}; hooks are ${hookNames.join(', ')}`
}

function showPlace([first, ...rest]: readonly string[]): string {
  return rest.length === 0 ? String(first) : `${first}["${rest.join('.')}"]`
}
