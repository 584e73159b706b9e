import type { Verdict } from './question.ts'
import type { PermissionKey } from './rule.ts'

/** A rule that the answer "always" would store. */
export interface OfferedRule {
  readonly permission: PermissionKey
  readonly pattern: string
}

/**
 * The exact rules that "always" would store for this verdict, one or more per part that was asked: show them to the
 * person. Empty: "always" is not offered. What was denied, or can't be known (a floor), is never among them.
 */
export function offerAlways(verdict: Verdict): readonly OfferedRule[] {
  const offered = new Map<string, OfferedRule>()
  for (const { part, action } of verdict.parts) {
    if (action !== 'ask' || part.floor) continue
    for (const pattern of part.always ?? []) {
      offered.set(`${part.permission} ${pattern}`, { permission: part.permission, pattern })
    }
  }
  return [...offered.values()]
}
