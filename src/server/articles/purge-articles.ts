import type { Content } from '../../core/pages/content.ts';
import type { SearchableArticles } from '../../sources/articles/article-finder.ts';
import {
  type PurgedCopy,
  type PurgeOptions,
  purgeCopies,
} from '../../sources/articles/cache/purge-copies.ts';
import { SqlArticleSearch } from '../../sources/articles/search/sql-article-search.ts';
import { readCopiedSource, SqlArticleCacheStore } from '../../stores/article-copies.ts';
import type { SqlExecutor } from '../../stores/sql/sql-executor.ts';
import type { Platform } from '../platform.ts';
import { type Settings, SettingsError } from '../settings.ts';
import { buildSanitizePolicy, createUpstreamSource } from './article-sources.ts';

/** What a purge needs of the runtime. */
export type PurgePlatform = Pick<Platform, 'clock' | 'httpGet' | 'createBodyProcessor'>;

/** The copies of a server, and the search that is stored with them. */
export type PurgeCopies = Pick<PurgeOptions, 'store' | 'search'>;

/**
 * Replaces the stored copies of the chosen source by what it has now, of one article or of all (`slug` null). A running
 * server reads its copies again within a second, a worker within ten. Yields nothing for article files, which have no
 * copies. Rejects as `purgeCopies`.
 */
export async function* purgeArticles(
  settings: Settings,
  content: Content,
  { clock, httpGet: get, createBodyProcessor }: PurgePlatform,
  request: PurgeCopies & Pick<PurgeOptions, 'slug' | 'isForced'>,
): AsyncGenerator<PurgedCopy> {
  const { ARTICLE_SOURCE: name } = settings;
  if (name === 'files') return;
  const processor = createBodyProcessor(buildSanitizePolicy(settings, content));
  try {
    const parts = { get, clock, processBody: processor.process, onSkipped: () => undefined };
    yield* purgeCopies({ source: createUpstreamSource(name, settings, content, parts), ...request });
  } finally {
    await processor.close();
  }
}

/** A purge gives the search the text of each article. */
const NO_TEXTS: SearchableArticles = {
  getSummary: () => null,
  getSummaries: () => [],
  readText: async () => '',
  readTextsAfter: async () => [],
};

/**
 * Opens the copies that the instances of a worker share. Rejects with `SettingsError` when they are of another source.
 */
export async function openSharedCopies(database: SqlExecutor, { ARTICLE_SOURCE: name }: Settings) {
  const stored = await readCopiedSource(database);
  if (stored !== '' && stored !== name) {
    throw new SettingsError([`ARTICLE_SOURCE: is ${name}, but the copies of the worker are of ${stored}`]);
  }
  const search = new SqlArticleSearch(database, NO_TEXTS);
  return { store: new SqlArticleCacheStore(database), search } satisfies PurgeCopies;
}
