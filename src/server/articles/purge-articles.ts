import { type ArticleSource, ArticleSourceError } from '../../core/articles/article-source.ts';
import type { HeldDeletions } from '../../core/articles/held-deletions.ts';
import type { Content } from '../../core/pages/content.ts';
import { buildSearchDocument, extractSearchText } from '../../sources/articles/article-index.ts';
import { ArticleCopies } from '../../stores/article-copies.ts';
import { ArticleSearch } from '../../stores/article-search.ts';
import type { SqlExecutor } from '../../stores/sql/sql-executor.ts';
import type { Platform } from '../platform.ts';
import { type Settings, SettingsError } from '../settings.ts';
import { createPolicyReader, createUpstreamSource } from './article-sources.ts';

/** What happened to the copy of an article. */
export interface PurgedCopy {
  readonly slug: string;
  readonly outcome: 'replaced' | 'gone at the source' | 'removed' | 'unchanged';
  /** Why the article could not be read; null: it could. */
  readonly error: ArticleSourceError | null;
}

/**
 * Reads articles from their source again and replaces their copies, without waiting until they expire: one article, or
 * all of them (`slug` null). The copy of an article that the source no longer has is removed; one that cannot be read
 * stays unless the purge is forced, so that an outage of the source leaves no page blank. Rejects with
 * `ArticleSourceError` before any change when all copies are to be purged and the source fails, lists no article or
 * does not have the one that it lists.
 */
export async function* purgeCopies(
  source: ArticleSource,
  database: SqlExecutor,
  slug: string | null,
  isForced: boolean,
): AsyncGenerator<PurgedCopy> {
  const copies = new ArticleCopies(database);
  const search = new ArticleSearch(database);
  if (slug === null && !isForced) await expectArticles(source);
  const slugs = slug === null ? (await copies.readSummaries()).map(({ summary }) => summary.slug) : [slug];
  for (const one of slugs) {
    try {
      const article = await source.get(one);
      await (article ? copies.write([article]) : copies.remove(one));
      if (article) await search.put([buildSearchDocument(article, extractSearchText(article))]);
      yield { slug: one, outcome: article ? 'replaced' : 'gone at the source', error: null };
    } catch (error) {
      if (!(error instanceof ArticleSourceError)) throw error;
      if (isForced) await copies.remove(one);
      yield { slug: one, outcome: isForced ? 'removed' : 'unchanged', error };
    }
  }
}

async function expectArticles(source: ArticleSource): Promise<void> {
  const [first] = (await source.list({ page: 1, limit: 1 })).articles;
  if (first === undefined)
    throw new ArticleSourceError('bad-response', '[articles:purge] the source lists no article');
  // An article that cannot be read says nothing about the others.
  if ((await source.get(first.slug).catch(() => undefined)) === null)
    throw new ArticleSourceError('bad-response', '[articles:purge] the source does not have what it lists');
}

/** What a purge needs of the runtime. */
export type PurgePlatform = Pick<Platform, 'clock' | 'httpGet' | 'createBodyProcessor'>;

/**
 * Purges stored copies of the chosen source as `purgeCopies` does. A running server reads its copies again within a
 * second, a worker within ten. Yields nothing for article files, which have no copies. Rejects with `SettingsError` when
 * the copies are of another source.
 */
export async function* purgeArticles(
  settings: Settings,
  content: Content,
  { clock, httpGet: get, createBodyProcessor }: PurgePlatform,
  database: SqlExecutor,
  { slug, isForced }: { readonly slug: string | null; readonly isForced: boolean },
): AsyncGenerator<PurgedCopy> {
  const { ARTICLE_SOURCE: name } = settings;
  if (name === 'files') return;
  await checkSource(name, database);
  const processor = createBodyProcessor(createPolicyReader(settings, () => content));
  try {
    const parts = { get, clock, processBody: processor.process, onSkipped: () => undefined };
    const source = createUpstreamSource(name, settings, content, parts);
    yield* purgeCopies(source, database, slug, isForced);
  } finally {
    await processor.close();
  }
}

/**
 * Accepts the held deletions among stored copies, which a running server or worker then removes. Resolves with what was
 * accepted and how many articles there are. Rejects with `SettingsError` when the copies are of another source.
 */
export async function acceptDeletions(
  settings: Settings,
  database: SqlExecutor,
): Promise<{ readonly held: HeldDeletions | null; readonly known: number }> {
  await checkSource(settings.ARTICLE_SOURCE, database);
  const copies = new ArticleCopies(database);
  const held = [...(await copies.readMissing())].filter(([, { state }]) => state === 'held');
  await copies.acceptHeld();
  const known = (await copies.readSummaries()).length;
  if (held.length === 0) return { held: null, known };
  const since = Math.min(...held.map(([, missing]) => missing.since));
  return { held: { slugs: held.map(([slug]) => slug).sort(), since }, known };
}

async function checkSource(name: string, database: SqlExecutor): Promise<void> {
  const stored = await new ArticleCopies(database).readSource();
  if (stored !== '' && stored !== name)
    throw new SettingsError([`ARTICLE_SOURCE: is ${name}, but the copies of the worker are of ${stored}`]);
}
