import { findCloseNames } from '@deckhand/agent'
import { ConfigError } from '@deckhand/core'
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import { z } from 'zod'
import { configSchema, laterOptions, otherNames } from './config-schema.ts'

/** A file as it was written: only what stands in it, without defaults. */
export interface ConfigFile {
  readonly path: string
  readonly values: Readonly<Record<string, unknown>>
  /** Keys of an opencode file that Deckhand does not use. */
  readonly unused: readonly string[]
}

/**
 * Reads a file's text: JSON with comments and trailing commas. Throws ConfigError with every problem of the file, each
 * with its place and line. In OpenCode's files what Deckhand does not know is left out and listed in `unused`.
 */
export function parseConfigFile(path: string, text: string): ConfigFile {
  const root = parseText(path, text)
  const values = root ? getNodeValue(root) : {}
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw new ConfigError('invalid', `${path} must hold an object, such as { "model": "provider/model" }.`, {
      file: path,
    })
  }
  return isOpencodeFile(path) ? takeKnown(path, text, root, values) : takeAll(path, text, root, values)
}

/** OpenCode's files are read as they are. */
export function isOpencodeFile(path: string): boolean {
  return /(^|[\\/])opencode\.jsonc?$/.test(path)
}

function parseText(path: string, text: string): Node | undefined {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true })
  const [first] = errors
  if (!first || text.trim() === '') return root
  const { line, column, content } = locate(text, first.offset)
  throw new ConfigError(
    'unreadable',
    `${path} is no valid JSON: ${splitWords(printParseErrorCode(first.error))} at line ${line}, column ${column}:\n  ${content}\n  ${' '.repeat(column - 1)}^`,
    { file: path, line, column },
  )
}

function splitWords(code: string): string {
  return code
    .replace(/(?<=[a-z])[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
    .replace(/^./, letter => letter.toLowerCase())
}

function locate(text: string, offset: number): { line: number; column: number; content: string } {
  const before = text.slice(0, offset).split('\n')
  const line = before.length
  return { line, column: (before.at(-1) ?? '').length + 1, content: text.split('\n')[line - 1] ?? '' }
}

function takeAll(path: string, text: string, root: Node | undefined, values: Record<string, unknown>): ConfigFile {
  const parsed = configSchema.safeParse(values)
  if (!parsed.success) {
    const problems = parsed.error.issues
      .flatMap(issue => describeIssue(issue, values))
      .map(({ at, words }) => `${words} (line ${lineOf(text, root, at)})`)
    throw new ConfigError('invalid', `${path} can't be used:\n${problems.map(problem => `  ${problem}`).join('\n')}`, {
      file: path,
      problems,
    })
  }
  return { path, values, unused: [] }
}

const opencodeKeys = ['model', 'provider', 'permission', 'instructions', 'agent'] as const

function takeKnown(path: string, text: string, root: Node | undefined, values: Record<string, unknown>): ConfigFile {
  const used = Object.fromEntries(opencodeKeys.flatMap(key => (key in values ? [[key, values[key]]] : [])))
  if (used.agent) used.agent = takeAgents(used.agent)
  const unused = Object.keys(values).filter(key => key !== '$schema' && !(key in used))
  return { ...takeAll(path, text, root, used), unused }
}

// OpenCode's agents have more fields, and `mode` means something else there (primary, subagent).
function takeAgents(agents: unknown): unknown {
  if (typeof agents !== 'object' || agents === null) return agents
  return Object.fromEntries(
    Object.entries(agents).map(([name, agent]) => {
      const { description, prompt, model } = (agent ?? {}) as Record<string, unknown>
      return [
        name,
        Object.fromEntries(
          Object.entries({ description, prompt, model }).filter(([, value]) => typeof value === 'string'),
        ),
      ]
    }),
  )
}

interface Problem {
  readonly at: readonly PropertyKey[]
  readonly words: string
}

function describeIssue(issue: z.core.$ZodIssue, values: unknown): Problem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map(key => ({ at: [...issue.path, key], words: describeUnknown(key, issue.path) }))
  }
  const found = issue.path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    values,
  )
  return [{ at: issue.path, words: `${issue.path.join('.')} ${describeWanted(issue)}; it is ${JSON.stringify(found)}` }]
}

function describeWanted(issue: z.core.$ZodIssue): string {
  return /^must /.test(issue.message) ? issue.message : `is wrong (${issue.message})`
}

function describeUnknown(key: string, path: readonly PropertyKey[]): string {
  const place = [...path, key].join('.')
  const renamed = path.length === 0 ? otherNames[key] : undefined
  if (renamed) return `${place} is called ${renamed} here`
  if (laterOptions.has(key)) return `${place} is not supported yet`
  const close = findCloseNames(key, namesAt(path))
  return `${place} is no option${close.length > 0 ? `; did you mean ${close.join(' or ')}?` : `. Options here: ${namesAt(path).join(', ')}`}`
}

/** The names that may stand at a place of the schema. */
function namesAt(path: readonly PropertyKey[]): string[] {
  let schema: unknown = z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' })
  for (const key of path) {
    const { properties, additionalProperties } = schema as {
      properties?: Record<PropertyKey, unknown>
      additionalProperties?: unknown
    }
    schema = properties?.[key] ?? additionalProperties
  }
  return Object.keys((schema as { properties?: object } | undefined)?.properties ?? {}).filter(
    name => name !== '$schema',
  )
}

function lineOf(text: string, root: Node | undefined, path: readonly PropertyKey[]): number {
  const node =
    root &&
    findNodeAtLocation(
      root,
      path.map(key => (typeof key === 'number' ? key : String(key))),
    )
  return node ? locate(text, node.offset).line : 1
}
