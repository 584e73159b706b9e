import type { PermissionMode } from '../permission/mode.ts'
import type { PermissionAnswer } from '../permission/question.ts'
import type { RuleAction } from '../permission/rule.ts'

/** What was decided about one question of a tool, why, and by whom. */
export interface VerdictRecord {
  readonly time: number
  /** Empty where the gate belongs to no session. */
  readonly sessionID: string
  readonly callID: string
  readonly tool: string
  readonly title: string
  readonly mode: PermissionMode
  /** What the rules and the mode said. */
  readonly action: RuleAction
  /** Those that decided first; of very many the first ones. */
  readonly parts: readonly RecordedPart[]
  /** How many more parts there were. */
  readonly omittedParts: number
  /** Where it was asked: the answer, and who gave it. */
  readonly answer?: PermissionAnswer
}

export interface RecordedPart {
  readonly permission: string
  readonly pattern: string
  readonly action: RuleAction
  readonly reason: string
}

/** As it stands in the log; `seq` grows by the order in which they were written. */
export interface StoredVerdict extends VerdictRecord {
  readonly seq: number
}

export interface VerdictFilter {
  readonly sessionID?: string
  /** The newest ones; without it, all. */
  readonly limit?: number
}

/** The audit log of permissions. It only grows: no verdict is ever changed or taken out, also when its session is deleted. */
export interface AuditStore {
  /** Resolved: it survives a `kill -9` of the process. Throws StoreError. */
  addVerdict(verdict: VerdictRecord): Promise<void>
  /** Oldest first. */
  listVerdicts(filter?: VerdictFilter): Promise<readonly StoredVerdict[]>
}
