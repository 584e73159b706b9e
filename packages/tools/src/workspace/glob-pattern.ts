/**
 * Makes a test for paths (with `/`, relative, no leading `./`) from a glob: `*`, `**`, `?`, `[a-z]`, `[!a-z]`, `{a,b}`
 * and `\` before a character that is meant literally. A pattern without a slash matches in every folder, as in
 * `.gitignore`. Names that begin with a dot need no special pattern.
 */
export function createGlobTest(pattern: string): (path: string) => boolean {
  const anywhere = !pattern.includes('/')
  const source = translate(pattern.replace(/^\.?\//, '').replace(/(\*\*\/)+/g, '**/'))
  const expression = new RegExp(`^${anywhere ? '(?:.*/)?' : ''}${source}$`, 'su')
  return path => expression.test(path)
}

/** Does the text hold anything that a glob reads specially? */
export function isGlob(text: string): boolean {
  return /[*?[{\\]/.test(text)
}

function translate(pattern: string): string {
  const braces = findBraces(pattern)
  let source = ''
  let depth = 0
  for (let at = 0; at < pattern.length; ) {
    const { piece, width, opens = 0 } = translateAt(pattern, at, depth, braces)
    source += piece
    depth += opens
    at += width
  }
  return source
}

/** Places of braces that belong to another; a brace alone is a character like any other. */
function findBraces(pattern: string): ReadonlySet<number> {
  const open: number[] = []
  const matched = new Set<number>()
  for (let at = 0; at < pattern.length; at += tokenWidth(pattern, at)) {
    if (pattern[at] === '{') open.push(at)
    const partner = pattern[at] === '}' ? open.pop() : undefined
    if (partner !== undefined) matched.add(partner).add(at)
  }
  return matched
}

// Inside a set, and behind a backslash, a brace is a character.
function tokenWidth(pattern: string, at: number): number {
  if (pattern[at] === '\\') return 2
  return pattern[at] === '[' ? translateSet(pattern, at).width : 1
}

interface Piece {
  readonly piece: string
  readonly width: number
  readonly opens?: 1 | -1
}

function translateAt(pattern: string, at: number, depth: number, braces: ReadonlySet<number>): Piece {
  const char = pattern[at] ?? ''
  switch (char) {
    case '*':
      return translateStars(pattern, at)
    case '?':
      return { piece: '[^/]', width: 1 }
    case '[':
      return translateSet(pattern, at)
    case '{':
      return braces.has(at) ? { piece: '(?:', width: 1, opens: 1 } : { piece: '\\{', width: 1 }
    case '}':
      return braces.has(at) ? { piece: ')', width: 1, opens: -1 } : { piece: '\\}', width: 1 }
    case ',':
      return { piece: depth > 0 ? '|' : ',', width: 1 }
    case '\\':
      return { piece: escapeChar(pattern[at + 1] ?? '\\'), width: 2 }
    default: {
      const whole = String.fromCodePoint(pattern.codePointAt(at) ?? 0)
      return { piece: escapeChar(whole), width: whole.length }
    }
  }
}

// `**` is any number of folders only as a whole component; elsewhere it is a `*`.
function translateStars(pattern: string, at: number): Piece {
  const stars = /^\*+/.exec(pattern.slice(at))?.[0].length ?? 1
  const starts = at === 0 || /[/{,]/.test(pattern[at - 1] ?? '')
  const next = pattern[at + stars]
  if (stars === 1 || !starts) return { piece: '[^/]*', width: stars }
  if (next === '/') return { piece: '(?:[^/]+/)*', width: stars + 1 }
  return next === undefined || /[},]/.test(next) ? { piece: '.*', width: stars } : { piece: '[^/]*', width: stars }
}

function translateSet(pattern: string, at: number): Piece {
  const found = /^\[([!^]?)(\]?[^\]/]*)\]/.exec(pattern.slice(at))
  if (!found?.[2]) return { piece: '\\[', width: 1 }
  const members = found[2].replace(/[\\\][^&|~(){}/.]/g, '\\$&')
  const piece = `[${found[1] ? '^/' : ''}${members}]`
  return { piece: isValid(piece) ? piece : escapeAll(found[0]), width: found[0].length }
}

function isValid(source: string): boolean {
  try {
    new RegExp(source, 'u')
    return true
  } catch {
    return false
  }
}

function escapeAll(text: string): string {
  return [...text].map(escapeChar).join('')
}

function escapeChar(char: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char
}
