// Characters that make text look other than it is: invisible ones, bidi controls, look-alike letters of other scripts.

export interface Confusable {
  readonly kind: 'zero-width' | 'bidi' | 'hidden tag' | 'control' | 'look-alike'
  readonly line: number
  /** In code points, from 1. */
  readonly column: number
  /** `U+200B`. */
  readonly code: string
  /** For look-alikes: the script and the word. */
  readonly detail?: string
}

// biome-ignore-start lint/suspicious/noMisleadingCharacterClass: single code points are meant
const invisible =
  /[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200d\u2060-\u2064\u3164\ufeff\uffa0]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}\u{e0100}-\u{e01ef}]|[\0\x07\x7f]/gu
// biome-ignore-end lint/suspicious/noMisleadingCharacterClass: single code points are meant
const bidi = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
// biome-ignore lint/suspicious/noMisleadingCharacterClass: single code points are meant
const tag = /[\u{e0000}-\u{e007f}\u{e0100}-\u{e01ef}]/u
const control = /[\0\x07\x7f]/u
const word = /[\p{L}\p{M}\p{N}_]+/gu
const lookAlike = /[аеорсухіјѕһԁԛԝъьӏАВЕЅНІЈКМОРТСУХЗԌԚԜ]|[αοινρυκχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ]/u

/** Finds them in one line; `line` is only passed on. A text without them costs one test. */
export function findConfusables(text: string, line: number): readonly Confusable[] {
  if (!/[^\x01-\x06\x08-\x7e]/.test(text)) return []
  return [...findInvisible(text, line), ...findLookAlikes(text, line)].sort((a, b) => a.column - b.column)
}

function findInvisible(text: string, line: number): Confusable[] {
  const found: Confusable[] = []
  for (const match of text.matchAll(invisible)) {
    const char = match[0]
    if (isLegitimateJoiner(char, text, match.index)) continue
    const kind = bidi.test(char)
      ? 'bidi'
      : tag.test(char)
        ? 'hidden tag'
        : control.test(char)
          ? 'control'
          : 'zero-width'
    found.push({ kind, line, column: columnAt(text, match.index), code: describeCode(char) })
  }
  return found
}

// Joiners hold emoji together and shape Arabic and Indic letters; tags spell out some flags.
function isLegitimateJoiner(char: string, text: string, index: number): boolean {
  const before = [...text.slice(Math.max(0, index - 4), index)].at(-1) ?? ''
  if (char === '\u200d' || char === '\u200c')
    return /\p{Extended_Pictographic}|\p{M}|\p{Script=Arabic}|[\u0900-\u0dff]/u.test(before)
  if (tag.test(char)) return /\u{1f3f4}[\u{e0000}-\u{e007f}]*$/u.test(text.slice(0, index))
  return false
}

function findLookAlikes(text: string, line: number): Confusable[] {
  const found: Confusable[] = []
  for (const { 0: letters, index } of text.matchAll(word)) {
    if (!/\p{Script=Latin}/u.test(letters) || !/[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(letters)) continue
    const at = letters.search(lookAlike)
    if (at < 0) continue
    const char = String.fromCodePoint(letters.codePointAt(at) ?? 0)
    const script = /\p{Script=Greek}/u.test(char) ? 'Greek' : 'Cyrillic'
    found.push({
      kind: 'look-alike',
      line,
      column: columnAt(text, index + at),
      code: describeCode(char),
      detail: `${script}, in the word "${letters.slice(0, 40)}"`,
    })
  }
  return found
}

function columnAt(text: string, index: number): number {
  return [...text.slice(0, index)].length + 1
}

function describeCode(char: string): string {
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

const maxTold = 6

/** One sentence for the header, or undefined where there is nothing to tell. */
export function describeConfusables(found: readonly Confusable[]): string | undefined {
  if (found.length === 0) return undefined
  const told = pickOfEachKind(found).map(
    ({ kind, line, column, code, detail }) => `${kind} ${code} at ${line}:${column}${detail ? ` (${detail})` : ''}`,
  )
  const rest = found.length - told.length
  return `characters that mislead the eye (line:column): ${told.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`
}

// A flood of one kind must not hide the others.
function pickOfEachKind(found: readonly Confusable[]): readonly Confusable[] {
  const kinds = [...new Set(found.map(({ kind }) => kind))]
  const firsts = kinds.flatMap(kind => found.filter(each => each.kind === kind).slice(0, 2))
  const others = found.filter(each => !firsts.includes(each))
  const picked = new Set([...firsts, ...others].slice(0, Math.max(maxTold, kinds.length)))
  return found.filter(each => picked.has(each))
}
