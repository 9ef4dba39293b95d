-- Texts of content files as the console has found or saved them: see src/stores/content-versions.ts.
CREATE TABLE content_versions (
  file TEXT NOT NULL,
  number INTEGER NOT NULL,
  hash TEXT NOT NULL,
  text TEXT NOT NULL,
  operator TEXT NOT NULL,
  saved_at INTEGER NOT NULL,
  PRIMARY KEY (file, number)
) STRICT, WITHOUT ROWID;
