-- The last good copies of articles of another system. summary, outline, slugs: JSON. body_version: when the article
-- that the body belongs to was changed.
CREATE TABLE articles (
  slug TEXT PRIMARY KEY,
  published_at TEXT NOT NULL,
  summary TEXT NOT NULL,
  content TEXT,
  outline TEXT,
  body_version TEXT
) STRICT;

CREATE INDEX articles_newest ON articles (published_at DESC, slug);

CREATE TABLE pages (
  page INTEGER NOT NULL,
  page_size INTEGER NOT NULL,
  slugs TEXT NOT NULL,
  has_more INTEGER NOT NULL,
  PRIMARY KEY (page, page_size)
) STRICT;

-- writes: how often the copies were written, so that others notice. is_complete: whether every page was read once.
CREATE TABLE source_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  is_complete INTEGER NOT NULL,
  writes INTEGER NOT NULL
) STRICT;

INSERT INTO source_state VALUES (1, 0, 0);
