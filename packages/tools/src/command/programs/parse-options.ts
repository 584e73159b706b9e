import { type Arg, cutStart, valueOf } from '../arg.ts'
import type { GivenOption, OptionKind, Program } from './program.ts'

export interface ParsedOptions {
  readonly options: readonly GivenOption[]
  readonly operands: readonly Arg[]
  /** Words that may turn out to be options, as their start can't be known. */
  readonly maybeOptions: readonly Arg[]
  /** Values in unknown options, which may be paths. */
  readonly loose: readonly Arg[]
}

const takesValue: ReadonlySet<OptionKind> = new Set(['text', 'read', 'write', 'script'])
const strictness: readonly OptionKind[] = ['flag', 'text', 'pair', 'read', 'writes', 'write', 'script', 'ask']

/**
 * Sorts words into options and operands, as getopt_long does: long options may be abbreviated and carry `=value`,
 * short ones may be bundled and carry their value attached. Where an abbreviation could mean several, the most
 * dangerous counts.
 */
export function parseOptions(args: readonly Arg[], program: Program): ParsedOptions {
  const table = optionTable(program)
  const stops = program.stopAfter?.split(' ') ?? []
  const optionsFirst = program.optionsFirst || program.subcommands !== undefined
  const options: GivenOption[] = []
  const operands: Arg[] = []
  const maybeOptions: Arg[] = []
  const loose: Arg[] = []
  let at = 0
  while (at < args.length) {
    const arg = args[at++] as Arg
    if (valueOf(arg) === '--') {
      operands.push(...args.slice(at))
      break
    }
    if (!looksLikeOption(arg)) {
      if (mayBeOption(arg)) maybeOptions.push(arg)
      operands.push(arg)
      if (optionsFirst) {
        operands.push(...args.slice(at))
        break
      }
      continue
    }
    const given = arg.start.startsWith('--') ? parseLong(arg, table, loose) : parseShort(arg, table, loose)
    for (const option of given) {
      const isLast = option === given.at(-1)
      const needsValue = isLast && takesValue.has(option.kind) && option.value === undefined
      if (option.kind === 'pair') at++
      options.push(needsValue || option.kind === 'pair' ? { ...option, value: args[at++] } : option)
    }
    if (given.some(option => stops.includes(option.name))) {
      operands.push(...args.slice(at))
      break
    }
  }
  return { options, operands, maybeOptions, loose }
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
