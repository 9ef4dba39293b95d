import path from 'node:path';
import { createMemoryArticleStore } from '../adapters/articles/cache/memory-store.ts';
import { createSqliteArticleStore } from '../adapters/articles/cache/sqlite-store.ts';
import { createCachedSource } from '../adapters/articles/cached-source.ts';
import { createFilesSource } from '../adapters/articles/files-source.ts';
import type { ArticleCacheStore } from '../core/articles/article-cache-store.ts';
import type { Clock } from '../core/clock.ts';
import type { Content } from '../core/content/content.ts';
import { createArticleNotes } from './article-notes.ts';
import type { Articles } from './articles.ts';
import { createSiteSanitiser, createUpstreamSource } from './compose-upstream.ts';
import type { Config } from './config.ts';
import type { Log } from './log.ts';
import { createTokenCheck } from './token-check.ts';

/** What articles are made from. */
export interface ArticlesOptions {
  readonly config: Config;
  readonly content: Content;
  readonly clock: Clock;
  readonly log: Log;
  /** true: show an edited article file at once (development). */
  readonly reload?: boolean;
}

/** Between two calls of the background reader: at most ten a second. */
const CRAWL_PAUSE_MS = 100;

/** Creates the articles of the chosen source. Throws `ArticleFilesError` when an article file is wrong. */
export async function createArticles(options: ArticlesOptions): Promise<Articles> {
  return options.config.ARTICLE_SOURCE === 'files' ? createBuiltIn(options) : createCached(options);
}

function createBuiltIn({ config, content, clock, reload = false }: ArticlesOptions): Articles {
  const source = createFilesSource({
    dir: path.join(config.CONTENT_DIR, 'articles'),
    clock,
    reload,
    author: content.site.author,
    partners: [...content.partners.keys()],
    sanitise: createSiteSanitiser(config, content),
  });
  const isToken = createTokenCheck(config.PREVIEW_TOKEN);
  return {
    ...source,
    get filled() {
      return source.filled;
    },
    preview: async (slug, token) => (isToken(token) ? source.preview(slug) : null),
    readNotes: () => [],
    close: async () => source.filled,
  };
}

async function createCached(options: ArticlesOptions): Promise<Articles> {
  const { config, content, clock, log } = options;
  const notes = createArticleNotes(config.ARTICLE_SOURCE, log, clock);
  const cached = await createCachedSource({
    source: createUpstreamSource(config, content, {
      clock,
      sanitise: createSiteSanitiser(config, content),
      onDropped: notes.onDropped,
    }),
    store: openStore(config, log),
    clock,
    random: Math.random,
    freshMs: config.ARTICLE_CACHE_SECONDS * 1_000,
    crawlPauseMs: CRAWL_PAUSE_MS,
    onGateChange: notes.onGateChange,
    onStoreError: notes.onStoreError,
  });
  return {
    ...cached,
    get filled() {
      return cached.filled;
    },
    preview: async () => null,
    readNotes: () => notes.build(cached.status()),
  };
}

/** A disk that takes nothing costs the copies their life beyond the process, not the site its articles. */
function openStore(config: Config, log: Log): ArticleCacheStore {
  const file = path.join(config.DATA_DIR, `articles-${config.ARTICLE_SOURCE}.db`);
  try {
    return createSqliteArticleStore(file, (kept) =>
      log.warn('articles: the file of copies was made anew', { kept }),
    );
  } catch (error) {
    log.error('articles: copies are kept in memory only', { error });
    return createMemoryArticleStore();
  }
}
