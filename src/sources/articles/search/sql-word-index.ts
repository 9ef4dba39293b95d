import { z } from 'zod';
import type { ArticleSearchQuery } from '../../../core/articles/article-source.ts';
import type { SqlExecutor, SqlRow } from '../../../stores/sql/sql-executor.ts';
import { getIdf, MAX_KEY_TERMS, MIN_COVERAGE, splitQuery } from './search-index.ts';
import { MAX_PREFIXED, Vocabulary } from './vocabulary.ts';
import { buildForms, buildSwaps, getMaxEdits } from './word-forms.ts';

/** One page of the slugs of results. */
export interface SlugPage {
  /** Best first. */
  readonly slugs: readonly string[];
  readonly hasMore: boolean;
  /** The words, folded, that count as matches in a text. */
  readonly matches: ReadonlySet<string>;
}

/** One term of a search: the number of its word, the term, its factor, and what its word counts. */
type SearchedTerm = readonly [word: number, term: string, factor: number, idf: number];

interface Terms {
  readonly vocabulary: Vocabulary;
  /** In how many articles each term is. */
  readonly frequencies: Map<number, number>;
}

const LAST_CHARACTER = '\u{10ffff}';
const MAX_SIMILAR = 2_000;
/** FTS5 gives a term that is in most rows this inverse document frequency. */
const MIN_IDF = 1e-6;

const READ_TERMS = `SELECT v.term, v.doc FROM json_each(?) AS form
  CROSS JOIN article_vocabulary AS v WHERE v.term = form.value`;
const READ_PREFIXED = `SELECT term, doc FROM (
    SELECT v.term, v.doc, row_number() OVER (PARTITION BY word.key ORDER BY v.doc DESC) AS place
    FROM json_each(?) AS word CROSS JOIN article_vocabulary AS v
    WHERE v.term >= word.value AND v.term < word.value || '${LAST_CHARACTER}'
  ) WHERE place <= ${MAX_PREFIXED + 1}`;
/** A word with one error has one of its two halves without it, one with two errors one of three parts. */
const READ_SIMILAR = `SELECT term, doc FROM article_vocabulary
  WHERE length(term) BETWEEN ? AND ? AND (instr(term, ?) OR instr(term, ?) OR instr(term, ?)) LIMIT ${MAX_SIMILAR}`;
const COUNT = 'SELECT count(*) AS count FROM article_search';

/** As in the index in memory: the best term of each word, and articles with most of the words first. */
const MATCH = `WITH hits AS MATERIALIZED (
    SELECT term.value ->> 0 AS word, term.value ->> 3 AS idf, w.rowid AS id,
      (term.value ->> 2) * -bm25(article_words, 5, 2, 3, 2, 1) AS score
    FROM json_each(?) AS term CROSS JOIN article_words AS w WHERE w.article_words MATCH term.value ->> 1
  ), words AS (SELECT id, max(score) AS score, max(idf) AS idf FROM hits GROUP BY id, word),
  totals AS (SELECT id, sum(score) AS score, sum(idf) AS covered FROM words GROUP BY id)
  SELECT known.slug FROM totals JOIN article_search AS known USING (id) JOIN articles USING (slug)
  WHERE covered >= ? * (SELECT max(covered) FROM totals)
  ORDER BY score * covered * covered DESC, published_at DESC, slug LIMIT ? OFFSET ?`;

const termRow = z.object({ term: z.string(), doc: z.number() });

/** The words of articles in FTS5: with the rules of `SearchIndex` for forms, prefixes and typing mistakes. */
export class SqlWordIndex {
  readonly #executor: Pick<SqlExecutor, 'query'>;

  constructor(executor: Pick<SqlExecutor, 'query'>) {
    this.#executor = executor;
  }

  async search({ text, page, limit }: ArticleSearchQuery): Promise<SlugPage> {
    const terms = { vocabulary: new Vocabulary(), frequencies: new Map<number, number>() };
    const { vocabulary, frequencies } = terms;
    // With and without the joined form of a word such as `e-mail`.
    const candidates = new Set([...splitQuery(text, () => true), ...splitQuery(text, () => false)]);
    if (candidates.size === 0) return { slugs: [], hasMore: false, matches: new Set() };
    await this.#readKnown([...candidates], terms);
    const words = splitQuery(text, (word) => vocabulary.has(word));
    const getFrequency = (term: number) => frequencies.get(term) ?? 0;
    const expand = (word: string) => vocabulary.expand(word, getFrequency);
    for (const word of words.filter((one) => expand(one).length === 0)) await this.#readSimilar(word, terms);
    const count = await this.#count();
    const searched = words.flatMap((word, index) => {
      const expansions = expand(word);
      const idf = getIdf(count, Math.max(0, ...expansions.map(({ term }) => getFrequency(term))));
      return expansions.map(({ term, weight }): SearchedTerm => {
        const factor = (weight * idf) / getFts5Idf(count, getFrequency(term));
        return [index, vocabulary.getWord(term), factor, idf];
      });
    });
    const slugs = await this.#match(searched, MIN_COVERAGE, limit + 1, (page - 1) * limit);
    const matches = new Set(searched.map(([, term]) => term));
    return { slugs: slugs.slice(0, limit), hasMore: slugs.length > limit, matches };
  }

  /** Finds the articles that share the most of the key terms among some words with their impacts, best first. */
  async findSimilar(
    impacts: readonly (readonly [word: string, impact: number])[],
    limit: number,
  ): Promise<readonly string[]> {
    const count = await this.#count();
    const rows = await this.#query(READ_TERMS, [JSON.stringify(impacts.map(([word]) => word))]);
    const frequencies = new Map(rows.map(({ term, doc }) => [term, doc]));
    const keyTerms = impacts
      .flatMap(([word, impact]) => {
        const frequency = frequencies.get(word);
        return frequency === undefined ? [] : [{ word, impact, frequency, idf: getIdf(count, frequency) }];
      })
      .sort((a, b) => b.impact * b.idf - a.impact * a.idf)
      .slice(0, MAX_KEY_TERMS)
      .map(({ word, impact, frequency, idf }, index): SearchedTerm => {
        return [index, word, (impact * idf) / getFts5Idf(count, frequency), idf];
      });
    return this.#match(keyTerms, 0, limit, 0);
  }

  async #readKnown(words: readonly string[], terms: Terms): Promise<void> {
    const forms = words.flatMap((word) => buildForms(word).map(([form]) => form));
    add(terms, await this.#query(READ_TERMS, [JSON.stringify(forms)]));
    const prefixes = words.filter((word) => word.length > 1);
    add(terms, await this.#query(READ_PREFIXED, [JSON.stringify(prefixes)]));
  }

  async #readSimilar(word: string, terms: Terms): Promise<void> {
    const edits = getMaxEdits(word);
    if (edits === 0) return;
    add(terms, await this.#query(READ_TERMS, [JSON.stringify(buildSwaps(word))]));
    const characters = [...word];
    const size = Math.ceil(characters.length / (edits + 1));
    const part = (index: number) => characters.slice(index * size, (index + 1) * size).join('');
    const parts = [part(0), part(1), edits === 2 ? part(2) : part(0)];
    const length = characters.length;
    add(terms, await this.#query(READ_SIMILAR, [length - edits, length + edits, ...parts]));
  }

  async #match(
    terms: readonly SearchedTerm[],
    minCoverage: number,
    limit: number,
    offset: number,
  ): Promise<readonly string[]> {
    if (terms.length === 0) return [];
    const list = terms.map(([word, term, factor, idf]) => [word, `"${term}"`, factor, idf]);
    const values = [JSON.stringify(list), minCoverage, limit, offset];
    const rows = await this.#executor.query({ sql: MATCH, values });
    return rows.map((row) => String(row['slug']));
  }

  async #count(): Promise<number> {
    const [row] = await this.#executor.query({ sql: COUNT });
    return Number(row?.['count']);
  }

  async #query(sql: string, values: readonly (string | number)[]) {
    const rows: readonly SqlRow[] = await this.#executor.query({ sql, values });
    return rows.map((row) => termRow.parse(row));
  }
}

function add({ vocabulary, frequencies }: Terms, rows: readonly z.infer<typeof termRow>[]): void {
  for (const { term, doc } of rows) frequencies.set(vocabulary.addWord(term), doc);
}

/** What FTS5 multiplies the score of a term with, which `getIdf` replaces. */
function getFts5Idf(count: number, frequency: number): number {
  return Math.max(MIN_IDF, Math.log((count - frequency + 0.5) / (frequency + 0.5)));
}
