import type { PermissionKey, RuleAction } from '../permission/rule.ts'

export type ApprovalScope = 'session' | 'project' | 'user'

/** A rule that a person made by answering "always", or on the command line. */
export interface Approval {
  readonly id: string
  readonly permission: PermissionKey
  readonly pattern: string
  readonly action: RuleAction
  readonly scope: ApprovalScope
  /** The session's id, the project's directory, or empty for `user`. */
  readonly subject: string
  readonly createdAt: number
  /** Who said so: `terminal`, `command line`, `mcp:<client>`, a channel's sender. */
  readonly createdBy: string
}

export interface ApprovalFilter {
  readonly sessionID?: string
  readonly directory?: string
}

/** Keeps what people approved for good. */
export interface ApprovalStore {
  /** Those that hold for this session and directory, and the user's own; all without a filter. Oldest first. */
  listApprovals(filter?: ApprovalFilter): Promise<readonly Approval[]>
  /**
   * Adds it; the same rule of the same scope and subject is kept once. One that says otherwise of the same permission and
   * pattern there is taken out: the newest word counts.
   */
  addApproval(approval: Omit<Approval, 'id'>): Promise<Approval>
  /** False when there is no approval with this id. */
  revokeApproval(id: string): Promise<boolean>
}
