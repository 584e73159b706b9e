import type { Assignment, Command, SyntaxNode, Word } from 'unbash'
import { printsNumber } from './numeric-output.ts'
import type { Unbash } from './parse.ts'
import { resolveWord, type Variable } from './word-args.ts'

/** How a variable is set somewhere in the text. */
type Setting =
  | { readonly kind: 'word'; readonly word: Word }
  | { readonly kind: 'number' }
  | { readonly kind: 'unknown' }

const setters: ReadonlySet<string> = new Set([
  'read',
  'mapfile',
  'readarray',
  'getopts',
  'unset',
  'printf',
  'wait',
  'local',
  'declare',
  'typeset',
  'export',
  'readonly',
])

/**
 * Every way in which a text sets its variables, wherever in it. A variable whose settings are all written out has
 * known values; one that is set from anywhere else has none.
 */
export class Variables {
  readonly #settings = new Map<string, Setting[]>()
  readonly #associative = new Set<string>()
  readonly #known = new Map<string, Variable | undefined>()
  #hasOthers = false
  #mayUndefine = false

  /** Adds what a script sets. */
  collect(node: SyntaxNode, unbash: Unbash): void {
    this.#known.clear()
    const visit = (child: SyntaxNode): void => {
      this.#collectOne(child)
      unbash.forEachChild(child, visit)
    }
    visit(node)
  }

  /** Is it set anywhere in the text? */
  isSet(name: string): boolean {
    return this.#settings.has(name)
  }

  /** May a function that was defined be gone later (`unset -f`, eval, a sourced file)? */
  get mayUndefine(): boolean {
    return this.#mayUndefine || this.#hasOthers
  }

  isAssociative(name: string): boolean {
    return this.#associative.has(name)
  }

  /** Its values, each written out in the text; undefined where one of them is not. */
  valuesOf(name: string): Variable | undefined {
    if (!this.#known.has(name)) this.#known.set(name, this.#resolve(name))
    return this.#known.get(name)
  }

  /** Is it set in the text, and only ever to plain numbers? Else evaluating it may run a command. */
  isNumber(name: string): boolean {
    if (this.#hasOthers) return false
    const settings = this.#settings.get(name)
    if (!settings) return false
    return settings.every(setting => {
      if (setting.kind === 'number') return true
      if (setting.kind === 'unknown') return false
      return isNumberWord(setting.word)
    })
  }

  #resolve(name: string): Variable | undefined {
    const settings = this.#settings.get(name)
    if (!settings || this.#hasOthers) return undefined
    const values = new Set<string>()
    let isGlob = false
    for (const setting of settings) {
      if (setting.kind === 'unknown') return undefined
      if (setting.kind === 'number') values.add('0')
      else {
        for (const arg of resolveWord(setting.word, noVariables)) {
          if (!arg.values) return undefined
          isGlob ||= arg.isGlob
          for (const value of arg.values) values.add(value)
        }
      }
    }
    return { values: [...values], isGlob }
  }

  #collectOne(node: SyntaxNode): void {
    switch (node.type) {
      case 'Assignment':
        return this.#add(node.name.replace(/\[.*/s, ''), settingOf(node))
      case 'For':
      case 'Select':
        if (!node.wordlist || node.wordlist.length === 0) this.#add(node.name.value, { kind: 'unknown' })
        for (const word of node.wordlist ?? []) this.#add(node.name.value, { kind: 'word', word })
        return
      case 'Command':
        return this.#collectCommand(node)
      case 'ParameterExpansion':
        if (node.operation?.type === 'Default' && node.operation.operator.endsWith('='))
          this.#add(node.parameter, { kind: 'unknown' })
        return
      case 'ArithmeticBinary':
        if (/^([-+*/%&|^]|<<|>>)?=$/.test(node.operator) && node.left.type === 'ArithmeticWord')
          this.#addNumber(node.left.value)
        return
      case 'ArithmeticUnary':
        if (/^(\+\+|--)$/.test(node.operator) && node.operand.type === 'ArithmeticWord')
          this.#addNumber(node.operand.value)
        return
      case 'FileDescriptorVariable':
        return this.#add(node.name, { kind: 'number' })
      default:
        return
    }
  }

  #collectCommand(command: Command): void {
    const name = command.name?.value ?? ''
    if (name === 'eval' || name === 'source' || name === '.') this.#hasOthers = true
    if (name === 'let') for (const arg of command.args) this.#addNumber(/^[A-Za-z_]\w*/.exec(wordText(arg))?.[0] ?? '')
    // Also `builtin unset`, `command unset`.
    if (/^(unset|builtin|command)$/.test(name)) this.#mayUndefine = true
    if (!setters.has(name)) return
    const texts = command.args.map(wordText)
    if (texts.some(text => /^-\w*A/.test(text)))
      for (const text of texts) this.#associative.add(text.replace(/=.*/s, ''))
    for (const text of texts) if (/^[A-Za-z_]\w*(\[.*)?$/s.test(text)) this.#addDeclared(name, text)
  }

  // `export X` leaves the value as it is; `local x` empties it; read and its like set what can't be known.
  #addDeclared(command: string, text: string): void {
    if (command === 'export' || command === 'readonly') return
    this.#add(text.replace(/\[.*/s, ''), { kind: 'unknown' })
  }

  #addNumber(name: string): void {
    if (/^[A-Za-z_]\w*$/.test(name)) this.#add(name, { kind: 'number' })
  }

  #add(name: string, setting: Setting): void {
    const settings = this.#settings.get(name)
    if (settings) settings.push(setting)
    else this.#settings.set(name, [setting])
  }
}

const noVariables = { lookup: () => undefined }

function settingOf(assignment: Assignment): Setting {
  if (assignment.append || assignment.index || assignment.value.type !== 'Word') return { kind: 'unknown' }
  return { kind: 'word', word: assignment.value }
}

function isNumberWord(word: Word): boolean {
  const [part, ...more] = word.parts ?? []
  const only = part?.type === 'DoubleQuoted' && part.parts.length === 1 ? part.parts[0] : part
  if (more.length === 0 && only?.type === 'CommandExpansion') return printsNumber(only.script)
  return resolveWord(word, noVariables).every(arg => arg.values?.every(value => /^\s*[-+]?\d*\s*$/.test(value)))
}

function wordText(arg: Command['args'][number]): string {
  return arg.type === 'Word' ? arg.value : arg.text
}
