// awk: its program text is read for system(), pipes, files it writes and reads, and what it loads.
import { literalArg, soleValue } from '../arg.ts'
import { ask, type Findings, optionValues, type Program } from './program.ts'

/** awk, gawk, mawk, nawk. */
export const awkProgram: Program = {
  operands: ['text', 'read'],
  withoutFirst: '-f --file -e --source -E --exec',
  readOnly: true,
  options: {
    text: '-F --field-separator -v --assign -e --source',
    read: '-f --file -E --exec',
    ask: '-i --include -l --load -D --debug -o --pretty-print -d --dump-variables -p --profile',
    flag: '-b -c -C -g -h -M -n -N -O -P -r -s -S -t -V --sandbox --posix --traditional --re-interval --version',
  },
  inspect(call, found) {
    if (call.has('-f --file -E --exec')) ask(found, 'awk loads a program')
    const given = optionValues(call, '-e --source')
    const programs = given.length > 0 || call.has('-f --file -E --exec') ? given : call.operands.slice(0, 1)
    for (const program of programs) {
      const text = soleValue(program)
      if (text === undefined)
        ask(found, `the awk program can't be known: ${program.unknown ?? 'it can have several values'}`)
      else inspectTokens(tokenize(text), found)
    }
  },
}

interface Token {
  readonly kind: 'word' | 'string' | 'regex' | 'sign' | 'end'
  readonly text: string
}

const token =
  /(?<skip>[ \t\r]+|\\\n|#[^\n]*)|(?<string>"(?:\\[\s\S]|[^"\\\n])*")|(?<word>[A-Za-z_]\w*(?:::\w+)?|\d[\w.]*|\.\d+)|(?<end>[\n;{}])|(?<sign>\|\||\|&|>>|>=|<=|==|!=|&&|\+\+|--|[-+*/%^!~<>=?:,()[\]|&$@.\\'"`])|(?<other>[\s\S])/y

// A slash begins a regular expression where no value stands before it.
function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    if (text[at] === '/' && !isValue(tokens.at(-1))) {
      const end = findRegexEnd(text, at)
      tokens.push({ kind: 'regex', text: text.slice(at, end) })
      at = end
      continue
    }
    token.lastIndex = at
    const match = token.exec(text)
    const groups = match?.groups ?? {}
    at = token.lastIndex
    const kind = (['string', 'word', 'end', 'sign'] as const).find(name => groups[name] !== undefined)
    if (kind) tokens.push({ kind, text: groups[kind] ?? '' })
    else if (groups.other !== undefined) tokens.push({ kind: 'sign', text: groups.other })
  }
  return tokens
}

function isValue(before: Token | undefined): boolean {
  if (!before) return false
  if (before.kind === 'word') return !/^(print|printf|return|in|getline|case|else|do)$/.test(before.text)
  return before.kind === 'string' || [')', ']', '$', '++', '--'].includes(before.text)
}

function findRegexEnd(text: string, start: number): number {
  let inBrackets = false
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at]
    if (character === '\\') at++
    else if (character === '\n') return at
    else if (character === '[') inBrackets = true
    else if (character === ']') inBrackets = false
    else if (character === '/' && !inBrackets) return at + 1
  }
  return text.length
}

function inspectTokens(tokens: readonly Token[], found: Findings): void {
  let printDepth: number | undefined
  let depth = 0
  tokens.forEach((current, index) => {
    if (current.text === '(') depth++
    else if (current.text === ')') depth--
    else if (current.kind === 'end') printDepth = undefined
    if (current.kind === 'word') {
      if (/^printf?$/.test(current.text)) printDepth = depth
      inspectWord(tokens, index, found)
    } else if (current.kind === 'sign') {
      inspectSign(tokens, index, printDepth === depth, found)
    }
  })
}

function inspectWord(tokens: readonly Token[], index: number, found: Findings): void {
  const { text } = tokens[index] as Token
  if (text === 'system') addScript(tokens, index + 1, found, 'awk runs a command (system)')
  if (text === 'getline') inspectGetline(tokens, index, found)
  if (text.includes('::') || text === 'extension') ask(found, 'the awk program calls code of an extension')
}

function inspectGetline(tokens: readonly Token[], index: number, found: Findings): void {
  const rest = tokens.slice(index + 1, index + 8)
  const end = rest.findIndex(next => next.kind === 'end' || next.text === ')')
  const less = rest.slice(0, end === -1 ? undefined : end).findIndex(next => next.text === '<')
  if (less !== -1) addPath(tokens, index + 1 + less + 1, found.reads, found)
}

function inspectSign(tokens: readonly Token[], index: number, inPrint: boolean, found: Findings): void {
  const { text } = tokens[index] as Token
  if (text === '|' || text === '|&') inspectPipe(tokens, index, found)
  else if ((text === '>' || text === '>>') && inPrint) addPath(tokens, index + 1, found.writes, found)
  else if (text === '@') ask(found, 'the awk program loads code or calls a function by name')
}

function inspectPipe(tokens: readonly Token[], index: number, found: Findings): void {
  const reason = 'the awk program pipes to or from a command'
  if (tokens[index + 1]?.text !== 'getline') return addScript(tokens, index, found, reason)
  const [before, command] = [tokens[index - 2], tokens[index - 1]]
  const isAlone = !before || before.kind === 'end' || ['(', '=', '!', '&&', '||'].includes(before.text)
  if (command?.kind === 'string' && isAlone) found.scripts.push(literalArg(decode(command.text)))
  else ask(found, reason)
}

// A text that stands alone is known; one that is put together isn't.
function addScript(tokens: readonly Token[], index: number, found: Findings, reason: string): void {
  const isCall = tokens[index]?.text === '('
  const command = tokens[index + 1]
  const after = tokens[index + 2]
  const isAlone = isCall ? after?.text === ')' : after === undefined || after.kind === 'end'
  if (command?.kind === 'string' && isAlone) found.scripts.push(literalArg(decode(command.text)))
  else ask(found, reason)
}

function addPath(
  tokens: readonly Token[],
  index: number,
  list: ReturnType<typeof literalArg>[],
  found: Findings,
): void {
  const path = tokens[index]
  const after = tokens[index + 1]
  const isAlone = after === undefined || after.kind === 'end' || after.text === ')'
  if (path?.kind === 'string' && isAlone) list.push(literalArg(decode(path.text)))
  else ask(found, 'the awk program reads or writes a file whose name it puts together')
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '"': '"',
  '\\': '\\',
  '/': '/',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
}

function decode(quoted: string): string {
  return quoted
    .slice(1, -1)
    .replace(/\\(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3})|([\s\S]))/g, (_, hex?: string, octal?: string, other = '') => {
      if (hex) return String.fromCharCode(Number.parseInt(hex, 16))
      return octal ? String.fromCharCode(Number.parseInt(octal, 8)) : (escapes[other] ?? other)
    })
}
