import type { Migration } from './migration.ts'

/** The audit log of permissions, which only grows, and the projects that a person trusts. */
export const auditAndTrust: Migration = {
  version: 2,
  name: 'audit-and-trust',
  run(database) {
    database.exec(`
      CREATE TABLE verdict (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        time INTEGER NOT NULL,
        session_id TEXT NOT NULL,
        call_id TEXT NOT NULL,
        tool TEXT NOT NULL,
        title TEXT NOT NULL,
        mode TEXT NOT NULL,
        action TEXT NOT NULL,
        parts TEXT NOT NULL,
        omitted_parts INTEGER NOT NULL,
        answer TEXT
      ) STRICT;
      CREATE INDEX verdict_by_session ON verdict (session_id, seq);
      CREATE TRIGGER verdict_is_not_changed BEFORE UPDATE ON verdict
        BEGIN SELECT RAISE(ABORT, 'the audit log of permissions only grows'); END;
      CREATE TRIGGER verdict_is_not_deleted BEFORE DELETE ON verdict
        BEGIN SELECT RAISE(ABORT, 'the audit log of permissions only grows'); END;

      CREATE TABLE trust (
        path TEXT PRIMARY KEY,
        decision TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        lines TEXT NOT NULL,
        decided_at INTEGER NOT NULL,
        decided_by TEXT NOT NULL
      ) STRICT;
    `)
  },
}
