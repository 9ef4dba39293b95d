import { setImmediate } from 'node:timers/promises';
import type { Article, ArticleListPage, ArticleSummary } from '../../core/articles/article.ts';
import { type ArticleSearchQuery, ArticleSourceError } from '../../core/articles/article-source.ts';
import { buildResultExcerpt, type TextPart } from '../../core/articles/mark-words.ts';
import { MAX_TEXT_LENGTH, type SearchDocument } from '../../core/articles/search-terms.ts';
import { type ArticleSearch, hashDocument } from '../../stores/article-search.ts';
import { extractText } from './html/html-text.ts';

/** The articles that a search finds. */
export interface SearchedArticles {
  getSummary(slug: string): ArticleSummary | null;
  /** Reads the words of a body, without markup; empty without a body. */
  readText(slug: string): Promise<string>;
}

/** Characters of text that are indexed at once: more would stall the event loop, where the index is in memory. */
const MAX_BATCH_LENGTH = 40_000;

/** Builds what can be found of an article. */
export function buildSearchDocument(summary: ArticleSummary, text: string): SearchDocument {
  const { slug, publishedAt, title, excerpt, tags, categories } = summary;
  return { slug, publishedAt, title, excerpt, tags, categories, text: text.slice(0, MAX_TEXT_LENGTH) };
}

/** Extracts what is searched of a body; empty without an article. */
export function extractSearchText(article: Article | null): string {
  return extractText(article?.content ?? '', MAX_TEXT_LENGTH);
}

/** Brings the index up to date with articles, in steps. `known`: the hashes of those that it has. */
export async function indexArticles(
  search: ArticleSearch,
  documents: Iterable<SearchDocument> | AsyncIterable<SearchDocument>,
  known: ReadonlyMap<string, string>,
): Promise<void> {
  let batch: SearchDocument[] = [];
  let length = 0;
  for await (const document of documents) {
    const hash = known.get(document.slug);
    if (hash !== undefined && hash === hashDocument(document)) continue;
    batch.push(document);
    length += document.text.length;
    if (length < MAX_BATCH_LENGTH) continue;
    await search.put(batch);
    await setImmediate();
    batch = [];
    length = 0;
  }
  await search.put(batch);
}

/**
 * Finds articles, best match first, with the matching words marked. Rejects with `ArticleSourceError` when the index
 * cannot be read.
 */
export async function searchArticles(
  search: ArticleSearch,
  articles: SearchedArticles,
  query: ArticleSearchQuery,
): Promise<ArticleListPage> {
  const { slugs, hasMore, isMatch } = await search.search(query).catch((cause: unknown) => {
    throw new ArticleSourceError('failed', '[articles:search] the index cannot be read', { cause });
  });
  const results: ArticleSummary[] = [];
  for (const slug of slugs) {
    const summary = articles.getSummary(slug);
    if (summary) results.push({ ...summary, excerptParts: await buildExcerpt(articles, summary, isMatch) });
  }
  return { articles: results, hasMore };
}

/** Finds the articles that share the most key terms with one, best first; none while the index cannot be read. */
export async function findRelatedArticles(
  search: ArticleSearch,
  articles: SearchedArticles,
  slug: string,
  limit: number,
): Promise<readonly ArticleSummary[]> {
  const summary = articles.getSummary(slug);
  if (!summary) return [];
  const document = buildSearchDocument(summary, await articles.readText(slug));
  const slugs = await search.findSimilar(document, limit).catch(() => []);
  return slugs.flatMap((other) => articles.getSummary(other) ?? []);
}

/** The excerpt of a result is its own when a match is in it, else a piece of the body, which is read only then. */
async function buildExcerpt(
  articles: SearchedArticles,
  { slug, excerpt }: ArticleSummary,
  isMatch: (word: string) => boolean,
): Promise<readonly TextPart[]> {
  const own = buildResultExcerpt(excerpt, '', isMatch);
  if (own.some(({ match }) => match)) return own;
  // Results with long bodies must not stall the event loop together.
  await setImmediate();
  const text = (await articles.readText(slug)).slice(0, MAX_TEXT_LENGTH);
  return buildResultExcerpt(excerpt, text, isMatch);
}
