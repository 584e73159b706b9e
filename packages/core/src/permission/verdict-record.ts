import type { RecordedPart, VerdictRecord } from '../store/audit-store.ts'
import type { PartVerdict, PermissionAnswer, PermissionQuestion, Verdict } from './question.ts'
import { strictness } from './strictness.ts'

const maxParts = 100
const maxCharacters = 4000

/** What the audit log keeps of a verdict: bounded, those parts first that were decisive. */
export function createVerdictRecord(
  { tool, callID, title }: PermissionQuestion,
  { action, parts }: Verdict,
  answer: PermissionAnswer | undefined,
  place: Pick<VerdictRecord, 'time' | 'sessionID' | 'mode'>,
): VerdictRecord {
  const decisiveFirst = parts.toSorted((a, b) => strictness[b.action] - strictness[a.action])
  return {
    ...place,
    callID,
    tool,
    title: clip(title),
    action,
    parts: decisiveFirst.slice(0, maxParts).map(toRecordedPart),
    omittedParts: Math.max(0, parts.length - maxParts),
    ...(answer && { answer }),
  }
}

function toRecordedPart({ part, action, reason }: PartVerdict): RecordedPart {
  return { permission: part.permission, pattern: clip(part.pattern), action, reason: clip(reason) }
}

function clip(text: string): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text
}
