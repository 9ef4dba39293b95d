-- What operators have written and not saved: see src/stores/content-versions.ts.
CREATE TABLE working_copies (
  file TEXT NOT NULL,
  operator TEXT NOT NULL,
  name TEXT NOT NULL,
  base TEXT NOT NULL,
  text TEXT NOT NULL,
  page TEXT NOT NULL,
  number INTEGER NOT NULL,
  place TEXT NOT NULL,
  saved_at INTEGER NOT NULL,
  PRIMARY KEY (file, operator)
) STRICT, WITHOUT ROWID;
