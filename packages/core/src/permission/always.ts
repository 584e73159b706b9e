import type { Verdict } from './question.ts'
import type { PermissionKey } from './rule.ts'
import { matchesWildcard } from './wildcard.ts'

/** A rule that the answer "always" would store. */
export interface OfferedRule {
  readonly permission: PermissionKey
  readonly pattern: string
}

/**
 * The exact rules that "always" would store for this verdict, one or more per part that was asked: show them to the
 * person. Empty: "always" is not offered. What was denied, or can't be known (a floor), is never among them; nor is a
 * pattern that would not answer its own part.
 */
export function offerAlways(verdict: Verdict): readonly OfferedRule[] {
  const offered = new Map<string, OfferedRule>()
  for (const { part, action } of verdict.parts) {
    if (action !== 'ask' || (part.floor && !part.floor.isShown)) continue
    for (const pattern of part.always ?? []) {
      if (!matchesWildcard(pattern, part.pattern)) continue
      offered.set(`${part.permission} ${pattern}`, { permission: part.permission, pattern })
    }
  }
  return [...offered.values()]
}

/**
 * Whether a rule that a person wrote in place of an offered one would answer any part that "always" was offered for.
 * Undefined, or what is wrong with it in words.
 */
export function findAlwaysProblem({ permission, pattern }: OfferedRule, verdict: Verdict): string | undefined {
  const isAnswered = verdict.parts.some(
    judged =>
      judged.part.permission === permission &&
      offerAlways({ ...verdict, parts: [judged] }).length > 0 &&
      matchesWildcard(pattern, judged.part.pattern),
  )
  return isAnswered ? undefined : `${permission}: ${JSON.stringify(pattern)} matches nothing of what is asked for`
}
