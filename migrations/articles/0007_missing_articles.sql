-- Articles that the source no longer has. held: still shown, because a damaged source looks the same. accepted: the
-- operator has confirmed that they are gone. removed: counted for a day. since: ms since 1970.
CREATE TABLE missing_articles (
  slug TEXT PRIMARY KEY,
  since INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('held', 'accepted', 'removed'))
) STRICT, WITHOUT ROWID;
