-- The files of the archive, so that one that is missing is noticed and one that belongs to another time is not counted.
-- has_list: 0 until a run that changes the archive has written the list; until then all files of the archive count.
CREATE TABLE archive_files (
  name TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

ALTER TABLE archive_state ADD COLUMN has_list INTEGER NOT NULL DEFAULT 0;

-- What clocks have said, in ms since 1970: the times of the last three starts on different days, or weeks of running, the
-- newest first, and the time that has certainly passed. What is deleted because of its age is deleted by these.
CREATE TABLE clock_readings (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  newest INTEGER NOT NULL,
  second INTEGER NOT NULL,
  third INTEGER NOT NULL,
  confirmed INTEGER NOT NULL
) STRICT;

INSERT INTO clock_readings VALUES (1, 0, 0, 0, 0);
