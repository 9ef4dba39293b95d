CREATE TABLE preferences (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;
