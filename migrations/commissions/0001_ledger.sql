-- What networks reported, in the order of arrival. Amounts: minor units of the currency. Times: ms since 1970.
CREATE TABLE facts (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  partner TEXT NOT NULL,
  account TEXT NOT NULL,
  native_id TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  kind TEXT NOT NULL,
  status TEXT NOT NULL,
  amount INTEGER NOT NULL,
  currency TEXT NOT NULL,
  sale_amount INTEGER,
  token TEXT NOT NULL,
  click_id TEXT,
  click_time INTEGER,
  event_time INTEGER NOT NULL,
  change_time INTEGER NOT NULL,
  source TEXT NOT NULL,
  is_test INTEGER NOT NULL,
  raw_id TEXT,
  import_id TEXT,
  arrived_at INTEGER NOT NULL,
  UNIQUE (partner, account, native_id, content_hash)
) STRICT;

CREATE INDEX facts_by_native_id ON facts (native_id);

CREATE TRIGGER facts_are_not_changed BEFORE UPDATE ON facts
BEGIN
  SELECT RAISE(ABORT, 'facts are not changed');
END;

CREATE TRIGGER facts_are_not_removed BEFORE DELETE ON facts
BEGIN
  SELECT RAISE(ABORT, 'facts are not removed');
END;

-- What operators decided about unmatched commissions; the newest decision of a commission applies.
CREATE TABLE decisions (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  partner TEXT NOT NULL,
  account TEXT NOT NULL,
  native_id TEXT NOT NULL,
  action TEXT NOT NULL,
  click_id TEXT,
  origin TEXT NOT NULL,
  decided_at INTEGER NOT NULL
) STRICT;

-- What led to a click, copied from the events at the first match (JSON), so that their retention changes no credit.
CREATE TABLE journeys (
  click_id TEXT PRIMARY KEY,
  journey TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Every commit and every undoing of an import. Facts of an import count while its newest state is committed.
CREATE TABLE imports (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  import_id TEXT NOT NULL,
  partner TEXT NOT NULL,
  file TEXT NOT NULL,
  state TEXT NOT NULL,
  rows INTEGER NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT;

-- Messages as they arrived (JSON), without personal fields, for 30 days.
CREATE TABLE raw_messages (
  id TEXT PRIMARY KEY,
  partner TEXT NOT NULL,
  arrived_at INTEGER NOT NULL,
  content TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX raw_messages_by_time ON raw_messages (arrived_at);

-- Values that parts of the ledger remember: cursors, import profiles, the key of postback URLs.
CREATE TABLE state (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE leases (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- One row that is written to learn whether the ledger can be written.
CREATE TABLE store_probe (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  probed_at INTEGER NOT NULL
) STRICT;
