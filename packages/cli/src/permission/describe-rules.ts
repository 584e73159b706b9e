import type { Approval, Rule } from '@deckhand/core'
import { oneLine } from '../terminal/neutralise.ts'

/** A rule on one line, with where it stands. */
export function describeRuleLine({ permission, pattern, action, source, origin }: Rule): string {
  return `${permission} ${JSON.stringify(pattern)} = ${action}  (${origin ?? source})`
}

/** A stored rule on one line. A pattern is made from what a model wanted to do, so it is foreign text. */
export function describeApproval(approval: Approval): string {
  const { id, permission, pattern, action, createdAt, createdBy } = approval
  return `${id}  ${action} ${permission}: ${oneLine(pattern)}  (${describeScope(approval)}; ${oneLine(createdBy)}, ${describeTime(createdAt)})`
}

/** Where it holds. */
export function describeScope({ scope, subject }: Pick<Approval, 'scope' | 'subject'>): string {
  return scope === 'user' ? 'everywhere' : `${scope} ${oneLine(subject)}`
}

/** UTC, to the minute. */
function describeTime(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace('T', ' ')
}
