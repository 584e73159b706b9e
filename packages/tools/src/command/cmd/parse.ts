// Reads a line for Windows' cmd as far as judging it needs. What cmd would read in its own peculiar ways (`for`, `if`
// with blocks, labels, delayed expansion) is not followed: it is an error, and then asked.

/** One command: its words, and where its output goes. */
export interface CmdCommand {
  readonly text: string
  readonly words: readonly CmdWord[]
  readonly redirections: readonly { readonly operator: string; readonly target: CmdWord }[]
}

export interface CmdWord {
  /** As it stands there, without quotes and carets. */
  readonly text: string
  /** A variable takes part: it is not known beforehand. */
  readonly isUnknown: boolean
  readonly isQuoted: boolean
}

/** A line that is not read here; the message is for a person. */
export class CmdSyntaxError extends Error {
  override readonly name = 'CmdSyntaxError'
}

const maxCharacters = 32 * 1024
const variable = /%[^%\s]*%|![^!\s]*!|%~?[\w*]/y

/** The commands of a text, in order. Throws CmdSyntaxError. */
export function parseCmd(text: string): readonly CmdCommand[] {
  if (text.length > maxCharacters) throw new CmdSyntaxError(`it is longer than ${maxCharacters / 1024} KB`)
  if (text.includes('\0')) throw new CmdSyntaxError('it holds a NUL character')
  const reader = new CmdReader(text)
  return reader.commands()
}

class CmdReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  commands(): readonly CmdCommand[] {
    const found: CmdCommand[] = []
    let depth = 0
    for (;;) {
      this.#skip(/[\s&|;,=@]*/y)
      if (this.#at >= this.#text.length) break
      const character = this.#text[this.#at]
      if (character === '(') depth++
      if (character === ')' && --depth < 0) throw new CmdSyntaxError('a ")" closes nothing')
      if (character === '(' || character === ')') {
        this.#at++
        continue
      }
      found.push(this.#command())
    }
    if (depth > 0) throw new CmdSyntaxError('a ")" is missing at its end')
    return found
  }

  #command(): CmdCommand {
    const start = this.#at
    const words: CmdWord[] = []
    const redirections: { operator: string; target: CmdWord }[] = []
    for (;;) {
      this.#skip(/[ \t,;=]*/y)
      if (this.#at >= this.#text.length || /[&|\r\n()]/.test(this.#text[this.#at] ?? '')) break
      const redirection = this.#take(/\d?(>>?|<)/y)
      if (redirection === undefined) words.push(this.#word())
      else if (this.#take(/&\d/y) === undefined) {
        this.#skip(/[ \t]*/y)
        redirections.push({ operator: redirection, target: this.#word() })
      }
    }
    if (words.length === 0) throw new CmdSyntaxError('there is no command where one should stand')
    return { text: this.#text.slice(start, this.#at).trim(), words, redirections }
  }

  #word(): CmdWord {
    const start = this.#at
    const pieces: CmdWord[] = []
    for (let piece = this.#piece(); piece; piece = this.#piece()) pieces.push(piece)
    if (this.#at === start) throw new CmdSyntaxError(`"${this.#text.slice(start, start + 20)}" is not read here`)
    return {
      text: pieces.map(piece => piece.text).join(''),
      isUnknown: pieces.some(piece => piece.isUnknown),
      isQuoted: pieces.some(piece => piece.isQuoted),
    }
  }

  // Undefined at the end of the word.
  #piece(): CmdWord | undefined {
    const plain = { isUnknown: false, isQuoted: false }
    const character = this.#text[this.#at] ?? ''
    const used = this.#take(variable)
    if (used !== undefined) return { text: used, isUnknown: true, isQuoted: false }
    if (character === '"') return this.#quoted()
    if (character === '^') {
      const next = this.#text[this.#at + 1]
      if (next === undefined || /[\r\n]/.test(next)) throw new CmdSyntaxError('it goes on behind a "^"')
      this.#at += 2
      return { ...plain, text: next }
    }
    // The name of a variable may hold blanks.
    const mark = this.#take(/[%!]/y)
    if (mark !== undefined) return { text: mark, isUnknown: true, isQuoted: false }
    const text = this.#take(/[^\s&|<>(),;=^"%!]+/y)
    return text === undefined ? undefined : { ...plain, text }
  }

  #quoted(): CmdWord {
    const end = this.#text.indexOf('"', this.#at + 1)
    if (end < 0) throw new CmdSyntaxError('a quote is not closed')
    const text = this.#text.slice(this.#at + 1, end)
    this.#at = end + 1
    // Variables are replaced in quotes too.
    return { text, isUnknown: /[%!]/.test(text), isQuoted: true }
  }

  #skip(pattern: RegExp): void {
    this.#take(pattern)
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    if (found !== undefined) this.#at += found.length
    return found
  }
}
