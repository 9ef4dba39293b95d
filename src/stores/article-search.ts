import { createHash } from 'node:crypto';
import type { ArticleSearchQuery } from '../core/articles/article-source.ts';
import {
  buildForms,
  buildSwaps,
  buildWordImpacts,
  getIdf,
  getMaxEdits,
  groupByImpact,
  IMPACT_LEVELS,
  isPrefix,
  MIN_COVERAGE,
  PREFIX_WEIGHT,
  type SearchDocument,
  SIMILAR_WEIGHTS,
  selectCandidates,
  selectKeyTerms,
  selectSimilar,
  splitQuery,
} from '../core/articles/search-terms.ts';
import { Database, type SqlExecutor, type SqlStatement } from './sql/sql-executor.ts';
import { buildJsonLists } from './sql/statements.ts';

/** Words that one searched word may mean, as an expression of FTS5, and how well they match it (0 to 1). */
interface TermGroup {
  readonly expression: string;
  readonly weight: number;
}

/** The groups of a searched word, best first, and what their words are. */
interface SearchedWord {
  readonly groups: readonly TermGroup[];
  readonly words: readonly string[];
  /** Empty: words that begin with the searched one are not meant. */
  readonly prefix: string;
  readonly idf: number;
}

/** Rows of one query of FTS5: what it matches, what each adds to the score of its article and to its coverage. */
type Hits = readonly [expression: string, score: number, idf: number];

/** A word that so many articles have is not the beginning of another one. */
const MAX_PREFIXED = 500;
/** Shorter words are not taken for misspelled ones. */
const MIN_TERM_LENGTH = 3;
/** Candidates that are compared with a misspelled word. */
const MAX_COMPARED = 2_000;

const READ_HASHES = 'SELECT slug, hash FROM article_search';
const READ_HASHES_OF = `${READ_HASHES} WHERE slug IN (SELECT value FROM json_each(?))`;
const READ_UNKNOWN = `SELECT slug FROM articles
  WHERE slug > ? AND slug NOT IN (SELECT slug FROM article_search) ORDER BY slug LIMIT ?`;
const WRITE_ARTICLES = `INSERT INTO article_search (slug, published_at, hash)
  SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?) WHERE true
  ON CONFLICT (slug) DO UPDATE SET published_at = excluded.published_at, hash = excluded.hash`;
const WRITE_WORDS = `INSERT OR REPLACE INTO article_words (rowid, level1, level2, level3)
  SELECT known.id, value ->> 3, value ->> 4, value ->> 5
  FROM json_each(?) AS entry JOIN article_search AS known ON known.slug = entry.value ->> 0`;
const WRITE_TERMS = `INSERT OR IGNORE INTO article_terms (length, term)
  SELECT length(value), value FROM json_each(?)`;
const REMOVE = 'DELETE FROM article_search WHERE slug IN (SELECT value FROM json_each(?))';
const COUNT = `SELECT value AS expression,
  (SELECT count(*) FROM article_words WHERE article_words MATCH one.value) AS count FROM json_each(?) AS one
  UNION ALL SELECT NULL, count(*) FROM article_search`;
/**
 * The words of the articles among some words, and those that are similar to one: a word with one error has one of its two
 * halves without it, one with two errors one of three parts.
 */
const READ_SIMILAR = `SELECT term FROM json_each(?) AS word
  JOIN article_terms ON length = length(word.value) AND term = word.value
  UNION ALL SELECT term FROM (SELECT term FROM article_terms
  WHERE length BETWEEN ? AND ? AND (instr(term, ?) OR instr(term, ?) OR instr(term, ?)) LIMIT ${MAX_COMPARED})`;

/** Of articles with the same score, the newest is first. */
const MATCH = `WITH queries AS MATERIALIZED (
    SELECT value ->> 0 AS expression, value ->> 1 AS score, value ->> 2 AS idf FROM json_each(?)
  ), totals AS MATERIALIZED (
    SELECT w.rowid AS id, sum(queries.score) AS score, sum(queries.idf) AS covered
    FROM queries CROSS JOIN article_words AS w WHERE w.article_words MATCH queries.expression GROUP BY w.rowid
  )
  SELECT slug FROM totals JOIN article_search USING (id)
  WHERE covered >= ? * (SELECT max(covered) FROM totals)
  ORDER BY score * covered * covered DESC, published_at DESC, slug LIMIT ? OFFSET ?`;

/**
 * Full-text search over articles in FTS5, with the tables of `migrations/articles`. It has the words of the articles
 * and not their text. Rejects with `SqlError`.
 */
export class ArticleSearch {
  readonly #database: Database;

  constructor(executor: SqlExecutor) {
    this.#database = new Database(executor);
  }

  /** Adds articles, or replaces them. */
  async put(documents: readonly SearchDocument[]): Promise<void> {
    if (documents.length === 0) return;
    const terms = new Set<string>();
    const rows = documents.map((document) => {
      const impacts = buildWordImpacts(document);
      for (const word of impacts.keys()) if (word.length >= MIN_TERM_LENGTH) terms.add(word);
      const levels = groupByImpact(impacts).map((words) => words.join(' '));
      return [document.slug, document.publishedAt, hashDocument(document), ...levels];
    });
    await this.#database.batch([
      ...buildJsonLists(rows).flatMap((list): SqlStatement[] => [
        { sql: WRITE_ARTICLES, values: [list] },
        { sql: WRITE_WORDS, values: [list] },
      ]),
      { sql: WRITE_TERMS, values: [JSON.stringify([...terms])] },
    ]);
  }

  async remove(slugs: readonly string[]): Promise<void> {
    await this.#database.change(REMOVE, JSON.stringify(slugs));
  }

  /** Reads the hashes of the articles in the index by slug: of some articles, or of all (null). */
  async readHashes(slugs: readonly string[] | null): Promise<ReadonlyMap<string, string>> {
    const rows = await (slugs === null
      ? this.#database.read(READ_HASHES)
      : this.#database.read(READ_HASHES_OF, JSON.stringify(slugs)));
    return new Map(rows.map((row) => [String(row['slug']), String(row['hash'])]));
  }

  /** Lists at most `count` stored copies after a slug that are not in the index, in order of slug. */
  async readUnknown(after: string, count: number): Promise<readonly string[]> {
    const rows = await this.#database.read(READ_UNKNOWN, after, count);
    return rows.map((row) => String(row['slug']));
  }

  /** Finds articles, best match first. */
  async search({ text, page, limit }: ArticleSearchQuery) {
    const words = await this.#readWords(text);
    const hits = words.flatMap(({ groups, idf }) => buildHits(groups, idf));
    const slugs = await this.#match(hits, MIN_COVERAGE, limit + 1, (page - 1) * limit);
    const matches = new Set(words.flatMap((word) => word.words));
    const prefixes = words.flatMap(({ prefix }) => (prefix === '' ? [] : [prefix]));
    return {
      slugs: slugs.slice(0, limit),
      hasMore: slugs.length > limit,
      /** Whether a folded word of a text counts as a match. */
      isMatch: (word: string) => matches.has(word) || prefixes.some((prefix) => word.startsWith(prefix)),
    };
  }

  /** Finds the articles that share the most key terms with one, best first. */
  async findSimilar(document: SearchDocument, limit: number): Promise<readonly string[]> {
    const impacts = buildWordImpacts(document);
    const { all, counts } = await this.#count(selectCandidates(impacts).map((word) => [word, quote(word)]));
    const hits = selectKeyTerms(impacts, counts, all).flatMap(({ word, impact, idf }) =>
      buildHits([{ expression: quote(word), weight: impact }], idf),
    );
    const slugs = await this.#match(hits, 0, limit + 1, 0);
    return slugs.filter((slug) => slug !== document.slug).slice(0, limit);
  }

  /** Reads what the words of a query may mean: their forms and beginnings, or else what they are misspellings of. */
  async #readWords(text: string): Promise<readonly SearchedWord[]> {
    // With and without the joined form of a word such as `e-mail`.
    const candidates = new Set([...splitQuery(text, () => true), ...splitQuery(text, () => false)]);
    if (candidates.size === 0) return [];
    const { all, counts } = await this.#count(
      [...candidates].flatMap((word): [string, string][] => [
        [`own ${word}`, quote(word)],
        [`forms ${word}`, quoteAll(buildForms(word))],
        [`prefix ${word}`, quotePrefix(word)],
      ]),
    );
    const getCount = (kind: string, word: string) => counts.get(`${kind} ${word}`) ?? 0;
    return Promise.all(
      splitQuery(text, (word) => getCount('own', word) > 0).map(async (word): Promise<SearchedWord> => {
        const forms = getCount('forms', word);
        const prefixed = forms < MAX_PREFIXED && isPrefix(word, forms > 0) ? getCount('prefix', word) : 0;
        if (forms + prefixed === 0) return this.#readMisspelled(word, all);
        return {
          groups: [
            ...(forms > 0 ? [{ expression: quoteAll(buildForms(word)), weight: 1 }] : []),
            ...(prefixed > 0 ? [{ expression: quotePrefix(word), weight: PREFIX_WEIGHT }] : []),
          ],
          words: buildForms(word),
          prefix: prefixed > 0 ? word : '',
          idf: getIdf(all, Math.max(forms, prefixed)),
        };
      }),
    );
  }

  async #readMisspelled(word: string, all: number): Promise<SearchedWord> {
    const edits = getMaxEdits(word);
    const size = Math.ceil(word.length / (edits + 1));
    const part = (index: number) => word.slice(index * size, (index + 1) * size);
    const parts = [part(0), part(1), edits === 2 ? part(2) : part(0)];
    const values = [JSON.stringify(buildSwaps(word)), word.length - edits, word.length + edits];
    const rows = edits === 0 ? [] : await this.#database.read(READ_SIMILAR, ...values, ...parts);
    const known = [...new Set(rows.map((row) => String(row['term'])))];
    const similar = selectSimilar(word, known);
    const groups = similar.map((terms, index): TermGroup => {
      return { expression: quoteAll(terms), weight: SIMILAR_WEIGHTS[index] ?? 0 };
    });
    const words = similar.flat();
    const found = words.length > 0 ? await this.#count([[word, quoteAll(words)]]) : null;
    return {
      groups: groups.filter(({ expression }) => expression !== ''),
      words,
      prefix: '',
      idf: getIdf(all, found?.counts.get(word) ?? 0),
    };
  }

  async #match(hits: readonly Hits[], minCoverage: number, limit: number, offset: number) {
    if (hits.length === 0) return [];
    const rows = await this.#database.read(MATCH, JSON.stringify(hits), minCoverage, limit, offset);
    return rows.map((row) => String(row['slug']));
  }

  async #count(expressions: readonly (readonly [name: string, expression: string])[]) {
    const distinct = [...new Set(expressions.map(([, expression]) => expression))];
    const rows = await this.#database.read(COUNT, JSON.stringify(distinct));
    const found = new Map(rows.map((row) => [row['expression'], Number(row['count'])]));
    const counts = new Map(expressions.map(([name, expression]) => [name, found.get(expression) ?? 0]));
    return { all: found.get(null) ?? 0, counts };
  }
}

/**
 * Builds the queries of one searched word. Together they return each article once: by its best group and, in that, by
 * the highest level that one of its words has.
 */
function buildHits(groups: readonly TermGroup[], idf: number): readonly Hits[] {
  return groups.flatMap(({ expression, weight }, index) => {
    const better = groups.slice(0, index).map((group) => `(${group.expression})`);
    return IMPACT_LEVELS.map(({ impact }, level): Hits => {
      const higher = IMPACT_LEVELS.slice(level + 1).map((_, next) => `level${level + 2 + next}`);
      const excluded = [
        ...(higher.length > 0 ? [`({${higher.join(' ')}} : (${expression}))`] : []),
        ...better,
      ];
      const own = `(level${level + 1} : (${expression}))`;
      return [[own, ...excluded].join(' NOT '), weight * impact * idf, idf];
    });
  });
}

const quote = (word: string) => `"${word}"`;
const quoteAll = (words: readonly string[]) => words.map(quote).join(' OR ');
const quotePrefix = (word: string) => `${quote(word)}*`;

/** Builds the hash by which an index recognizes an article that it has. */
export function hashDocument(document: SearchDocument): string {
  return createHash('sha1').update(JSON.stringify(document)).digest('base64');
}
