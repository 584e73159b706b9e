/** A value that differs from machine to machine, and what stands for it: `/home/me/project` as `{workspace}`. */
export interface Replacement {
  readonly value: string
  readonly as: string
}

/** Puts placeholders in the place of known values; the longest first, as a workspace lies in a home. */
export function hideValues(text: string, replacements: readonly Replacement[]): string {
  let result = text
  for (const { value, as } of sortByLength(replacements)) result = result.replaceAll(value, as)
  return result
}

/** The way back: the values of this machine for the placeholders, in JSON text. */
export function showValues(json: string, replacements: readonly Replacement[]): string {
  let result = json
  for (const { value, as } of replacements) result = result.replaceAll(as, JSON.stringify(value).slice(1, -1))
  return result
}

function sortByLength(replacements: readonly Replacement[]): Replacement[] {
  return replacements.filter(({ value }) => value.length > 1).sort((a, b) => b.value.length - a.value.length)
}

// What changes from run to run, in the words that models are sent.
const rules: readonly (readonly [RegExp, string])[] = [
  [/fence="[0-9a-z]+"/g, 'fence="<word>"'],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?)?/g, '<date>'],
  [
    /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? (?:\d{1,2} )?[A-Z][a-z]{2,8}(?: \d{1,2})?,? \d{4}(?: \d\d:\d\d(?::\d\d)?)?/g,
    '<date>',
  ],
  [/\b(ses|msg|prt|trn|per)_[0-9A-Za-z]{8,64}/g, '<$1 id>'],
  [/\bpid(s?)([ :=]+)\d+(?:, ?\d+)*/g, 'pid$1$2<number>'],
  [/\bduration_ms([ :=]+)[\d.]+/g, 'duration_ms$1<time>'],
  [/\b\d+(?:\.\d+)? ?(?:ms|s|sec|seconds?|min|minutes?)\b/g, '<time>'],
]

/** Replaces what changes from run to run: dates, durations, process ids, Deckhand's own ids, fence words. */
export function hideVolatile(text: string): string {
  let result = text
  for (const [pattern, replacement] of rules) result = result.replace(pattern, replacement)
  return result
}

/**
 * A request body as it is compared: known and volatile values replaced in every text; and call ids by the order in
 * which they first come, as some services leave it to the client to make them up.
 */
export function normaliseBody(body: unknown, replacements: readonly Replacement[]): unknown {
  const callIDs = new Map<string, string>()
  const nameCall = (id: string) => {
    const known = callIDs.get(id) ?? `<call ${callIDs.size + 1}>`
    callIDs.set(id, known)
    return known
  }
  const walk = (value: unknown, key: string, owner: Readonly<Record<string, unknown>>, parentKey: string): unknown => {
    if (typeof value === 'string') {
      return isCallID(key, owner, parentKey) ? nameCall(value) : hideVolatile(hideValues(value, replacements))
    }
    if (Array.isArray(value)) return value.map(item => walk(item, key, owner, parentKey))
    if (typeof value !== 'object' || value === null) return value
    const bag = value as Readonly<Record<string, unknown>>
    return Object.fromEntries(Object.entries(bag).map(([name, item]) => [name, walk(item, name, bag, key)]))
  }
  return walk(body, '', {}, '')
}

function isCallID(key: string, owner: Readonly<Record<string, unknown>>, parentKey: string): boolean {
  if (key === 'call_id' || key === 'tool_call_id' || key === 'tool_use_id') return true
  if (key !== 'id') return false
  return (
    parentKey === 'functionCall' ||
    parentKey === 'functionResponse' ||
    owner.type === 'function' ||
    owner.type === 'tool_use'
  )
}
