-- The search over copies that many instances share: the words of each article, folded by the program, without the text.
-- hash: which version of the article's fields and text is in the index.
CREATE TABLE article_search (
  id INTEGER PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  hash TEXT NOT NULL
) STRICT;

CREATE VIRTUAL TABLE article_words USING fts5(
  title, excerpt, tags, categories, body,
  content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 0'
);

CREATE VIRTUAL TABLE article_vocabulary USING fts5vocab(article_words, row);

CREATE TRIGGER article_search_removed AFTER DELETE ON article_search BEGIN
  DELETE FROM article_words WHERE rowid = old.id;
END;

CREATE TRIGGER articles_removed AFTER DELETE ON articles BEGIN
  DELETE FROM article_search WHERE slug = old.slug;
END;
