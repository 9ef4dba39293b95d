-- What is known of each watched link, by its address without the sub-id of a check. Times: ms since 1970. Record: the rest
-- of what the checks have found, as JSON.
CREATE TABLE links (
  url TEXT PRIMARY KEY,
  state TEXT NOT NULL,
  checked_at INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  record TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The last checks of each link, every change of its state, and what its page said of an offer. A claim or a price names
-- the id as its evidence (lc-20261103-9f2c61aa). Evidence: JSON, null without an offer.
CREATE TABLE link_checks (
  id TEXT PRIMARY KEY,
  url TEXT NOT NULL,
  checked_at INTEGER NOT NULL,
  state TEXT NOT NULL,
  reason TEXT NOT NULL,
  is_change INTEGER NOT NULL,
  evidence TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX link_checks_by_url ON link_checks (url, checked_at);

-- When a host was last sent a request (robots.txt included), and what its robots.txt said: null when it was not read.
CREATE TABLE link_hosts (
  host TEXT PRIMARY KEY,
  requested_at INTEGER NOT NULL,
  robots_at INTEGER,
  robots TEXT
) STRICT, WITHOUT ROWID;

-- The links to other sites in the text of each article. Page: /blog/crm-basics.
CREATE TABLE article_links (
  page TEXT NOT NULL,
  url TEXT NOT NULL,
  PRIMARY KEY (page, url)
) STRICT, WITHOUT ROWID;
