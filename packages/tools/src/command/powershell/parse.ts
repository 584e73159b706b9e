// Reads PowerShell as far as judging it needs: which commands could run, with which words. It reads less than PowerShell
// does; whatever it does not know is an error or a risk, and then asked.
import {
  type Element,
  type Expression,
  type Piece,
  type Pipeline,
  PowershellSyntaxError,
  type Redirection,
  type Script,
  type ScriptRisk,
  type Word,
} from './syntax.ts'

const maxCharacters = 128 * 1024
const maxDepth = 60

/** Parses a script. Throws PowershellSyntaxError for what is unfinished, too long, too deep or not known here. */
export function parsePowershell(text: string): Script {
  if (text.length > maxCharacters) throw new PowershellSyntaxError(`it is longer than ${maxCharacters / 1024} KB`)
  if (text.includes('\0')) throw new PowershellSyntaxError('it holds a NUL character')
  const parser = new Parser(text)
  const script = parser.script('')
  return script
}

// PowerShell takes typographic quotes and dashes for plain ones.
const singleQuote = /['\u2018\u2019\u201a\u201b]/
const doubleQuote = /["\u201c\u201d\u201e]/
const dash = /[-\u2013\u2014\u2015]/
const blank = /[ \t\f\v\u00a0\u0085]/
const newline = /[\r\n]/
const variableName = /^(?:[A-Za-z_][\w]*:)?[A-Za-z_][\w]*|^[$?^_]/

const blockKeywords = new Set(['else', 'try', 'finally', 'do', 'begin', 'process', 'end', 'clean'])
const conditionKeywords = new Set(['if', 'elseif', 'while', 'until', 'switch', 'for', 'foreach'])
const valueKeywords = new Set(['return', 'throw', 'exit'])
const bodyKeywords = new Set(['catch', 'trap', 'function', 'filter'])
const plainKeywords = new Set(['break', 'continue'])
const unreadKeywords = new Set(
  'class enum using configuration workflow data dynamicparam param parallel sequence inlinescript define var from'.split(
    ' ',
  ),
)
const safeTypes = new Set(
  'int int32 int64 long string bool double float decimal char byte datetime timespan array object void uint32 version regex hashtable ordered pscustomobject psobject switch'.split(
    ' ',
  ),
)

class Parser {
  readonly #text: string
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Statements up to `close`, which is taken too; up to the end of the text for ''. */
  script(close: '' | ')' | '}'): Script {
    if (++this.#depth > maxDepth) throw new PowershellSyntaxError('it is nested too deep')
    const pipelines: Pipeline[] = []
    const risks: ScriptRisk[] = []
    for (;;) {
      this.#skipSeparators()
      if (this.#at >= this.#text.length) {
        if (close !== '') throw new PowershellSyntaxError(`a "${close}" is missing at its end`)
        break
      }
      if (close !== '' && this.#peek() === close) {
        this.#at++
        break
      }
      if (/[)}]/.test(this.#peek())) throw new PowershellSyntaxError(`a "${this.#peek()}" closes nothing`)
      this.#statement(pipelines, risks)
    }
    this.#depth--
    return { pipelines, risks }
  }

  #statement(pipelines: Pipeline[], risks: ScriptRisk[]): void {
    const start = this.#at
    const word = /^[A-Za-z]+(?![\w-])/.exec(this.#rest(20))?.[0].toLowerCase() ?? ''
    if (unreadKeywords.has(word)) throw new PowershellSyntaxError(`"${word}" is not read here`)
    const add = (script: Script) => {
      pipelines.push(...script.pipelines)
      risks.push(...script.risks)
    }
    if (!this.#keyword(word, add)) {
      if (valueKeywords.has(word)) this.#at += word.length
      this.#skipBlanks()
      if (!this.#isStatementEnd()) pipelines.push(this.#pipeline())
    }
    if (this.#at === start) throw new PowershellSyntaxError(`"${this.#rest(20)}" is not read here`)
  }

  // A statement that begins with a keyword of the language; false for all others.
  #keyword(word: string, add: (script: Script) => void): boolean {
    const isKnown =
      blockKeywords.has(word) || conditionKeywords.has(word) || plainKeywords.has(word) || bodyKeywords.has(word)
    if (!isKnown) return false
    this.#at += word.length
    if (blockKeywords.has(word)) add(this.#block())
    else if (conditionKeywords.has(word)) this.#condition(word, add)
    else if (plainKeywords.has(word)) this.#label()
    else if (word === 'catch' || word === 'trap') this.#catch(add)
    else this.#function(word, add)
    return true
  }

  #label(): void {
    this.#skipBlanks()
    if (/[A-Za-z]/.test(this.#peek())) this.#word()
  }

  #catch(add: (script: Script) => void): void {
    this.#skipBlanks()
    while (this.#peek() === '[') {
      this.#type()
      this.#skipBlanks()
      if (this.#peek() === ',') this.#at++
      this.#skipBlanks()
    }
    add(this.#block())
  }

  #function(word: string, add: (script: Script) => void): void {
    this.#skipBlanks()
    const name = /^[\w:-]+/.exec(this.#rest(200))?.[0]
    if (name === undefined) throw new PowershellSyntaxError('a function has no name')
    this.#at += name.length
    this.#skipBlanks()
    if (this.#peek() === '(') throw new PowershellSyntaxError('the parameters of a function are not read here')
    add({ pipelines: [], risks: [{ text: `${word} ${name}`, reason: `it gives the name ${name} a meaning` }] })
    add(this.#block())
  }

  #condition(word: string, add: (script: Script) => void): void {
    this.#skipBlanks()
    // switch -Regex -File x (…) is rare: what it reads then is not known here.
    if (word === 'switch' && this.#peek() !== '(')
      throw new PowershellSyntaxError('this form of switch is not read here')
    if (this.#peek() !== '(') throw new PowershellSyntaxError(`"${word}" has no condition`)
    this.#at++
    const head = /^\s*\$[\w:]+\s+in\s/i.exec(this.#rest(200))
    if (word === 'foreach') {
      if (!head) throw new PowershellSyntaxError('this form of foreach is not read here')
      this.#at += head[0].length
    }
    add(this.script(')'))
    if (word === 'until') return
    this.#skipSpace()
    if (word === 'while' && this.#peek() !== '{') return
    if (word === 'switch') throw new PowershellSyntaxError('"switch" is not read here')
    add(this.#block())
  }

  #block(): Script {
    this.#skipSpace()
    if (this.#peek() !== '{') throw new PowershellSyntaxError('a "{" is missing')
    this.#at++
    return this.script('}')
  }

  #pipeline(): Pipeline {
    const elements: Element[] = []
    for (;;) {
      this.#skipBlanks()
      elements.push(this.#element())
      this.#skipBlanks()
      if (this.#startsWith('||') || this.#startsWith('&&')) {
        this.#at += 2
        this.#skipSpace()
        return { elements }
      }
      if (this.#peek() === '|') {
        this.#at++
        this.#skipSpace()
        if (this.#at >= this.#text.length) throw new PowershellSyntaxError('it ends with a "|"')
        continue
      }
      if (this.#peek() === '&') this.#at++
      return { elements }
    }
  }

  #element(): Element {
    const start = this.#at
    const first = this.#peek()
    const next = this.#text[this.#at + 1] ?? ''
    if (first === '&') {
      this.#at++
      return this.#command(start, '&')
    }
    if (first === '.' && (blank.test(next) || /["'$({]/.test(next))) {
      this.#at++
      return this.#command(start, '.')
    }
    const isExpression =
      /[$(@[{,!]/.test(first) ||
      singleQuote.test(first) ||
      doubleQuote.test(first) ||
      /^[+]?\d/.test(this.#rest(3)) ||
      (dash.test(first) && !/[A-Za-z]/.test(next)) ||
      /^-(not|bnot|split|join|csplit|isplit)\b/i.test(this.#rest(12))
    return isExpression ? this.#expression() : this.#command(start)
  }

  #command(start: number, call?: '&' | '.'): Element {
    const words: Word[] = []
    const redirections: Redirection[] = []
    for (;;) {
      this.#skipBlanks()
      if (this.#isStatementEnd() || /[|&]/.test(this.#peek())) break
      if (this.#redirection(redirections)) continue
      if (this.#peek() === ',') {
        this.#at++
        continue
      }
      if (this.#startsWith('--%') && (this.#at + 3 >= this.#text.length || /\s/.test(this.#text[this.#at + 3] ?? ''))) {
        words.push(...this.#verbatim())
        break
      }
      words.push(this.#word())
    }
    if (words.length === 0) throw new PowershellSyntaxError('there is no command where one should stand')
    const text = this.#text.slice(start, this.#at).trim()
    return { kind: 'command', text, words, redirections, ...(call && { call }) }
  }

  // After --% the rest of the line goes to the program as it is, but for %NAME%.
  #verbatim(): readonly Word[] {
    const end = /[\r\n|;]|&&|\|\|/.exec(this.#text.slice(this.#at))
    const rest = this.#text.slice(this.#at + 3, end ? this.#at + end.index : undefined)
    this.#at += 3 + rest.length
    return rest
      .split(/\s+/)
      .filter(word => word !== '')
      .map(text => {
        const isKnown = !/["'%]/.test(text)
        const piece: Piece = isKnown ? { text, value: text } : { text, reason: 'it stands behind --%' }
        return { text, pieces: [piece], isQuoted: false, blocks: [], isBlock: false }
      })
  }

  #redirection(found: Redirection[]): boolean {
    const operator = /^(?:\d|\*)?>>?/.exec(this.#rest(4))?.[0]
    if (operator === undefined) {
      if (this.#peek() === '<') throw new PowershellSyntaxError('"<" is not used in PowerShell')
      return false
    }
    this.#at += operator.length
    const merged = /^&\d/.exec(this.#rest(2))?.[0]
    if (merged !== undefined) {
      this.#at += merged.length
      return true
    }
    this.#skipBlanks()
    if (this.#isStatementEnd()) throw new PowershellSyntaxError('a redirection has no target')
    found.push({ operator, target: this.#word() })
    return true
  }

  #word(): Word {
    const start = this.#at
    const pieces: Piece[] = []
    const blocks: Script[] = []
    const first = this.#peek()
    const isQuoted = singleQuote.test(first) || doubleQuote.test(first)
    let isBlock = false
    while (this.#at < this.#text.length && !this.#isWordEnd()) {
      const before = this.#at
      if (this.#peek() === '{' && this.#at === start) isBlock = true
      else isBlock = false
      this.#piece(pieces, blocks)
      if (this.#at === before) throw new PowershellSyntaxError(`"${this.#rest(20)}" is not read here`)
      isBlock &&= this.#isWordEnd()
    }
    return { text: this.#text.slice(start, this.#at), pieces, blocks, isQuoted, isBlock }
  }

  #piece(pieces: Piece[], blocks: Script[]): void {
    const character = this.#peek()
    if (singleQuote.test(character)) pieces.push(this.#single())
    else if (doubleQuote.test(character)) pieces.push(this.#double(blocks))
    else if (character === '`') pieces.push(this.#bareEscape())
    else if (character === '$') pieces.push(this.#variable(blocks))
    else if (character === '@') pieces.push(this.#at_(blocks))
    else if (character === '(') {
      this.#at++
      blocks.push(this.script(')'))
      pieces.push({ text: '(…)', reason: 'it is what other commands give' })
    } else if (character === '{') {
      this.#at++
      blocks.push(this.script('}'))
      pieces.push({ text: '{…}', reason: 'it is a script block' })
    } else {
      const start = this.#at
      while (this.#at < this.#text.length && !this.#isWordEnd() && !/[`$@({"'\u2018-\u201e]/.test(this.#peek()))
        this.#at++
      if (this.#at === start) this.#at++
      const text = this.#text.slice(start, this.#at)
      pieces.push({ text, value: text })
    }
  }

  #single(): Piece {
    const start = this.#at++
    let value = ''
    for (;;) {
      if (this.#at >= this.#text.length) throw new PowershellSyntaxError('a quote is not closed')
      const character = this.#text[this.#at++] ?? ''
      if (!singleQuote.test(character)) value += character
      else if (singleQuote.test(this.#peek())) value += this.#text[this.#at++]
      else return { text: this.#text.slice(start, this.#at), value }
    }
  }

  #double(blocks: Script[]): Piece {
    const start = this.#at++
    let value: string | undefined = ''
    let reason: string | undefined
    const add = (piece: Piece) => {
      value = value === undefined || piece.value === undefined ? undefined : value + piece.value
      reason ??= piece.reason
    }
    for (;;) {
      if (this.#at >= this.#text.length) throw new PowershellSyntaxError('a quote is not closed')
      const character = this.#peek()
      if (doubleQuote.test(character)) {
        this.#at++
        if (!doubleQuote.test(this.#peek())) break
        add({ text: '""', value: this.#text[this.#at++] ?? '' })
      } else if (character === '`') add(this.#escape())
      else if (character === '$' && /[A-Za-z_{(?^$:]/.test(this.#text[this.#at + 1] ?? ''))
        add(this.#variable(blocks, true))
      else add({ text: character, value: this.#text[this.#at++] ?? '' })
    }
    return { text: this.#text.slice(start, this.#at), ...(value === undefined ? { reason } : { value }) }
  }

  // Windows PowerShell and PowerShell 7 differ in what `e is; as a letter it is found by rules that deny.
  #bareEscape(): Piece {
    const escaped = this.#escape()
    const letter = escaped.text.slice(1)
    return { text: escaped.text, value: newline.test(letter) ? '' : letter }
  }

  // `n and its like are control characters; before anything else a backtick only takes away a meaning.
  #escape(): Piece {
    const next = this.#text[this.#at + 1]
    if (next === undefined) throw new PowershellSyntaxError('it ends with a backtick')
    this.#at += 2
    const controls: Readonly<Record<string, string>> = {
      n: '\n',
      t: '\t',
      r: '\r',
      0: '\0',
      a: '\x07',
      b: '\b',
      f: '\f',
      v: '\v',
      e: '\x1b',
    }
    if (next === 'u' && this.#peek() === '{')
      throw new PowershellSyntaxError('a character by its number is not read here')
    if (next === '\r' && this.#peek() === '\n') this.#at++
    return { text: `\`${next}`, value: newline.test(next) ? '' : (controls[next] ?? next) }
  }

  #variable(blocks: Script[], inString = false): Piece {
    const start = this.#at++
    if (this.#peek() === '(') {
      this.#at++
      blocks.push(this.script(')'))
      return { text: this.#text.slice(start, this.#at), reason: 'it is what other commands give' }
    }
    if (this.#peek() === '{') {
      const end = this.#text.indexOf('}', this.#at)
      if (end < 0) throw new PowershellSyntaxError('a "}" is missing at its end')
      this.#at = end + 1
      return knownVariable(this.#text.slice(start, this.#at), this.#text.slice(start + 2, end))
    }
    const name = variableName.exec(this.#rest(200))?.[0]
    if (name === undefined) return { text: '$', value: '$' }
    this.#at += name.length
    const piece = knownVariable(`$${name}`, name)
    if (inString) return piece
    return this.#members(piece, start, blocks)
  }

  // `$x.Name`, `$x[0]`, `$x.Call()`: in a word of a command they belong to it.
  #members(piece: Piece, start: number, blocks: Script[]): Piece {
    let hasMembers = false
    for (;;) {
      const member = /^(?:\.|::)[A-Za-z_]\w*/.exec(this.#rest(200))?.[0]
      if (member !== undefined) {
        this.#at += member.length
        if (this.#peek() === '(') throw new PowershellSyntaxError('a method is called, and what it does is not known')
      } else if (this.#peek() === '[') {
        this.#at++
        this.#group(']', blocks, [])
      } else break
      hasMembers = true
    }
    if (!hasMembers) return piece
    return { text: this.#text.slice(start, this.#at), reason: 'it is a part of a value that is not known beforehand' }
  }

  // @(…), @{…}, @'…'@, @"…"@, @splat.
  #at_(blocks: Script[]): Piece {
    const start = this.#at
    const next = this.#text[this.#at + 1] ?? ''
    const here = /^@(['"\u2018-\u201e])[ \t]*\r?\n/.exec(this.#rest(200))
    if (here) return this.#hereString(here[0].length, here[1] ?? '', blocks)
    if (next === '(') {
      this.#at += 2
      blocks.push(this.script(')'))
      return { text: this.#text.slice(start, this.#at), reason: 'it is what other commands give' }
    }
    if (next === '{') {
      this.#at += 2
      this.#hash(blocks)
      return { text: this.#text.slice(start, this.#at), reason: 'it is a table of values' }
    }
    const name = /^[A-Za-z_]\w*/.exec(this.#text.slice(start + 1, start + 200))?.[0]
    this.#at += 1 + (name?.length ?? 0)
    if (name === undefined || (start > 0 && !/[\s|;({,]/.test(this.#text[start - 1] ?? ' ')))
      return { text: this.#text.slice(start, this.#at), value: this.#text.slice(start, this.#at) }
    return { text: this.#text.slice(start, this.#at), reason: `the words in @${name} are not known beforehand` }
  }

  #hereString(opening: number, quote: string, blocks: Script[]): Piece {
    const start = this.#at
    const isSingle = singleQuote.test(quote)
    const body = this.#text.slice(start + opening - 1)
    const end = (isSingle ? /\n['\u2018-\u201b]@/ : /\n["\u201c-\u201e]@/).exec(body)
    if (!end) throw new PowershellSyntaxError('a here-string is not closed')
    const content = body.slice(1, Math.max(1, end.index))
    this.#at = start + opening - 1 + end.index + 3
    const text = this.#text.slice(start, this.#at)
    if (isSingle) return { text, value: content }
    if (!/[$`]/.test(content)) return { text, value: content }
    // As in a string: what stands in $(…) runs.
    const inner = new Parser(`"${content.replace(/"/g, '""')}"`)
    inner.#depth = this.#depth
    const piece = inner.#double(blocks)
    return { text, ...(piece.value === undefined ? { reason: piece.reason } : { value: piece.value }) }
  }

  // Keys and their values; a value is a statement.
  #hash(blocks: Script[]): void {
    for (;;) {
      this.#skipSeparators()
      if (this.#at >= this.#text.length) throw new PowershellSyntaxError('a "}" is missing at its end')
      if (this.#peek() === '}') {
        this.#at++
        return
      }
      this.#word()
      this.#skipSpace()
      if (this.#peek() !== '=') throw new PowershellSyntaxError('a table of values is not read here')
      this.#at++
      this.#skipSpace()
      blocks.push({ pipelines: [this.#pipeline()], risks: [] })
    }
  }

  #expression(): Expression {
    const start = this.#at
    const risks: string[] = []
    const blocks: Script[] = []
    const redirections: Redirection[] = []
    const assignment =
      /^(?:\[[\w.[\]]+\]\s*)?\$(\{[^}]*\}|[\w:?]+)((?:\.\w+|\[[^\]]*\])*)\s*(?:[-+*/%]|\?\?)?=(?!=)/.exec(
        this.#rest(500),
      )
    if (assignment) {
      this.#at += assignment[0].length
      const risk = findAssignmentRisk(assignment[1] ?? '', assignment[2] ?? '', assignment[0])
      if (risk !== undefined) risks.push(risk)
      this.#skipSpace()
      if (this.#isStatementEnd()) throw new PowershellSyntaxError('an assignment has no value')
      const value = this.#element()
      // What it gives is kept in the variable; that it is run is the same.
      blocks.push({ pipelines: [{ elements: [value] }], risks: [] })
    } else {
      this.#group('', blocks, risks)
      while (this.#redirection(redirections)) this.#skipBlanks()
    }
    return { kind: 'expression', text: this.#text.slice(start, this.#at).trim(), risks, blocks, redirections }
  }

  /** Values and operators up to `close`, or to the end of the expression for ''. */
  #group(close: '' | ']', blocks: Script[], risks: string[]): void {
    const pieces: Piece[] = []
    for (;;) {
      if (close === '') this.#skipBlanks()
      else this.#skipSpace()
      if (this.#at >= this.#text.length) {
        if (close !== '') throw new PowershellSyntaxError(`a "${close}" is missing at its end`)
        return
      }
      const character = this.#peek()
      if (close !== '' && character === close) {
        this.#at++
        return
      }
      if (close === '' && (this.#isStatementEnd() || /[|&]/.test(character))) return
      if (/^(?:\d|\*)?>/.test(this.#rest(3))) return
      if (/[)}\]]/.test(character)) {
        if (close === '') return
        throw new PowershellSyntaxError(`a "${character}" closes nothing`)
      }
      if (character === '[') this.#typeOrIndex(blocks, risks)
      else if (/^(?:\.|::)[A-Za-z_]/.test(this.#rest(4))) this.#member(risks)
      else if (/["'\u2018-\u201e`$@({]/.test(character)) this.#piece(pieces, blocks)
      else this.#operator(close)
    }
  }

  #member(risks: string[]): void {
    const member = /^(\.|::)\w+/.exec(this.#rest(200))?.[0] ?? '.'
    this.#at += member.length
    if (member.startsWith('::')) risks.push(`${member.slice(2)} of .NET is used, and what it does is not known`)
    else if (this.#peek() === '(' || this.#peek() === '{')
      risks.push(`the method ${member.slice(1)} is called, and what it does is not known`)
  }

  #typeOrIndex(blocks: Script[], risks: string[]): void {
    const type = /^\[([A-Za-z_][\w.]*)(?:\[\])?\]/.exec(this.#rest(200))
    if (!type) {
      this.#at++
      this.#group(']', blocks, risks)
      return
    }
    this.#at += type[0].length
    const name = (type[1] ?? '').toLowerCase()
    if (!safeTypes.has(name) && !this.#startsWith('::'))
      risks.push(`a value is made a ${type[1]}, and what that does is not known`)
  }

  #type(): void {
    const type = /^\[[\w.]+\]/.exec(this.#rest(200))?.[0]
    if (type === undefined) throw new PowershellSyntaxError('a type is not read here')
    this.#at += type.length
  }

  // Numbers, operators, names of properties: they do nothing by themselves.
  #operator(close: string): void {
    const before = this.#at
    const text = /^(?:[-\u2013-\u2015][A-Za-z]+\b|[\w.]+|[-+*/%,!=?:\u2013-\u2015]|\.\.)/.exec(this.#rest(200))?.[0]
    if (text !== undefined) this.#at += text.length
    // After an operator or a comma the expression goes on in the next line.
    if (text !== undefined && /^[-+*/%,]|^[\u2013-\u2015]/.test(text)) this.#skipSpace()
    if (this.#at === before) throw new PowershellSyntaxError(`"${this.#rest(20)}" is not read here${close}`)
  }

  #isWordEnd(): boolean {
    const character = this.#peek()
    if (character === '' || blank.test(character) || newline.test(character)) return true
    return /[|;&,)}<>]/.test(character)
  }

  #isStatementEnd(): boolean {
    const character = this.#peek()
    return character === '' || newline.test(character) || /[;)}]/.test(character)
  }

  #peek(): string {
    return this.#text[this.#at] ?? ''
  }

  #rest(length: number): string {
    return this.#text.slice(this.#at, this.#at + length)
  }

  #startsWith(text: string): boolean {
    return this.#text.startsWith(text, this.#at)
  }

  #skipBlanks(): void {
    for (;;) {
      if (blank.test(this.#peek())) this.#at++
      else if (/^`(\r?\n)/.test(this.#rest(3))) this.#at += this.#rest(3).startsWith('`\r\n') ? 3 : 2
      else if (this.#startsWith('<#')) this.#skipBlockComment()
      else if (this.#peek() === '#' && (this.#at === 0 || /[\s;|({]/.test(this.#text[this.#at - 1] ?? ' ')))
        this.#skipLine()
      else return
    }
  }

  #skipSpace(): void {
    for (;;) {
      this.#skipBlanks()
      if (!newline.test(this.#peek())) return
      this.#at++
    }
  }

  #skipSeparators(): void {
    for (;;) {
      this.#skipSpace()
      if (this.#peek() !== ';') return
      this.#at++
    }
  }

  #skipLine(): void {
    while (this.#at < this.#text.length && !newline.test(this.#peek())) this.#at++
  }

  #skipBlockComment(): void {
    const end = this.#text.indexOf('#>', this.#at)
    if (end < 0) throw new PowershellSyntaxError('a comment is not closed')
    this.#at = end + 2
  }
}

/** Variables whose value is known: `value` is then a name in percent signs, which the judging fills in. */
function knownVariable(text: string, name: string): Piece {
  switch (name.toLowerCase()) {
    case 'null':
      return { text, value: '' }
    case 'true':
    case 'false':
      return { text, value: name }
    case 'home':
    case 'env:home':
    case 'env:userprofile':
      return { text, value: homeMark }
    case 'pwd':
      return { text, value: '.' }
    default:
      return { text, reason: `the value of ${text} is not known beforehand` }
  }
}

/** Stands for the home folder in a value. A text can't hold it, as it has a NUL. */
export const homeMark = '\0home\0'

const plainScopes = /^(global|script|local|private|using):/i
const meaningful =
  /^(env|function|alias|variable):|^(PSDefaultParameterValues|ExecutionContext|PSModulePath|OutputEncoding|PROFILE|PSScriptRoot|PSCommandPath|PSModuleAutoLoadingPreference|PSNativeCommandArgumentPassing|ErrorActionPreference_|ConfirmPreference|WhatIfPreference|OFS)$/i

function findAssignmentRisk(name: string, members: string, text: string): string | undefined {
  const plain = name.replace(/^\{|\}$/g, '').replace(plainScopes, '')
  if (meaningful.test(plain)) return `${text.trim()} … can change what other commands do`
  if (members.includes('.')) return 'a property of an object is set, and what that does is not known'
  return undefined
}
