-- The last good copies of articles of another system. summary, outline, slugs: JSON. body_version: when the article
-- that the body belongs to was changed. Versions 1 to 3 are those of files that the program itself had created.
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

-- source: where the copies are from. is_complete: whether every page was read once. writes: how often the copies were
-- changed, so that others notice. crawl_due_at, last_crawl_at: when the source is read again and was read last, in ms
-- since 1970, where many instances share the copies.
CREATE TABLE source_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  source TEXT NOT NULL,
  is_complete INTEGER NOT NULL,
  writes INTEGER NOT NULL,
  crawl_due_at INTEGER NOT NULL,
  last_crawl_at INTEGER NOT NULL
) STRICT;

INSERT INTO source_state VALUES (1, '', 0, 0, 0, 0);
