import type { ParsedScript, SyntaxNode, Word } from 'unbash'

/** The parser's two functions, loaded when the first command comes. */
export type Unbash = Pick<typeof import('unbash'), 'parse' | 'forEachChild'>

let loading: Promise<Unbash> | undefined

/** Loads the parser once. */
export function loadUnbash(): Promise<Unbash> {
  loading ??= import('unbash')
  return loading
}

const maxCommandBytes = 128 * 1024
const maxNesting = 120
const maxNodes = 200_000
const tooMuch = 'it has too much'

/** A script and whether it may be trusted: `problem` says why not. Then the tree is the parser's best guess. */
export interface ParseOutcome {
  readonly script?: ParsedScript
  readonly problem?: string
}

/**
 * Parses a command for bash. A text that is too long, holds a NUL, nests too deep or has an error at any level has a
 * `problem`: it can't be judged by its tree. Never throws.
 */
export function parseCommand(text: string, unbash: Unbash): ParseOutcome {
  if (text.includes('\0')) return { problem: 'it holds a NUL byte' }
  if (Buffer.byteLength(text) > maxCommandBytes) return { problem: `it is longer than ${maxCommandBytes / 1024} KB` }
  if (/(^|[^\\])(\\\\)*\\$/.test(text)) return { problem: 'it ends with a backslash' }
  if (isDeep(text)) return { problem: 'it is nested too deep' }
  try {
    const script = unbash.parse(text)
    const problem = findProblem(script, unbash)
    // A tree that is too large or too deep is not to be walked again.
    return problem?.startsWith(tooMuch) ? { problem } : { script, problem }
  } catch (error) {
    return { problem: `the parser gave up (${error instanceof Error ? error.message : String(error)})` }
  }
}

// Counted before parsing, so that a hostile text costs nothing: openers in a row without as many closers.
function isDeep(text: string): boolean {
  let depth = 0
  for (const character of text) {
    if (character === '(' || character === '{') depth++
    else if (character === ')' || character === '}') depth = Math.max(0, depth - 1)
    if (depth > maxNesting) return true
  }
  return false
}

// Nested scripts are parsed when they are first looked at, and keep their errors to themselves.
function findProblem(script: ParsedScript, { forEachChild }: Unbash): string | undefined {
  let nodes = 0
  let problem: string | undefined
  const visit = (node: SyntaxNode, depth: number): void => {
    if (problem) return
    if (++nodes > maxNodes) problem = `${tooMuch} in it`
    else if (depth > maxNesting * 8) problem = `${tooMuch} nesting`
    else problem = problemOf(node)
    if (!problem) forEachChild(node, child => visit(child, depth + 1))
  }
  visit(script, 0)
  return problem
}

const substitution = /[<>]\(|`|\$\(/

// The parser takes `2>(…)` and `3<(…)` for plain words; bash runs what stands in them.
function hidesSubstitution({ text, parts }: Word): boolean {
  if (!parts) return substitution.test(text.replace(/\\./gs, ''))
  return parts.some(part => part.type === 'Literal' && substitution.test(part.text.replace(/\\./gs, '')))
}

function problemOf(node: SyntaxNode): string | undefined {
  switch (node.type) {
    case 'Script': {
      const [error] = node.errors ?? []
      return error && `bash would not take it as it is: ${error.message}`
    }
    case 'Word':
      return hidesSubstitution(node) ? 'a substitution in it can not be read' : undefined
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      return node.script ? undefined : 'a substitution in it can not be read'
    case 'HereDoc':
      return node.closing && node.delimiter ? undefined : 'a here-document in it has no end'
    case 'Redirect':
    case 'HereString':
      return node.target ? undefined : 'a redirection in it has no target'
    case 'ArithmeticExpansion':
      return node.expression || /^\$(\(\(\s*\)\)|\[\s*\])$/.test(node.text)
        ? undefined
        : 'arithmetic in it can not be read'
    default:
      return undefined
  }
}
