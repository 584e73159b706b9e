// Reading what `declare -p`, `export -p` and `typeset -p` print.

/** One printed declaration. */
export interface Declaration {
  readonly name: string
  /** The letters of its attributes: `x` exported, `a` array, `A` associative, `r` read-only, `i` integer, `n` a name. */
  readonly attributes: string
  /** Of a plain text; undefined for arrays, and where there is none. */
  readonly value?: string
  /** As printed, without the line break. */
  readonly text: string
}

const start = /(declare|typeset|export|readonly)((?: +-[A-Za-z-]*)*) +([A-Za-z_]\w*)/y

/** Reads them; what can't be read is left out. Values may hold anything, also line breaks and what looks like a declaration. */
export function parseDeclarations(text: string): readonly Declaration[] {
  const found: Declaration[] = []
  for (let at = 0; at < text.length; ) {
    start.lastIndex = at
    const match = start.exec(text)
    if (match) {
      const [, word, flags = '', name = ''] = match
      const afterName = start.lastIndex
      const { end, value } = text[afterName] === '=' ? readValue(text, afterName + 1) : { end: afterName }
      const attributes = flags.replaceAll(/[^A-Za-z]/g, '') + (word === 'export' ? 'x' : '')
      found.push({ name, attributes, ...(value !== undefined && { value }), text: text.slice(at, end) })
      at = end
    }
    const next = text.indexOf('\n', at)
    if (next === -1) break
    at = next + 1
  }
  return found
}

interface ReadValue {
  readonly end: number
  readonly value?: string
}

// A value is made of pieces in quotes and without, side by side; an array stands in brackets.
function readValue(text: string, from: number): ReadValue {
  if (text[from] === '(') return { end: skipArray(text, from) }
  let value = ''
  let at = from
  while (at < text.length) {
    const piece = readPiece(text, at)
    if (!piece) break
    value += piece.value
    at = piece.end
  }
  return { end: at, value }
}

interface Piece {
  readonly end: number
  readonly value: string
}

function readPiece(text: string, at: number): Piece | undefined {
  switch (text[at]) {
    case '"':
      return readDoubleQuoted(text, at + 1)
    case "'":
      return readSingleQuoted(text, at + 1)
    case '$':
      return text[at + 1] === "'" ? readAnsiQuoted(text, at + 2) : { end: at + 1, value: '$' }
    case '\\':
      return { end: at + 2, value: text[at + 1] ?? '' }
    case '\n':
    case ' ':
    case '\t':
    case ')':
    case undefined:
      return undefined
    default:
      return { end: at + 1, value: text[at] ?? '' }
  }
}

function readSingleQuoted(text: string, from: number): Piece {
  const end = text.indexOf("'", from)
  return end === -1 ? { end: text.length, value: text.slice(from) } : { end: end + 1, value: text.slice(from, end) }
}

function readDoubleQuoted(text: string, from: number): Piece {
  let value = ''
  let at = from
  for (; at < text.length && text[at] !== '"'; at++) {
    const isEscape = text[at] === '\\' && /["\\$`\n]/.test(text[at + 1] ?? '')
    if (isEscape) at++
    value += text[at]
  }
  return { end: at + 1, value }
}

const letters: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  v: '\v',
}

// Octal and hexadecimal escapes are bytes: several may make one character.
function readAnsiQuoted(text: string, from: number): Piece {
  const bytes: Buffer[] = []
  let at = from
  while (at < text.length && text[at] !== "'") {
    const sequence = /\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([\s\S]))/y
    sequence.lastIndex = at
    const match = sequence.exec(text)
    bytes.push(match ? readEscape(match) : Buffer.from(String.fromCodePoint(text.codePointAt(at) ?? 0)))
    at += match ? match[0].length : (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  }
  return { end: at + 1, value: Buffer.concat(bytes).toString() }
}

function readEscape([, octal, hex, short, long, letter = '']: RegExpExecArray): Buffer {
  const byte =
    octal !== undefined ? Number.parseInt(octal, 8) : hex !== undefined ? Number.parseInt(hex, 16) : undefined
  if (byte !== undefined) return Buffer.from([byte & 0xff])
  const code = short ?? long
  if (code !== undefined) return Buffer.from(String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff)))
  return Buffer.from(letters[letter] ?? letter)
}

function skipArray(text: string, from: number): number {
  let at = from + 1
  while (at < text.length && text[at] !== ')') {
    const piece = /\s/.test(text[at] ?? '') ? undefined : readPiece(text, at)
    at = piece ? piece.end : at + 1
  }
  return at + 1
}

/** The values of those that have a plain one, by name. */
export function readValues(declarations: readonly Declaration[]): Readonly<Record<string, string>> {
  return Object.fromEntries(declarations.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])))
}

/** A value for a shell of the Bourne family, in single quotes. */
export function quoteForShell(value: string): string {
  return `'${value.replaceAll("'", "'\\''")}'`
}
