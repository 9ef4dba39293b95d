-- Counts of events by day (YYYY-MM-DD in the operator's time zone) and by one dimension; key is a JSON array of texts.
-- They stay when events are removed.
CREATE TABLE rollups (
  dimension TEXT NOT NULL,
  day TEXT NOT NULL,
  key TEXT NOT NULL,
  views INTEGER NOT NULL,
  sessions INTEGER NOT NULL,
  actions INTEGER NOT NULL,
  clicks INTEGER NOT NULL,
  PRIMARY KEY (dimension, day, key)
) STRICT, WITHOUT ROWID;

-- position: seq of the last event that is counted in rollups; the counters and it change in one transaction.
-- after_day: a rebuild counts only the events after this day, because those before are not complete any more.
CREATE TABLE rollup_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  position INTEGER NOT NULL,
  after_day TEXT NOT NULL,
  time_zone TEXT NOT NULL,
  version INTEGER NOT NULL
) STRICT;

INSERT INTO rollup_state VALUES (1, 0, '', 'UTC', 1);
