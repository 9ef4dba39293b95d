-- Messages of networks that could not be read (JSON), without personal fields, until an operator says what their fields mean
-- or discards them. The id is a hash of partner and content, so that a message that is sent again is stored once.
CREATE TABLE unread_messages (
  id TEXT PRIMARY KEY,
  partner TEXT NOT NULL,
  source TEXT NOT NULL,
  arrived_at INTEGER NOT NULL,
  problem TEXT NOT NULL,
  content TEXT NOT NULL
) STRICT;

CREATE INDEX unread_messages_by_partner ON unread_messages (partner, arrived_at);
