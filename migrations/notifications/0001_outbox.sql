-- Notifications to operators, once for each way of sending. Times: ms since 1970. notification: JSON, empty once the
-- delivery is over. due_at: when to try again; of a delivery in state sending, when its claim counts as lost.
CREATE TABLE deliveries (
  id TEXT NOT NULL,
  channel TEXT NOT NULL,
  state TEXT NOT NULL,
  notification TEXT NOT NULL,
  failures INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  problem TEXT NOT NULL,
  changed_at INTEGER NOT NULL,
  PRIMARY KEY (id, channel)
) STRICT, WITHOUT ROWID;

CREATE INDEX deliveries_by_due ON deliveries (state, due_at);

CREATE TABLE state (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE leases (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
