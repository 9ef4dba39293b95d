-- Journeys get a position in the order of arrival, so that a reader can go on where it stopped.
CREATE TABLE numbered_journeys (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  click_id TEXT NOT NULL UNIQUE,
  journey TEXT NOT NULL
) STRICT;

INSERT INTO numbered_journeys (click_id, journey) SELECT click_id, journey FROM journeys ORDER BY click_id;

DROP TABLE journeys;

ALTER TABLE numbered_journeys RENAME TO journeys;
