// sed: its script is read, since it can run commands (e) and read and write files (r, w).
import { literalArg, soleValue, unknownArg } from '../arg.ts'
import { ask, type Findings, optionValues, type Program } from './program.ts'

/** sed. In place (-i) its files are written. */
export const sedProgram: Program = {
  operands: ['text', 'read'],
  withoutFirst: '-e --expression -f --file',
  readOnly: true,
  options: {
    text: '-e --expression -l --line-length',
    read: '-f --file',
    ask: '-I',
    flag: '-n --quiet --silent -E -r --regexp-extended -s --separate -u --unbuffered -z --null-data --debug --posix --sandbox -b --binary --follow-symlinks -i --in-place',
  },
  inspect(call, found) {
    const inPlace = call.options.some(option => option.name === '-i' || option.name === '--in-place')
    const given = optionValues(call, '-e --expression')
    const loads = call.has('-f --file')
    const scripts = given.length > 0 || loads ? given : call.operands.slice(0, 1)
    if (loads) ask(found, 'sed loads a script')
    for (const script of scripts) inspectScript(soleValue(script), script.unknown, found)
    if (!inPlace) return
    found.readOnly = false
    found.writes.push(...(given.length > 0 || loads ? call.operands : call.operands.slice(1)))
  },
}

function inspectScript(text: string | undefined, why: string | undefined, found: Findings): void {
  if (text === undefined) return ask(found, `the sed script can't be known: ${why ?? 'it can have several values'}`)
  try {
    new SedScript(text, found).read()
  } catch (error) {
    if (!(error instanceof SedProblem)) throw error
    ask(found, `the sed script can't be followed: ${error.message}`)
  }
}

class SedProblem extends Error {}

/** Follows a sed script command by command, as GNU sed reads it. */
class SedScript {
  readonly #text: string
  readonly #found: Findings
  #at = 0

  constructor(text: string, found: Findings) {
    this.#text = text
    this.#found = found
  }

  read(): void {
    this.#skip(/[\s;]/)
    while (this.#at < this.#text.length) {
      this.#readCommand()
      this.#skip(/[\s;]/)
    }
  }

  #readCommand(): void {
    if (this.#text[this.#at] === '#') return this.#skip(/[^\n]/)
    this.#readAddresses()
    this.#skip(/[\s!]/)
    const command = this.#text[this.#at++]
    if (command === undefined) throw new SedProblem('a command is missing')
    if ('{}=dDgGhHnNpPxzF'.includes(command)) return
    if (command === 's') return this.#readSubstitution()
    if (command === 'y') return this.#readTwo(this.#delimiter())
    if ('aic'.includes(command)) return this.#readText()
    if ('btTqQlLv:'.includes(command)) return this.#skip(command === ':' ? /[^\n;]/ : /[^\n;}]/)
    if (command === 'e') return ask(this.#found, 'its script runs a command (e)')
    if ('rR'.includes(command)) return this.#addFile(this.#found.reads)
    if ('wW'.includes(command)) return this.#addFile(this.#found.writes)
    throw new SedProblem(`"${command}" is no command of sed that is known here`)
  }

  #readAddresses(): void {
    this.#readAddress()
    this.#skip(/[ \t]/)
    if (this.#text[this.#at] !== ',') return
    this.#at++
    this.#skip(/[ \t]/)
    this.#readAddress()
  }

  #readAddress(): void {
    const first = this.#text[this.#at]
    if (first === '/' || first === '\\') {
      this.#at++
      this.#readUntil(first === '/' ? '/' : this.#delimiter())
      this.#skip(/[IM]/)
    } else this.#skip(/[\d$~+]/)
  }

  #readSubstitution(): void {
    this.#readTwo(this.#delimiter())
    for (;;) {
      const flag = this.#text[this.#at]
      if (flag === 'e') return ask(this.#found, 'its script runs a command (the flag e of s)')
      if (flag === 'w') {
        this.#at++
        return this.#addFile(this.#found.writes)
      }
      if (flag === undefined || !/[gpiImM\d]/.test(flag)) break
      this.#at++
    }
    this.#skip(/[ \t]/)
    const next = this.#text[this.#at]
    if (next !== undefined && !/[\n;}#]/.test(next)) throw new SedProblem('flags of s are not known here')
  }

  #delimiter(): string {
    const delimiter = this.#text[this.#at++]
    if (delimiter === undefined || delimiter === '\n' || delimiter === '\\')
      throw new SedProblem('a delimiter is missing')
    return delimiter
  }

  #readTwo(delimiter: string): void {
    this.#readUntil(delimiter)
    this.#readUntil(delimiter, true)
  }

  // Inside brackets a slash is an ordinary character for some versions and the end for others: both must not matter.
  #readUntil(delimiter: string, isReplacement = false): void {
    let inBrackets = false
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at]
      if (character === '\\') this.#at++
      else if (!isReplacement && character === '[') inBrackets = true
      else if (character === ']') inBrackets = false
      else if (character === delimiter) {
        if (inBrackets) throw new SedProblem('a delimiter stands inside brackets')
        this.#at++
        return
      }
    }
    throw new SedProblem(`no "${delimiter}" ends it`)
  }

  #readText(): void {
    for (; this.#at < this.#text.length; this.#at++) {
      if (this.#text[this.#at] === '\\') this.#at++
      else if (this.#text[this.#at] === '\n') return
    }
  }

  #addFile(list: { push(arg: ReturnType<typeof literalArg>): unknown }): void {
    this.#skip(/[ \t]/)
    const end = this.#text.indexOf('\n', this.#at)
    const name = this.#text.slice(this.#at, end === -1 ? undefined : end)
    this.#at = end === -1 ? this.#text.length : end
    list.push(name === '' ? unknownArg('', 'a file name is missing in the sed script') : literalArg(name))
  }

  #skip(pattern: RegExp): void {
    while (this.#at < this.#text.length && pattern.test(this.#text[this.#at] as string)) this.#at++
  }
}
