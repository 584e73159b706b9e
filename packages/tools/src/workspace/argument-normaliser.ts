import type { NormalisedInput } from '@deckhand/core'

/** The arguments of a tool, and how else models write them. */
export interface ArgumentForms {
  /** Every argument that the tool has. */
  readonly names: readonly string[]
  /** Wrong but common names, each with the right one. */
  readonly aliases?: Readonly<Record<string, string>>
  readonly numbers?: readonly string[]
  readonly booleans?: readonly string[]
  readonly lists?: readonly string[]
}

/**
 * Makes the `normalise` of a tool: right names for wrong ones, `10` for `"10"`, a list for a single value. Says what it
 * put right and which arguments it does not know. An argument that is `null` is taken as not given.
 */
export function createArgumentNormaliser(
  forms: ArgumentForms,
): (input: Readonly<Record<string, unknown>>) => NormalisedInput {
  return input => {
    const notes: string[] = []
    const renamed = renameArguments(input, forms, notes)
    const fixed = Object.entries(renamed).map(([name, value]) => [name, fixForm(name, value, forms, notes)])
    return { input: Object.fromEntries(fixed), notes }
  }
}

function renameArguments(
  input: Readonly<Record<string, unknown>>,
  { names, aliases = {} }: ArgumentForms,
  notes: string[],
): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  const ignored: string[] = []
  const given = Object.entries(input).filter(([, value]) => value !== null && value !== undefined)
  for (const [name, value] of given.filter(([name]) => names.includes(name))) result[name] = value
  for (const [name, value] of given.filter(([name]) => !names.includes(name))) {
    const right = Object.hasOwn(aliases, name) ? aliases[name] : undefined
    if (right === undefined || right in result) ignored.push(name)
    else {
      result[right] = value
      notes.push(`${name} was taken as ${right}`)
    }
  }
  if (ignored.length > 0) notes.push(`ignored: ${ignored.join(', ')}; the arguments are ${names.join(', ')}`)
  return result
}

function fixForm(name: string, value: unknown, forms: ArgumentForms, notes: string[]): unknown {
  if (forms.numbers?.includes(name)) return parseNumber(value, name, notes)
  if (forms.booleans?.includes(name)) return parseBoolean(value, name, notes)
  if (forms.lists?.includes(name)) return parseList(value, name, notes)
  return value
}

function parseNumber(value: unknown, name: string, notes: string[]): unknown {
  if (typeof value !== 'string' || !/^\s*[+-]?\d+\s*$/.test(value)) return value
  notes.push(`${name} "${value}" was taken as the number ${Number(value)}`)
  return Number(value)
}

function parseBoolean(value: unknown, name: string, notes: string[]): unknown {
  if (typeof value !== 'string' || !/^(true|false)$/i.test(value)) return value
  notes.push(`${name} "${value}" was taken as ${value.toLowerCase()}`)
  return value.toLowerCase() === 'true'
}

function parseList(value: unknown, name: string, notes: string[]): unknown {
  if (Array.isArray(value)) return value
  const parsed = typeof value === 'string' ? parseJsonList(value) : undefined
  notes.push(parsed ? `${name} was taken from a text` : `${name} was taken as a list of one`)
  return parsed ?? [value]
}

function parseJsonList(text: string): unknown[] | undefined {
  if (!text.trim().startsWith('[')) return undefined
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}
