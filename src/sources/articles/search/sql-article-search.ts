import type { ArticleListPage, ArticleSummary } from '../../../core/articles/article.ts';
import type { ArticleSearchQuery } from '../../../core/articles/article-source.ts';
import { splitWords } from '../../../core/text/words.ts';
import type { SqlExecutor } from '../../../stores/sql/sql-executor.ts';
import { buildJsonLists } from '../../../stores/sql/statements.ts';
import {
  type ArticleFinder,
  buildSearchResult,
  type ChangedArticle,
  MAX_RELATED,
  MAX_TEXT_LENGTH,
  type SearchableArticles,
} from '../article-finder.ts';
import { buildSearchDocument, hashFields, hashText } from '../article-search.ts';
import { SqlWordIndex } from './sql-word-index.ts';
import { buildWordImpacts } from './word-impacts.ts';

/** The words with the highest impact of an article, among which its key terms are looked for. */
const MAX_CANDIDATES = 200;
const FILL_BATCH = 20;

const READ_HASHES = `SELECT slug, hash FROM article_search
  WHERE slug IN (SELECT value FROM json_each(?))`;
const READ_UNKNOWN = `SELECT slug FROM articles
  WHERE slug NOT IN (SELECT slug FROM article_search) ORDER BY slug LIMIT ?`;
const WRITE_HASHES = `INSERT INTO article_search (slug, hash)
  SELECT value ->> 0, value ->> 1 FROM json_each(?) AS entry
  WHERE EXISTS (SELECT 1 FROM articles WHERE slug = entry.value ->> 0)
  ON CONFLICT (slug) DO UPDATE SET hash = excluded.hash`;
const WRITE_WORDS = `INSERT OR REPLACE INTO article_words (rowid, title, excerpt, tags, categories, body)
  SELECT known.id, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6
  FROM json_each(?) AS entry JOIN article_search AS known ON known.slug = entry.value ->> 0`;

/** Search in the database of the copies, which many instances share: nothing of it is in memory. */
export class SqlArticleSearch implements ArticleFinder {
  readonly #articles: SearchableArticles;
  readonly #executor: SqlExecutor;
  readonly #index: SqlWordIndex;
  #filled: Promise<void> = Promise.resolve();

  constructor(executor: SqlExecutor, articles: SearchableArticles) {
    this.#executor = executor;
    this.#articles = articles;
    this.#index = new SqlWordIndex(executor);
  }

  get filled(): Promise<void> {
    return this.#filled;
  }

  /** Indexes copies that came from elsewhere, such as an import; what cannot be indexed now can be later. */
  fill(): void {
    this.#filled = this.#indexUnknown().catch(() => undefined);
  }

  async search({ text, page, limit }: ArticleSearchQuery): Promise<ArticleListPage> {
    const { slugs, hasMore, matches } = await this.#index.search({ text, page, limit });
    const results = await Promise.all(slugs.map((slug) => buildSearchResult(this.#articles, slug, matches)));
    return { articles: results.filter((result) => result !== null), hasMore };
  }

  async findRelated(slug: string, limit: number): Promise<readonly ArticleSummary[]> {
    const summary = this.#articles.getSummary(slug);
    if (!summary) return [];
    const impacts = buildWordImpacts(buildSearchDocument(summary, await this.#articles.readText(slug)));
    const candidates = [...impacts].sort(([, a], [, b]) => b - a).slice(0, MAX_CANDIDATES);
    const slugs = await this.#index.findSimilar(candidates, Math.min(limit, MAX_RELATED) + 1);
    const others = slugs.filter((other) => other !== slug).slice(0, limit);
    return others.flatMap((other) => this.#articles.getSummary(other) ?? []);
  }

  async put(articles: readonly ChangedArticle[]): Promise<void> {
    const slugs = JSON.stringify(articles.map(({ summary }) => summary.slug));
    const rows = await this.#executor.query({ sql: READ_HASHES, values: [slugs] });
    const hashes = new Map(rows.map((row) => [row['slug'], String(row['hash'])]));
    const changed = await Promise.all(
      articles.map((article) => this.#buildRow(article, hashes.get(article.summary.slug) ?? '')),
    );
    const lists = buildJsonLists(changed.filter((row) => row !== null));
    await this.#executor.batch(
      lists.flatMap((list) => [
        { sql: WRITE_HASHES, values: [list] },
        { sql: WRITE_WORDS, values: [list] },
      ]),
    );
  }

  /** The database removes the words together with the article. */
  remove(): void {}

  /** The row of an article for the index; null when the index has this version. */
  async #buildRow({ summary, text }: ChangedArticle, known: string): Promise<readonly string[] | null> {
    const [knownFields, knownText] = known.split(' ');
    const fields = hashFields(summary);
    if (fields === knownFields && (text === null || hashText(text) === knownText)) return null;
    const body = text ?? (await this.#articles.readText(summary.slug));
    const { title, excerpt, tags, categories, slug } = summary;
    const texts = [title, excerpt, tags.join(' '), categories.join(' '), body.slice(0, MAX_TEXT_LENGTH)];
    return [slug, `${fields} ${hashText(body)}`, ...texts.map((one) => splitWords(one).join(' '))];
  }

  async #indexUnknown(): Promise<void> {
    for (let last = ''; ; ) {
      const rows = await this.#executor.query({ sql: READ_UNKNOWN, values: [FILL_BATCH] });
      const slugs = rows.map((row) => String(row['slug']));
      const summaries = slugs.flatMap((slug) => this.#articles.getSummary(slug) ?? []);
      // Articles that another instance has added are not known here yet; that instance indexes them.
      if (summaries.length === 0 || slugs[0] === last) return;
      last = slugs[0] ?? '';
      const texts = summaries.map(async (summary) => ({
        summary,
        text: await this.#articles.readText(summary.slug),
      }));
      await this.put(await Promise.all(texts));
    }
  }
}
