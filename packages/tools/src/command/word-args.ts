import type { Word, WordPart } from 'unbash'
import { type Arg, literalArg, unknownArg } from './arg.ts'
import { expandBraces } from './braces.ts'

/** The values that a variable can have. */
export interface Variable {
  readonly values: readonly string[]
  /** A value with wildcards stands for the names of files that match. */
  readonly isGlob: boolean
}

/** What a word may refer to. */
export interface WordScope {
  /** All values that the variable can have here; undefined when that can't be known. */
  lookup(name: string): Variable | undefined
}

const maxValues = 32
const maxArgs = 64

/** What a word adds up to: its possible values so far, and the first reason why they can't be known. */
interface Sum {
  values: readonly string[]
  start: string
  unknown?: string
  isGlob: boolean
  isLiteral: boolean
}

/** The arguments that a word becomes: one, or several where it holds a brace list. */
export function resolveWord(word: Word, scope: WordScope): readonly Arg[] {
  const parts = word.parts
  if (!parts) return [oddBraces.test(word.text) ? unknownArg(word.text, unfollowedBraces) : literalArg(word.value)]
  if (parts.length === 1 && parts[0]?.type === 'SingleQuoted') return [literalArg(parts[0].value)]
  const alternatives = expandWordBraces(parts)
  if (!alternatives) return [unknownArg(word.text, unfollowedBraces)]
  return alternatives.filter(isKept).map(list => toArg(word, list, alternatives.length > 1, scope))
}

// `{,x}` has an alternative that is nothing, and no word comes of it.
function isKept(pieces: readonly Piece[]): boolean {
  return !pieces.every(piece => piece.type === 'BraceText' && piece.value === '')
}

/** A piece of a word: a part of the tree, or text that a brace list put there. */
type Piece = WordPart | { readonly type: 'BraceText'; readonly value: string }

function expandWordBraces(parts: readonly WordPart[]): readonly (readonly Piece[])[] | undefined {
  let lists: readonly (readonly Piece[])[] = [[]]
  for (const part of parts) {
    const choices: readonly Piece[] | undefined =
      part.type === 'BraceExpansion' ? expandBraces(part.text)?.map(value => ({ type: 'BraceText', value })) : [part]
    if (!choices || lists.length * choices.length > maxArgs) return undefined
    lists = lists.flatMap(list => choices.map(choice => [...list, choice]))
  }
  return lists
}

function toArg(word: Word, pieces: readonly Piece[], isOneOfMany: boolean, scope: WordScope): Arg {
  const sum: Sum = { values: [''], start: '', isGlob: false, isLiteral: true }
  for (const piece of pieces) addPiece(sum, piece, false, scope)
  const { isGlob, isLiteral } = sum
  if (sum.unknown !== undefined) return unknownArg(word.text, sum.unknown, sum.start)
  const [first = ''] = sum.values
  const text = sum.values.length === 1 && (isLiteral || isGlob || isOneOfMany) ? first : word.text
  return { text, values: sum.values, isGlob, isLiteral, start: first }
}

function addPiece(sum: Sum, piece: Piece, quoted: boolean, scope: WordScope): void {
  switch (piece.type) {
    case 'Literal':
      if (!quoted && oddBraces.test(piece.text)) addUnknown(sum, unfollowedBraces)
      return addText(sum, piece.value)
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return addText(sum, piece.value)
    case 'BraceText':
      sum.isLiteral = false
      if (/[*?[]/.test(piece.value)) sum.isGlob = true
      return addText(sum, piece.value)
    case 'DoubleQuoted':
      for (const child of piece.parts) addPiece(sum, child, true, scope)
      return
    case 'Glob':
      sum.isGlob = true
      sum.isLiteral = false
      return addText(sum, piece.text)
    case 'ExtendedGlob':
      sum.isGlob = true
      sum.isLiteral = false
      return addText(sum, '*')
    case 'SimpleExpansion':
      return addVariable(sum, piece.text.slice(1), piece.text, quoted, scope)
    case 'ParameterExpansion':
      if (piece.prefix === '#') return addNumber(sum)
      if (piece.prefix || piece.index || piece.operation) return addUnknown(sum, describeVariable(piece.text))
      return addVariable(sum, piece.parameter, piece.text, quoted, scope)
    case 'ArithmeticExpansion':
      return addNumber(sum)
    case 'ProcessSubstitution':
      sum.isLiteral = false
      return addText(sum, '/dev/fd/63')
    case 'CommandExpansion':
      return addUnknown(sum, `what ${shorten(piece.text)} prints is not known beforehand`)
    case 'LocaleString':
      return addUnknown(sum, `${shorten(piece.text)} may be translated`)
    case 'BraceExpansion':
      return addUnknown(sum, unfollowedBraces)
  }
}

const unfollowedBraces = 'a brace list in it can not be followed'

// `{a},b}` is a list for bash, of `a}` and `b`.
const oddBraces = /\{[^\s]*(,|\.\.)[^\s]*\}/

function addText(sum: Sum, text: string): void {
  if (sum.unknown === undefined) sum.start += text
  sum.values = sum.values.map(value => value + text)
}

function addNumber(sum: Sum): void {
  sum.isLiteral = false
  addText(sum, '0')
}

function addUnknown(sum: Sum, why: string): void {
  sum.isLiteral = false
  sum.unknown ??= why
}

const numbers = new Set(['?', '#', '$', '!', 'UID', 'EUID', 'PPID', 'RANDOM', 'SECONDS', 'LINENO', 'BASHPID', 'SHLVL'])

function addVariable(sum: Sum, name: string, text: string, quoted: boolean, scope: WordScope): void {
  if (numbers.has(name)) return addNumber(sum)
  sum.isLiteral = false
  const variable = scope.lookup(name)
  if (!variable || variable.values.length * sum.values.length > maxValues)
    return addUnknown(sum, describeVariable(text))
  const { values } = variable
  if (!quoted && values.some(value => maySplit(value, variable.isGlob))) {
    return addUnknown(sum, `${text} is not quoted and may become other words`)
  }
  if (variable.isGlob) sum.isGlob = true
  if (sum.unknown === undefined) sum.start += values[0] ?? ''
  sum.values = sum.values.flatMap(before => values.map(value => before + value))
}

// Unquoted, the shell would split the value and expand its wildcards. The parts of a split file name hold no slash.
function maySplit(value: string, isGlob: boolean): boolean {
  return value === '' || (isGlob ? /[\s/\\]/ : /[\s*?[\\]/).test(value)
}

function describeVariable(text: string): string {
  return `the value of ${shorten(text)} is not known beforehand`
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
