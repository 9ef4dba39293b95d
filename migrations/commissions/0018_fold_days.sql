-- The version of the fold that last changed what counts on a day: of the booking (clock 0) or of the click (clock 1). What was
-- read of other days can be used again.
CREATE TABLE fold_days (
  clock INTEGER NOT NULL,
  day INTEGER NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (clock, day)
) STRICT, WITHOUT ROWID;
