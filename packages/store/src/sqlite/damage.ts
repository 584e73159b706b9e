import type { Log, SessionID } from '@deckhand/core'

/** What was wrong with the records of one session, and what became of it. */
export interface Damage {
  readonly session: SessionID
  readonly kind: 'message' | 'part' | 'event' | 'model'
  /** Records that were read from the session's events instead. */
  readonly restored: number
  /** Records that are left out of what was read. */
  readonly skipped: number
}

/** Told of the damage that a reader found: one bad record must not hide all the good ones. */
export type ReportDamage = (damage: Damage) => void

/** Reports through `log.warn`; where nothing is damaged, nothing is said. */
export function createDamageReport(log: Log, file: string): ReportDamage {
  return damage => {
    if (damage.restored + damage.skipped > 0) log.warn(describeDamage(damage), { ...damage, file })
  }
}

/** One sentence for a person. */
function describeDamage({ session, kind, restored, skipped }: Damage): string {
  const count = (number: number) => `${number} damaged ${kind}${number === 1 ? '' : 's'}`
  const outcomes = [
    ...(restored > 0 ? [`${count(restored)} restored from its events`] : []),
    ...(skipped > 0 ? [`${count(skipped)} skipped`] : []),
  ]
  return `Session ${session}: ${outcomes.join(', ')}. All other records were read.`
}
