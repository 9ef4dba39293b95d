-- holder: the run that may change the archive; empty without one. held_until: seconds since 1970 after which another run
-- may, because that one has ended without saying so.
ALTER TABLE archive_state ADD COLUMN holder TEXT NOT NULL DEFAULT '';
ALTER TABLE archive_state ADD COLUMN held_until INTEGER NOT NULL DEFAULT 0;
