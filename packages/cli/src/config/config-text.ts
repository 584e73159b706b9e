import { ConfigError } from '@deckhand/core'
import { type Node, type ParseError, parseTree, printParseErrorCode, stripComments } from 'jsonc-parser'
import { isSecretName } from './hide-secrets.ts'

/** A file's text as values, and where in it each stands. */
export interface ConfigText {
  readonly values: Readonly<Record<string, unknown>>
  /** Line of the value at a place, 1-based; of the nearest place around it where there is none. */
  lineOf(place: readonly PropertyKey[]): number
  /** Keys that stand in their object more than once; the last one is the value. */
  readonly repeated: readonly (readonly string[])[]
}

/**
 * Reads JSON with comments and trailing commas; a file without any value is an empty object. Throws ConfigError
 * `unreadable` with line, column and the line itself, or `invalid` when it holds something else than an object.
 */
export function parseConfigText(path: string, text: string): ConfigText {
  const lines = createLines(text)
  const root = parseRoot(path, text, lines)
  const places = new Map<string, number>()
  const repeated: (readonly string[])[] = []
  const values = root ? toValue(root, [], { places, repeated, lines }) : {}
  if (!isObject(values)) {
    throw new ConfigError('invalid', `${path} must hold an object, such as { "model": "provider/model" }.`, {
      file: path,
    })
  }
  return { values, repeated, lineOf: place => findLine(place, places) }
}

function parseRoot(path: string, text: string, lines: Lines): Node | undefined {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true })
  const [first] = errors
  // A template of which all is commented out is as good as an empty file.
  if (!first || stripComments(text).trim() === '') return root
  const { line, column, content } = lines.locate(first.offset)
  const words = describeErrorCode(first.error)
  throw new ConfigError(
    'unreadable',
    `${path} is no valid JSON: ${words} at line ${line}, column ${column}:\n${describeSpot(content, column)}`,
    { file: path, line, column },
  )
}

function describeErrorCode(code: ParseError['error']): string {
  const words = printParseErrorCode(code).replace(/(?<=[a-z])[A-Z]/g, letter => ` ${letter}`)
  return words.toLowerCase()
}

const shownBefore = 60
const shownAfter = 40

/** The line with a mark under the column. One character stays one character, so that the mark stays in place. */
function describeSpot(content: string, column: number): string {
  const start = Math.max(0, column - 1 - shownBefore)
  const shown = maskSecrets(content)
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .slice(start, column - 1 + shownAfter)
  return `  ${shown.trimEnd()}\n  ${' '.repeat(column - 1 - start)}^`
}

// A forgotten comma must not put a key onto the screen.
function maskSecrets(line: string): string {
  return line.replace(/("([^"]*)"\s*:\s*")((?:[^"\\]|\\.)*)/g, (whole, before: string, name: string, value: string) =>
    isSecretName(name) && !/^\{(env|file):/.test(value) ? before + '*'.repeat(value.length) : whole,
  )
}

interface Walk {
  readonly places: Map<string, number>
  readonly repeated: (readonly string[])[]
  readonly lines: Lines
}

/** jsonc-parser's own conversion would let a key "__proto__" set the prototype. */
function toValue(node: Node, place: readonly PropertyKey[], walk: Walk): unknown {
  walk.places.set(nameOf(place), walk.lines.locate(node.offset).line)
  const { type, children = [], value } = node
  if (type === 'array') return children.map((child, index) => toValue(child, [...place, index], walk))
  if (type !== 'object') return value
  const seen = new Set<string>()
  return Object.fromEntries(
    children.map(property => {
      const [keyNode, valueNode] = property.children ?? []
      const key = String(keyNode?.value)
      if (seen.has(key)) walk.repeated.push([...place, key].map(String))
      seen.add(key)
      return [key, valueNode ? toValue(valueNode, [...place, key], walk) : undefined]
    }),
  )
}

function findLine(place: readonly PropertyKey[], places: ReadonlyMap<string, number>): number {
  for (let length = place.length; length >= 0; length--) {
    const line = places.get(nameOf(place.slice(0, length)))
    if (line !== undefined) return line
  }
  return 1
}

function nameOf(place: readonly PropertyKey[]): string {
  return JSON.stringify(place.map(String))
}

type Lines = ReturnType<typeof createLines>

function createLines(text: string) {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return {
    locate(offset: number): { readonly line: number; readonly column: number; readonly content: string } {
      const index = starts.findLastIndex(start => start <= offset)
      const start = starts[index] ?? 0
      return { line: index + 1, column: offset - start + 1, content: text.slice(start, starts[index + 1]) }
    },
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
