import type { SyntaxNode, WordPart } from 'unbash'
import { printsNumber } from './numeric-output.ts'
import type { Variables } from './variables.ts'

const numbers = new Set(
  'RANDOM SECONDS LINENO EPOCHSECONDS EPOCHREALTIME SRANDOM COLUMNS LINES UID EUID PPID SHLVL BASHPID OPTIND BASH_SUBSHELL'.split(
    ' ',
  ),
)

/**
 * Why evaluating this text as arithmetic may run a command: the value of a variable is evaluated again, with the
 * substitutions in its indexes. Only variables that the text sets to plain numbers are known to be harmless.
 */
export function findArithmeticRisk(
  text: string,
  parts: readonly WordPart[] | undefined,
  variables: Variables,
): string | undefined {
  const dynamic = parts?.map(part => findPartRisk(part, variables)).find(risk => risk !== undefined)
  if (dynamic) return dynamic
  const plain = parts ? parts.map(literalOf).join(' ') : text
  if (/[$`]/.test(plain)) return risk(plain)
  const name = namesIn(plain).find(candidate => !isNumber(candidate, variables))
  return name && risk(name)
}

/** The same for a leaf of an expression. */
export function findLeafRisk(leaf: ArithmeticLeaf, variables: Variables): string | undefined {
  if (leaf.type === 'ArithmeticWord') return findArithmeticRisk(leaf.value, leaf.parts, variables)
  return printsNumber(leaf.script) ? undefined : risk(leaf.text)
}

function findPartRisk(part: WordPart, variables: Variables): string | undefined {
  switch (part.type) {
    case 'SimpleExpansion':
      return checkParameter(part.text.slice(1), part.text, variables)
    case 'ParameterExpansion':
      if (part.prefix === '#') return undefined
      return part.prefix || part.index || part.operation
        ? risk(part.text)
        : checkParameter(part.parameter, part.text, variables)
    case 'CommandExpansion':
      return printsNumber(part.script) ? undefined : risk(part.text)
    case 'ProcessSubstitution':
      return risk(part.text)
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.map(child => findPartRisk(child, variables)).find(found => found !== undefined)
    default:
      return undefined
  }
}

function checkParameter(name: string, text: string, variables: Variables): string | undefined {
  return /^[?#$!]$/.test(name) || isNumber(name, variables) ? undefined : risk(text)
}

function isNumber(name: string, variables: Variables): boolean {
  return variables.isNumber(name) || (numbers.has(name) && !variables.isSet(name))
}

function literalOf(part: WordPart): string {
  switch (part.type) {
    case 'Literal':
    case 'Glob':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return part.value
    case 'DoubleQuoted':
      return part.parts.map(literalOf).join('')
    default:
      return ''
  }
}

function namesIn(text: string): readonly string[] {
  return text.replace(/\b(0[xX][0-9a-fA-F]+|\d+#[\w@]+|\d+)\b/g, ' ').match(/[A-Za-z_]\w*/g) ?? []
}

function risk(what: string): string {
  return `${what.length > 60 ? `${what.slice(0, 60)}…` : what} is evaluated as arithmetic, and its value is not known to be a number`
}

type ArithmeticLeaf = Extract<SyntaxNode, { type: 'ArithmeticWord' | 'ArithmeticCommandExpansion' }>

/** The words and substitutions of an arithmetic expression. */
export function arithmeticLeaves(node: SyntaxNode): readonly ArithmeticLeaf[] {
  switch (node.type) {
    case 'ArithmeticWord':
    case 'ArithmeticCommandExpansion':
      return [node]
    case 'ArithmeticBinary':
      return [...arithmeticLeaves(node.left), ...arithmeticLeaves(node.right)]
    case 'ArithmeticUnary':
      return arithmeticLeaves(node.operand)
    case 'ArithmeticTernary':
      return [node.test, node.consequent, node.alternate].flatMap(arithmeticLeaves)
    case 'ArithmeticGroup':
      return arithmeticLeaves(node.expression)
    default:
      return []
  }
}
