import type { Migration } from './migration.ts'

/** Sessions, their events, and the state that the events add up to. */
export const sessions: Migration = {
  version: 1,
  name: 'sessions',
  run(database) {
    database.exec(`
      CREATE TABLE session (
        id TEXT PRIMARY KEY,
        title TEXT NOT NULL,
        directory TEXT NOT NULL,
        parent_id TEXT,
        model TEXT,
        created INTEGER NOT NULL,
        updated INTEGER NOT NULL,
        seq INTEGER NOT NULL DEFAULT 0,
        messages INTEGER NOT NULL DEFAULT 0,
        tokens_input INTEGER NOT NULL DEFAULT 0,
        tokens_output INTEGER NOT NULL DEFAULT 0,
        tokens_reasoning INTEGER NOT NULL DEFAULT 0,
        tokens_cache_read INTEGER NOT NULL DEFAULT 0,
        tokens_cache_write INTEGER NOT NULL DEFAULT 0,
        tokens_total INTEGER NOT NULL DEFAULT 0,
        cost REAL NOT NULL DEFAULT 0
      ) STRICT;
      CREATE INDEX session_by_update ON session (updated);

      CREATE TABLE event (
        session_id TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
        seq INTEGER NOT NULL,
        time INTEGER NOT NULL,
        type TEXT NOT NULL,
        data TEXT NOT NULL,
        PRIMARY KEY (session_id, seq)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE message (
        ord INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        session_id TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
        data TEXT NOT NULL
      ) STRICT;
      CREATE INDEX message_by_session ON message (session_id, ord);

      CREATE TABLE part (
        ord INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        session_id TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
        message_id TEXT NOT NULL,
        data TEXT NOT NULL
      ) STRICT;
      CREATE INDEX part_by_session ON part (session_id, ord);

      CREATE TABLE turn_owner (
        session_id TEXT PRIMARY KEY REFERENCES session (id) ON DELETE CASCADE,
        pid INTEGER NOT NULL,
        process_start TEXT NOT NULL,
        host TEXT NOT NULL,
        since INTEGER NOT NULL
      ) STRICT;

      CREATE TABLE approval (
        id TEXT PRIMARY KEY,
        permission TEXT NOT NULL,
        pattern TEXT NOT NULL,
        action TEXT NOT NULL,
        scope TEXT NOT NULL,
        subject TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        created_by TEXT NOT NULL,
        UNIQUE (permission, pattern, action, scope, subject)
      ) STRICT;
    `)
  },
}
