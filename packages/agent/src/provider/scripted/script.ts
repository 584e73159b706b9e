import { ConfigError } from '@deckhand/core'
import { z } from 'zod'

/**
 * A script says what a model answers, step by step; a step is one model request. It is a YAML or JSON file with a list:
 *
 *     - think: I look around first.
 *       say: I run the tests.
 *       call: { shell: { command: npm test } }
 *     - expect: 1 failing
 *       call:
 *         - read: { path: src/sum.ts }
 *         - read: { path: test/sum.test.ts }
 *     - fail: { status: 429, message: slow down, retryAfterMs: 20 }
 *     - fail: drop
 *     - wait: 200
 *       say: All is green.
 *       usage: { input: 1200, output: 40 }
 *
 * `{workspace}` in any text stands for the workspace's path.
 */
export type Script = readonly ScriptStep[]

const callSchema = z
  .record(z.string().min(1), z.record(z.string(), z.unknown()).nullable())
  .refine(call => Object.keys(call).length > 0, 'names no tool')

const usageSchema = z
  .strictObject({
    input: z.int().nonnegative().default(0).describe('Input tokens, without cached ones.'),
    output: z.int().nonnegative().default(0).describe('Output tokens, reasoning among them.'),
    reasoning: z.int().nonnegative().default(0).describe('Reasoning tokens.'),
    cacheRead: z.int().nonnegative().default(0).describe('Input tokens read from the cache.'),
    cacheWrite: z.int().nonnegative().default(0).describe('Input tokens written to the cache.'),
  })
  .describe('What the step cost; nothing where absent.')

const failSchema = z
  .union([
    z.literal('drop'),
    z.strictObject({
      status: z.int().min(400).max(599).describe('HTTP status.'),
      message: z.string().default('The script says so.').describe('What the server says.'),
      retryAfterMs: z.int().nonnegative().optional().describe('When the server wants to be asked again.'),
    }),
  ])
  .describe('Fails after what is said, before any call comes: "drop" cuts the stream; a status is an HTTP error.')

const stepSchema = z.strictObject({
  expect: z
    .union([z.string(), z.array(z.string()).min(1)])
    .optional()
    .describe('The last tool result, or the last message of the user, must contain this; else the step fails.'),
  wait: z.int().nonnegative().max(86_400_000).optional().describe('Milliseconds before the first word.'),
  think: z.string().optional().describe('Reasoning.'),
  say: z.string().optional().describe('Text of the answer.'),
  call: z
    .union([callSchema, z.array(callSchema).min(1)])
    .optional()
    .describe('Tool calls: {tool: arguments}, or a list of these for parallel calls.'),
  fail: failSchema.optional(),
  usage: usageSchema.optional(),
})

const scriptSchema = z.union([z.array(stepSchema).min(1), z.strictObject({ steps: z.array(stepSchema).min(1) })])

export type ScriptStep = z.infer<typeof stepSchema>
export type ScriptFailure = Exclude<ScriptStep['fail'], undefined>
export interface ScriptCall {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
}

/** The JSON Schema of a script file, for editors. */
export function createScriptJsonSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(scriptSchema, { io: 'input' })
}

/**
 * Reads a script's text; YAML, of which JSON is a part. ConfigError that names the step, its line and the place in it.
 */
export async function parseScript(text: string, file: string): Promise<Script> {
  const { LineCounter, parseDocument } = await import('./yaml.ts')
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: true })
  const broken = document.errors[0]
  if (broken)
    throw new ConfigError('invalid', `The script ${file} is not valid YAML: ${broken.message.trim()}`, { file })

  const value: unknown = document.toJS()
  const inObject = typeof value === 'object' && value !== null && 'steps' in value
  const steps = inObject ? value.steps : value
  if (!Array.isArray(steps) || steps.length === 0) {
    throw new ConfigError(
      'invalid',
      `The script ${file} must be a list of steps, such as "- say: Hello"; it is ${describeKind(steps)}.`,
      {
        file,
      },
    )
  }
  const lineOf = (index: number): number | undefined => {
    const node = document.getIn(inObject ? ['steps', index] : [index], true) as
      | { range?: [number, number, number] }
      | undefined
    return node?.range && lines.linePos(node.range[0]).line
  }
  return steps.map((step, index) => parseStep(step, index, steps.length, file, lineOf(index)))
}

function parseStep(value: unknown, index: number, count: number, file: string, line: number | undefined): ScriptStep {
  const parsed = stepSchema.safeParse(value)
  const where = `The script ${file}, step ${index + 1} of ${count}${line ? ` (line ${line})` : ''}`
  if (!parsed.success) {
    throw new ConfigError('invalid', `${where}: ${describeProblems(value, parsed.error)}`, {
      file,
      step: index + 1,
      line,
    })
  }
  if (!Object.keys(parsed.data).some(acts)) {
    throw new ConfigError(
      'invalid',
      `${where} does nothing. Give it ${knownKeys.filter(acts).join(', ')}, or several of them.`,
      {
        file,
        step: index + 1,
        line,
      },
    )
  }
  return parsed.data
}

/** The calls of a step, in order, whichever way they are written. */
export function listCalls(step: ScriptStep): ScriptCall[] {
  const entries = step.call === undefined ? [] : Array.isArray(step.call) ? step.call : [step.call]
  return entries.flatMap(entry => Object.entries(entry).map(([tool, args]) => ({ tool, args: args ?? {} })))
}

const knownKeys = Object.keys(stepSchema.shape)
const acts = (key: string) => key !== 'expect' && key !== 'usage'

function describeProblems(value: unknown, error: z.ZodError): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return `it must have keys such as "say: Hello"; it is ${describeKind(value)}.`
  }
  return `${error.issues.map(issue => describeIssue(issue)).join('; ')}.`
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const place = issue.path.join('.')
  if (issue.code === 'unrecognized_keys') {
    const known = place === '' ? ` A step may have ${knownKeys.join(', ')}` : ''
    return `unknown key ${issue.keys.map(key => `"${place === '' ? key : `${place}.${key}`}"`).join(', ')}.${known}`
  }
  if (issue.code === 'invalid_union' && place === 'call') {
    return 'call must be {tool: {arguments}}, such as {read: {path: a.ts}}, or a list of these'
  }
  if (issue.code === 'invalid_union' && place === 'fail') {
    return 'fail must be "drop", or {status: 400 to 599, message?: text, retryAfterMs?: number}'
  }
  return place === '' ? issue.message : `${place}: ${issue.message}`
}

function describeKind(value: unknown): string {
  if (value === null || value === undefined) return 'empty'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  return typeof value === 'object' ? 'an object without "steps"' : `a ${typeof value}`
}
