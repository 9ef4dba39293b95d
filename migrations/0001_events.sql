-- One row for each event, in the order of arrival (seq is never used twice, so a reader can go on where it stopped).
-- data, campaign: JSON objects. flags: names joined by commas. Times: ms since 1970.
CREATE TABLE events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  session TEXT NOT NULL,
  page TEXT NOT NULL,
  label TEXT NOT NULL,
  value REAL NOT NULL,
  data TEXT NOT NULL,
  campaign TEXT NOT NULL,
  client_time INTEGER,
  server_time INTEGER NOT NULL,
  flags TEXT NOT NULL
) STRICT;

CREATE INDEX events_by_time ON events (server_time);

CREATE INDEX events_by_session ON events (session) WHERE session <> '';

-- One row that is written to learn whether the store can be written; as large as a busy moment's events,
-- because on a disk that is almost full a few bytes may still fit.
CREATE TABLE store_probe (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  probed_at INTEGER NOT NULL,
  filler BLOB NOT NULL
) STRICT;
