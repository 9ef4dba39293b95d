import { type PurgedCopy, purgeCopies } from '../../adapters/articles/cache/purge-copies.ts';
import { createSqliteArticleStore } from '../../adapters/articles/cache/sqlite-article-cache-store.ts';
import { BodyProcessor } from '../../adapters/articles/html/body-processor.ts';
import { guardedGet } from '../../adapters/http/guarded-get.ts';
import type { Clock } from '../../core/clock.ts';
import type { Content } from '../../core/pages/content.ts';
import type { Config } from '../config.ts';
import { buildSanitizePolicy, createUpstreamSource, getArticleCacheFile } from './article-source.ts';

/**
 * Replaces the stored copies of the chosen source by what it has now, of one article or of all. A running server reads
 * its copies again within a second. Yields nothing for article files, which have no copies. Rejects as `purgeCopies`.
 */
export async function* purgeArticles(
  config: Config,
  content: Content,
  clock: Clock,
  { slug, isForced }: { readonly slug: string | null; readonly isForced: boolean },
): AsyncGenerator<PurgedCopy> {
  const { ARTICLE_SOURCE: name } = config;
  if (name === 'files') return;
  const processor = new BodyProcessor(buildSanitizePolicy(config, content));
  const store = createSqliteArticleStore(getArticleCacheFile(config), () => undefined);
  try {
    const parts = { get: guardedGet, clock, processBody: processor.process, onSkipped: () => undefined };
    yield* purgeCopies({ source: createUpstreamSource(name, config, content, parts), store, slug, isForced });
  } finally {
    await store.close();
    await processor.close();
  }
}
