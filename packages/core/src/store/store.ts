import type { ApprovalStore } from './approval-store.ts'
import type { AuditStore } from './audit-store.ts'
import type { SessionStore } from './session-store.ts'
import type { TrustStore } from './trust-store.ts'

/** All that is kept, in one place. */
export interface Store extends SessionStore, ApprovalStore, AuditStore, TrustStore {}
