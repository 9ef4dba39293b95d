-- The id of a network that a fact names in place of a click, with what was bought: JSON [id, item, name, items], or empty.
ALTER TABLE facts ADD COLUMN label TEXT NOT NULL DEFAULT '';

-- Which pages an id stood for on a day (2026-11-20 in the time zone of the site), and how much each weighs: JSON. They are
-- not changed, so that money which was shared stays as it is when ids move.
CREATE TABLE label_days (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  partner TEXT NOT NULL,
  label TEXT NOT NULL,
  day TEXT NOT NULL,
  weights TEXT NOT NULL,
  UNIQUE (partner, label, day)
) STRICT;

CREATE TRIGGER label_days_are_not_changed BEFORE UPDATE ON label_days
BEGIN
  SELECT RAISE(ABORT, 'label days are not changed');
END;
