import { type ArticleSource, ArticleSourceError } from '../../../core/articles/article-source.ts';
import type { ArticleCacheStore } from '../../../stores/article-copies.ts';
import type { ArticleFinder } from '../article-finder.ts';
import { buildChanges } from './search-texts.ts';

export interface PurgeOptions {
  /** Not cached. */
  readonly source: ArticleSource;
  readonly store: ArticleCacheStore;
  /** A search that is stored with the copies; left out: servers build theirs from the copies. */
  readonly search?: Pick<ArticleFinder, 'put'> | undefined;
  /** The article whose copy is purged; null: all of them. */
  readonly slug: string | null;
  /** Removes copies that cannot be read instead of leaving them. */
  readonly isForced: boolean;
}

export interface PurgedCopy {
  readonly slug: string;
  readonly outcome: 'replaced' | 'gone at the source' | 'removed' | 'unchanged';
  /** Why the article could not be read; null: it could. */
  readonly error: ArticleSourceError | null;
}

/**
 * Reads articles from their source again and replaces their copies, without waiting until they expire. The copy of an
 * article that the source no longer has is removed; one that cannot be read stays unless the purge is forced, so that
 * an outage of the source leaves no page blank. Rejects with `ArticleSourceError` before any change when all copies are
 * to be purged and the source fails or lists no article.
 */
export async function* purgeCopies(options: PurgeOptions): AsyncGenerator<PurgedCopy> {
  const { source, store, slug, isForced } = options;
  if (slug === null && !isForced) await expectArticles(source);
  const slugs = slug === null ? (await store.readSummaries()).map(({ summary }) => summary.slug) : [slug];
  for (const one of slugs) yield await purge(one, options);
}

async function expectArticles(source: ArticleSource): Promise<void> {
  const { articles } = await source.list({ page: 1, limit: 1 });
  if (articles.length > 0) return;
  throw new ArticleSourceError('bad-response', '[articles:purge] the source lists no article');
}

async function purge(slug: string, { source, store, search, isForced }: PurgeOptions): Promise<PurgedCopy> {
  try {
    const article = await source.get(slug);
    await (article ? store.write([article]) : store.remove(slug));
    if (article) await search?.put(await buildChanges([article]));
    return { slug, outcome: article ? 'replaced' : 'gone at the source', error: null };
  } catch (error) {
    if (!(error instanceof ArticleSourceError)) throw error;
    if (isForced) await store.remove(slug);
    return { slug, outcome: isForced ? 'removed' : 'unchanged', error };
  }
}
