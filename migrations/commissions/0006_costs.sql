-- What campaigns cost, in the order of entry. Platform: google, microsoft, meta or typed. Name: as the platform calls the
-- campaign. Period: a day (2026-11-20) or a month (2026-11). Amount: minor units. Of the rows of one platform, name and
-- period the one counts whose entry was committed last and is not undone.
CREATE TABLE costs (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  entry_id TEXT NOT NULL,
  platform TEXT NOT NULL,
  name TEXT NOT NULL,
  period TEXT NOT NULL,
  amount INTEGER NOT NULL,
  currency TEXT NOT NULL,
  UNIQUE (entry_id, platform, name, period)
) STRICT;

-- A view reads all costs of a year in this order, and from this index alone.
CREATE INDEX costs_by_period ON costs (period, platform, name, entry_id, amount, currency);

-- Every commit and every undoing of a file, or of an amount that was typed in (its file is empty). Times: ms since 1970.
CREATE TABLE cost_entries (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  entry_id TEXT NOT NULL,
  platform TEXT NOT NULL,
  file TEXT NOT NULL,
  time_zone TEXT NOT NULL,
  state TEXT NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT;

-- Which campaign of the reports the campaign of a platform is. Origin: match or operator.
CREATE TABLE cost_campaigns (
  platform TEXT NOT NULL,
  name TEXT NOT NULL,
  campaign TEXT NOT NULL,
  origin TEXT NOT NULL,
  PRIMARY KEY (platform, name)
) STRICT, WITHOUT ROWID;
