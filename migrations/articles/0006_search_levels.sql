-- The search: the words of each article, folded by the program, in the column of their impact (`level3` is the highest),
-- without the text. hash: which version of the article is in the index.
DROP TRIGGER articles_removed;
DROP TRIGGER article_search_removed;
DROP TABLE article_vocabulary;
DROP TABLE article_words;
DROP TABLE article_search;

CREATE TABLE article_search (
  id INTEGER PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  published_at TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;

CREATE VIRTUAL TABLE article_words USING fts5(
  level1, level2, level3,
  content = '', contentless_delete = 1, detail = 'column', prefix = '2',
  tokenize = 'unicode61 remove_diacritics 0'
);

-- Every word, by length, among which those are looked for that a misspelled word may mean.
CREATE TABLE article_terms (
  length INTEGER NOT NULL,
  term TEXT NOT NULL,
  PRIMARY KEY (length, term)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER article_search_removed AFTER DELETE ON article_search BEGIN
  DELETE FROM article_words WHERE rowid = old.id;
END;

CREATE TRIGGER articles_removed AFTER DELETE ON articles BEGIN
  DELETE FROM article_search WHERE slug = old.slug;
END;
