import { sessions } from './001-sessions.ts'
import type { Migration } from './migration.ts'

/** All migrations, in order. */
export const migrations: readonly Migration[] = [sessions]
