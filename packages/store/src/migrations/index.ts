import { sessions } from './001-sessions.ts'
import { auditAndTrust } from './002-audit-and-trust.ts'
import type { Migration } from './migration.ts'

/** All migrations, in order. */
export const migrations: readonly Migration[] = [sessions, auditAndTrust]
