// What the hooks may return.
import { z } from 'zod'
import { toPlain } from './call-hook.ts'
import type { ShellEnvChange, ToolInputChange, ToolRefusal, ToolResultChange } from './plugin.ts'

const text = () => z.string({ error: 'must be a text' })

const plainObject = () =>
  z.record(z.string(), z.unknown(), { error: 'must be an object' }).transform((value, context) => {
    try {
      return toPlain(value)
    } catch {
      context.addIssue('must be plain JSON')
      return z.NEVER
    }
  })

// Each of these would outlive the call, as it changes the shell itself, or is set by Deckhand for each call.
const kept = new Set(
  'BASH_ENV ZDOTDIR SHELLOPTS BASHOPTS BASH_COMPAT POSIXLY_CORRECT POSIX_PEDANTIC IFS PWD OLDPWD SHLVL DECKHAND_CALL DECKHAND_SANDBOX'.split(
    ' ',
  ),
)

const variableName = z
  .string()
  .regex(/^[A-Za-z_]\w*$/, { error: 'is no name of a variable' })
  .refine(name => !kept.has(name), { error: 'belongs to the shell or to Deckhand, and can not be set for one call' })

const variableValue = z
  .string({ error: 'must be a text, or null to remove it' })
  .refine(value => !value.includes('\0'), { error: 'must not hold a NUL character' })
  .nullable()

export const shellEnvSchema: z.ZodType<ShellEnvChange> = z.strictObject(
  {
    env: z.record(variableName, variableValue, {
      error: issue =>
        issue.code === 'invalid_key' ? issue.issues[0]?.message : 'must be an object with the variables',
    }),
  },
  { error: describeObject('env') },
)

export const toolBeforeSchema: z.ZodType<ToolInputChange | ToolRefusal> = z
  .strictObject(
    { input: plainObject().optional(), refuse: text().optional() },
    { error: describeObject('input or refuse') },
  )
  .refine(({ input, refuse }) => (input === undefined) !== (refuse === undefined), {
    error: 'must hold either input or refuse',
  })
  .transform(change => change as ToolInputChange | ToolRefusal)

export const toolAfterSchema: z.ZodType<ToolResultChange> = z.strictObject(
  {
    title: text().optional(),
    output: text().optional(),
    metadata: plainObject().optional(),
    note: text().optional(),
  },
  { error: describeObject('title, output, metadata and note') },
)

function describeObject(fields: string): z.core.$ZodErrorMap {
  return issue =>
    issue.code === 'unrecognized_keys'
      ? `${(issue.keys as readonly string[]).join(', ')} is none of its fields; there may be ${fields}`
      : `must be nothing, or an object with ${fields}`
}
