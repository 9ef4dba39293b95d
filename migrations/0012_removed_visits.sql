-- Visits that were deleted: what a queue has accepted before removed_at (ms since 1970) is not stored any more.
CREATE TABLE removed_visits (
  session TEXT PRIMARY KEY,
  removed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
