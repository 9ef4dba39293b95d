-- The files of the archive, so that one that is missing is noticed and one that belongs to another time is not counted.
-- has_list: 0 until a run that changes the archive has written the list; until then all files of the archive count.
CREATE TABLE archive_files (
  name TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

ALTER TABLE archive_state ADD COLUMN has_list INTEGER NOT NULL DEFAULT 0;
