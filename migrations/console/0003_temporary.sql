CREATE TABLE temporary_values (
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX temporary_values_by_end ON temporary_values (kind, expires_at);

CREATE TABLE attempts (
  key TEXT PRIMARY KEY,
  full_at INTEGER NOT NULL
) STRICT;
CREATE INDEX attempts_by_end ON attempts (full_at);
