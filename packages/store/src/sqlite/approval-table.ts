import type { DatabaseSync } from 'node:sqlite'
import { type Approval, type ApprovalFilter, createId } from '@deckhand/core'

/** What people approved for good. Each function is to be called inside a transaction. */
export interface ApprovalTable {
  list(filter: ApprovalFilter): Approval[]
  /** The same rule of the same scope and subject is kept once, as it was made first; one with another action gives way. */
  add(approval: Omit<Approval, 'id'>): Approval
  remove(id: string): boolean
}

export function createApprovalTable(database: DatabaseSync): ApprovalTable {
  const select = database.prepare('SELECT * FROM approval ORDER BY created_at, id')
  const selectSame = database.prepare(
    'SELECT * FROM approval WHERE permission = ? AND pattern = ? AND action = ? AND scope = ? AND subject = ?',
  )
  const insert = database.prepare(
    'INSERT INTO approval (id, permission, pattern, action, scope, subject, created_at, created_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const removeOthers = database.prepare(
    'DELETE FROM approval WHERE permission = ? AND pattern = ? AND action <> ? AND scope = ? AND subject = ?',
  )
  const remove = database.prepare('DELETE FROM approval WHERE id = ?')
  return {
    list: filter =>
      select
        .all()
        .map(toApproval)
        .filter(approval => isInScope(approval, filter)),
    add: ({ permission, pattern, action, scope, subject, createdAt, createdBy }) => {
      removeOthers.run(permission, pattern, action, scope, subject)
      const same = selectSame.get(permission, pattern, action, scope, subject)
      if (same) return toApproval(same)
      const id = createId('permission')
      insert.run(id, permission, pattern, action, scope, subject, createdAt, createdBy)
      return { id, permission, pattern, action, scope, subject, createdAt, createdBy }
    },
    remove: id => remove.run(id).changes > 0,
  }
}

function toApproval(row: Readonly<Record<string, unknown>>): Approval {
  return {
    id: String(row.id),
    permission: String(row.permission) as Approval['permission'],
    pattern: String(row.pattern),
    action: String(row.action) as Approval['action'],
    scope: String(row.scope) as Approval['scope'],
    subject: String(row.subject),
    createdAt: Number(row.created_at),
    createdBy: String(row.created_by),
  }
}

function isInScope({ scope, subject }: Approval, { sessionID, directory }: ApprovalFilter): boolean {
  if (scope === 'user' || (sessionID === undefined && directory === undefined)) return true
  return subject === (scope === 'session' ? sessionID : directory)
}
