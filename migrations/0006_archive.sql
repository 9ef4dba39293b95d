-- archived_before: events before this time (ms since 1970) may be in the archive instead. pending_file: the name of a
-- file of the archive that does not count, because its events are elsewhere until it is complete; empty without one.
CREATE TABLE archive_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  archived_before INTEGER NOT NULL,
  pending_file TEXT NOT NULL
) STRICT;

INSERT INTO archive_state VALUES (1, 0, '');
