-- What operators have changed: see src/stores/activity.ts.
CREATE TABLE activity (
  number INTEGER PRIMARY KEY,
  time INTEGER NOT NULL,
  operator TEXT NOT NULL,
  subject TEXT NOT NULL,
  text TEXT NOT NULL,
  href TEXT NOT NULL
) STRICT;
