// The rules that "always" would store, in the person's own words: one after the other, each as long as it is no answer.
import { findAlwaysProblem, type OfferedRule, offerAlways, type Verdict } from '@deckhand/core'
import { oneLine } from './neutralise.ts'

/** A rule that was offered, and what stands in its place by now; undefined: it is left out. */
export interface EditedRule {
  readonly offered: OfferedRule
  readonly pattern: string | undefined
}

/** As they were offered. */
export function startEditing(verdict: Verdict): readonly EditedRule[] {
  return offerAlways(verdict).map(offered => ({ offered, pattern: offered.pattern }))
}

/** What would be stored. */
export function listEdited(edited: readonly EditedRule[]): readonly OfferedRule[] {
  return edited.flatMap(({ offered, pattern }) => (pattern === undefined ? [] : [{ ...offered, pattern }]))
}

/** Can it be put into one line of a terminal and come back as it was? */
export function isEditable({ offered }: EditedRule): boolean {
  return !/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(offered.pattern)
}

/** Takes what was typed for a rule: nothing leaves it out. A text that would not answer its part is told, and not taken. */
export function takeEdit(
  { offered }: EditedRule,
  typed: string,
  verdict: Verdict,
): { readonly edited: EditedRule } | { readonly problem: string } {
  if (typed.trim() === '') return { edited: { offered, pattern: undefined } }
  const own = { ...verdict, parts: verdict.parts.filter(part => isOfferedBy(offered, { ...verdict, parts: [part] })) }
  if (findAlwaysProblem({ ...offered, pattern: typed }, own) === undefined)
    return { edited: { offered, pattern: typed } }
  const asked = own.parts.map(({ part }) => oneLine(part.pattern)).join('; ')
  return { problem: `That does not match ${asked}, so it would be asked again. * is any text, ? one character.` }
}

function isOfferedBy({ permission, pattern }: OfferedRule, verdict: Verdict): boolean {
  return offerAlways(verdict).some(rule => rule.permission === permission && rule.pattern === pattern)
}
