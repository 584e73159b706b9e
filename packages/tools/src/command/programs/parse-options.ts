import { type Arg, cutStart, soleValue } from '../arg.ts'
import type { GivenOption, OptionKind, Program } from './program.ts'

export interface ParsedOptions {
  readonly options: readonly GivenOption[]
  readonly operands: readonly Arg[]
  /** Words that may turn out to be options, as their start can't be known. */
  readonly maybeOptions: readonly Arg[]
  /** Values in unknown options, which may be paths. */
  readonly loose: readonly Arg[]
}

const takesValue: ReadonlySet<OptionKind> = new Set(['text', 'read', 'write', 'script', 'code'])
const strictness: readonly OptionKind[] = ['flag', 'text', 'pair', 'read', 'writes', 'write', 'script', 'code', 'ask']

/**
 * Sorts words into options and operands, as getopt_long does: long options may be abbreviated and carry `=value`,
 * short ones may be bundled and carry their value attached. Where an abbreviation could mean several, the most
 * dangerous counts.
 */
export function parseOptions(args: readonly Arg[], program: Program): ParsedOptions {
  const sorted: Sorted = { options: [], operands: [], maybeOptions: [], loose: [] }
  const table = optionTable(program)
  const stops = program.stopAfter?.split(' ') ?? []
  const endsAtOperand = program.optionsFirst || program.subcommands !== undefined
  const words = new Words(args)
  for (let arg = words.next(); arg; arg = words.next()) {
    const isEnd = soleValue(arg) === '--'
    const isOption = !isEnd && looksLikeOption(arg)
    const given = isOption ? takeOption(arg, words, table, sorted) : []
    if (!isEnd && !isOption) takeOperand(arg, sorted)
    if (isEnd || (endsAtOperand && !isOption) || given.some(option => stops.includes(option.name))) break
  }
  sorted.operands.push(...words.rest())
  return sorted
}

interface Sorted {
  readonly options: GivenOption[]
  readonly operands: Arg[]
  readonly maybeOptions: Arg[]
  readonly loose: Arg[]
}

/** The words that are left. */
class Words {
  readonly #args: readonly Arg[]
  #at = 0

  constructor(args: readonly Arg[]) {
    this.#args = args
  }

  next(): Arg | undefined {
    return this.#args[this.#at++]
  }

  rest(): readonly Arg[] {
    return this.#args.slice(this.#at)
  }
}

function takeOperand(arg: Arg, sorted: Sorted): void {
  if (mayBeOption(arg)) sorted.maybeOptions.push(arg)
  sorted.operands.push(arg)
}

// The last option of a bundle takes its value from the next word where none is attached.
function takeOption(arg: Arg, words: Words, table: OptionTable, sorted: Sorted): readonly GivenOption[] {
  const isLong = arg.start.startsWith('--')
  const given = isLong ? parseLong(arg, table, sorted.loose) : parseShort(arg, table, sorted.loose)
  for (const option of given) {
    const needsValue = takesValue.has(option.kind) && option.value === undefined && option === given.at(-1)
    if (option.kind === 'pair') words.next()
    sorted.options.push(needsValue || option.kind === 'pair' ? { ...option, value: words.next() } : option)
  }
  return given
}

function looksLikeOption(arg: Arg): boolean {
  return arg.start.length > 1 && arg.start.startsWith('-') && !(arg.values && arg.values.length > 1)
}

function mayBeOption(arg: Arg): boolean {
  if (arg.values) return arg.values.length > 1 && arg.values.some(value => value.startsWith('-'))
  return arg.start === '' || arg.start.startsWith('-')
}

interface OptionTable {
  readonly kinds: ReadonlyMap<string, OptionKind>
  readonly long: readonly string[]
}

const tables = new WeakMap<Program, OptionTable>()

function optionTable(program: Program): OptionTable {
  const known = tables.get(program)
  if (known) return known
  const kinds = new Map<string, OptionKind>()
  for (const [kind, names] of Object.entries(program.options ?? {})) {
    for (const name of names.split(' ')) kinds.set(name, kind as OptionKind)
  }
  const table = { kinds, long: [...kinds.keys()].filter(name => name.startsWith('--')) }
  tables.set(program, table)
  return table
}

function parseLong(arg: Arg, table: OptionTable, loose: Arg[]): readonly GivenOption[] {
  const equals = arg.start.indexOf('=')
  const written = equals === -1 ? arg.start : arg.start.slice(0, equals)
  const value = equals === -1 ? undefined : cutStart(arg, equals + 1)
  const name = findLong(written, table)
  if (name !== undefined) return [{ name, kind: table.kinds.get(name) ?? 'flag', value, isUnknown: false }]
  if (value) loose.push(value)
  // With an unknown end, `--$x` may be any option.
  const kind = arg.values || equals !== -1 ? 'flag' : 'ask'
  return [{ name: written, kind, value, isUnknown: true }]
}

function findLong(written: string, table: OptionTable): string | undefined {
  if (table.kinds.has(written)) return written
  const matches = table.long.filter(name => name.startsWith(written))
  const rank = (name: string) => strictness.indexOf(table.kinds.get(name) ?? 'flag')
  return matches.sort((a, b) => rank(b) - rank(a))[0]
}

function parseShort(arg: Arg, table: OptionTable, loose: Arg[]): readonly GivenOption[] {
  // Such as find's -exec and java's -jar: one dash, one name.
  const whole = table.kinds.get(arg.start)
  if (arg.start.length > 2 && whole) return [{ name: arg.start, kind: whole, isUnknown: false }]
  const options: GivenOption[] = []
  for (let at = 1; at < arg.start.length; at++) {
    const name = `-${arg.start[at]}`
    const kind = table.kinds.get(name)
    const hasRest = at + 1 < arg.start.length || !arg.values
    if (kind && (takesValue.has(kind) || kind === 'ask')) {
      options.push({ name, kind, value: hasRest ? cutStart(arg, at + 1) : undefined, isUnknown: false })
      return options
    }
    options.push({ name, kind: kind ?? 'flag', isUnknown: kind === undefined })
    if (kind === undefined && hasRest && /^(\/|~|\.\.|=)/.test(arg.start.slice(at + 1))) {
      loose.push(cutStart(arg, at + (arg.start[at + 1] === '=' ? 2 : 1)))
      return options
    }
  }
  if (!arg.values) options.push({ name: arg.start, kind: 'ask', isUnknown: true })
  return options
}
