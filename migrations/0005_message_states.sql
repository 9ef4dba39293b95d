-- What the operator has done with a message of the contact form; one without a row is new. Times: ms since 1970.
CREATE TABLE contact_message_states (
  id TEXT PRIMARY KEY,
  state TEXT NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Clicks are few among many events; without it, listing those of a period reads every event of the period.
CREATE INDEX clicks_by_time ON events (server_time) WHERE name = 'affiliate_redirect';
