import { ToolFailure } from '@deckhand/core'
import { findPastedText } from '../workspace/pasted-text.ts'
import type { EditableText } from './editable-text.ts'
import { findMatches, lineAt, type Match } from './find-matches.ts'
import { describeNearest } from './nearest-lines.ts'
import { type Cut, planCut } from './plan-cut.ts'
import type { Replacement } from './schema.ts'

/** What all edits of a call together make of a text. */
export interface EditedText {
  readonly units: string
  readonly replaced: number
  /** The first line that changes, in the old text. */
  readonly firstLine: number
}

/**
 * Applies all or none: each is looked for in the text as it was before the call. Throws ToolFailure, in words, for what
 * is not there, is there more than once, overlaps another, or can't be meant. `shown` names the file.
 */
export async function applyEdits(
  text: EditableText,
  replacements: readonly Replacement[],
  shown: string,
): Promise<EditedText> {
  const found: Found[] = []
  for (const [index, replacement] of replacements.entries()) {
    const label = replacements.length === 1 ? '' : ` Edit ${index + 1} of ${replacements.length}:`
    const fail: Fail = (code, words) => new ToolFailure(code, `${shown} was left as it was.${label} ${words}`)
    found.push(...(await findPlaces(text, replacement, fail)))
  }
  found.sort((a, b) => a.match.start - b.match.start)
  refuseOverlaps(text, found, shown)
  return { ...cutAll(text.units, found), replaced: found.length }
}

type Fail = (code: ConstructorParameters<typeof ToolFailure>[0], words: string) => ToolFailure

interface Found {
  readonly match: Match
  readonly cut: Cut
}

async function findPlaces(text: EditableText, replacement: Replacement, fail: Fail): Promise<readonly Found[]> {
  const { oldText, newText, all = false } = replacement
  refuseSenseless(replacement, fail)
  const wanted = await text.toUnits(newText)
  if (wanted === undefined) {
    throw fail('unsupported', `newText holds characters that the file's encoding, ${text.encoding.name}, can't hold.`)
  }
  const needle = await text.toUnits(oldText)
  const matches = needle === undefined ? [] : findMatches(text.units, needle)
  if (matches.length === 0) throw fail('no-match', await describeMissing(text, oldText, newText))
  if (matches.length > 1 && !all) throw fail('ambiguous', describeSeveral(text.units, matches))
  return matches.map(match => ({ match, cut: planCut(text.units, match, wanted) }))
}

function refuseSenseless({ oldText, newText }: Replacement, fail: Fail): void {
  if (oldText === '') throw fail('invalid-input', 'oldText is empty. To fill a file or make a new one, use write.')
  if (oldText.replaceAll('\r\n', '\n') === newText.replaceAll('\r\n', '\n')) {
    throw fail(
      'invalid-input',
      'oldText and newText are the same (line endings apart, which edit keeps), so there is nothing to do.',
    )
  }
  const pasted = findPastedText(newText, oldText)
  if (pasted) throw fail('invalid-input', `newText can't be meant: ${pasted}.`)
}

async function describeMissing(text: EditableText, oldText: string, newText: string): Promise<string> {
  const numbered = oldText.replace(/^\s*-?\d+\| ?/gm, '')
  const bare = numbered === oldText ? undefined : await text.toUnits(numbered)
  if (bare && findMatches(text.units, bare).length > 0) {
    return 'oldText is not in the file as it is written: its lines begin with the line numbers that read shows. Leave those out.'
  }
  if (oldText.includes('\ufffd')) {
    return 'oldText is not in the file: it holds \ufffd, which read shows for bytes that are no text. Choose a part without them.'
  }
  const done = newText === '' ? undefined : await text.toUnits(newText)
  const [made] = done && done.length >= 4 ? findMatches(text.units, done) : []
  const already = made
    ? ` newText is there already, at line ${lineAt(text.units, made.start)}: was this edit made before?`
    : ''
  const nearest = await describeNearest(text.toText(text.units), oldText)
  return `oldText is not in the file.${already} ${nearest}`
}

function describeSeveral(units: string, matches: readonly Match[]): string {
  const lines = matches.slice(0, 10).map(({ start }) => lineAt(units, start))
  const more = matches.length > 10 ? ', …' : ''
  return `oldText is there ${matches.length} times (lines ${lines.join(', ')}${more}). Add lines around the one that you mean, or set all: true to replace each.`
}

function refuseOverlaps(text: EditableText, found: readonly Found[], shown: string): void {
  for (const [index, { match }] of found.entries()) {
    const before = found[index - 1]
    if (before && match.start < before.match.end) {
      throw new ToolFailure(
        'ambiguous',
        `${shown} was left as it was. Two edits want to change the same text, at line ${lineAt(text.units, match.start)}. Make one edit of them.`,
      )
    }
  }
}

function cutAll(units: string, found: readonly Found[]): { units: string; firstLine: number } {
  const pieces: string[] = []
  let at = 0
  for (const { cut } of found) {
    pieces.push(units.slice(at, cut.start), cut.insert)
    at = cut.end
  }
  pieces.push(units.slice(at))
  return { units: pieces.join(''), firstLine: lineAt(units, found[0]?.cut.start ?? 0) }
}
