-- What analytics is told about commissions of visits that consented, each at most once. State: waiting, sending, sent,
-- unknown, failed or withdrawn. Times: ms since 1970. The client id stays with the click, so that it goes with it.
CREATE TABLE analytics_messages (
  partner TEXT NOT NULL,
  account TEXT NOT NULL,
  native_id TEXT NOT NULL,
  name TEXT NOT NULL,
  click_id TEXT NOT NULL,
  amount INTEGER NOT NULL,
  currency TEXT NOT NULL,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  PRIMARY KEY (partner, account, native_id, name)
) STRICT, WITHOUT ROWID;

CREATE INDEX analytics_messages_due ON analytics_messages (due_at) WHERE state = 'waiting';
