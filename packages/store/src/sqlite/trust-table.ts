import type { DatabaseSync } from 'node:sqlite'
import type { ProjectTrust } from '@deckhand/core'
import { parseRecord } from './parse-record.ts'

/** Which projects a person trusts. Each function is to be called inside a transaction. */
export interface TrustTable {
  list(): ProjectTrust[]
  set(trust: ProjectTrust): void
  remove(path: string): boolean
}

export function createTrustTable(database: DatabaseSync): TrustTable {
  const select = database.prepare('SELECT * FROM trust ORDER BY path')
  const replace = database.prepare(
    'INSERT OR REPLACE INTO trust (path, decision, sha256, lines, decided_at, decided_by) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const remove = database.prepare('DELETE FROM trust WHERE path = ?')
  return {
    list: () => select.all().map(toTrust),
    set: ({ path, decision, sha256, lines, decidedAt, decidedBy }) =>
      void replace.run(path, decision, sha256, JSON.stringify(lines), decidedAt, decidedBy),
    remove: path => remove.run(path).changes > 0,
  }
}

// What is no decision that is known counts as none: nothing is trusted by a damaged record.
function toTrust(row: Readonly<Record<string, unknown>>): ProjectTrust {
  const lines = parseRecord<readonly string[] & object>(row.lines, Array.isArray)
  return {
    path: String(row.path),
    decision: row.decision === 'trusted' ? 'trusted' : 'never',
    sha256: String(row.sha256),
    lines: lines ?? [],
    decidedAt: Number(row.decided_at),
    decidedBy: String(row.decided_by),
  }
}
