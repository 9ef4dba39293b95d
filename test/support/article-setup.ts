import { ArticleFolder, type ArticleFolderInput } from '../../src/content-files/articles/article-folder.ts';
import { FilesSource } from '../../src/content-files/articles/files-source.ts';
import { describeSkipped } from '../../src/core/articles/upstream-article.schema.ts';
import type { Clock } from '../../src/core/clock.ts';
import { ArticleMapper } from '../../src/sources/articles/article-mapper.ts';
import { type BodySource, createBodyPreparer } from '../../src/sources/articles/html/prepare-body.ts';
import type { SanitizePolicy } from '../../src/sources/articles/html/sanitize-html.ts';
import { createRemoteSource } from '../../src/sources/articles/remote.ts';
import { guardedGet } from '../../src/sources/http/guarded-http.ts';
import { ArticleSearch } from '../../src/stores/article-search.ts';
import { openMemoryExecutor } from '../../src/stores/sql/node-sqlite/memory-executor.ts';

/** The clock of the process. */
export const realClock = { now: Date.now, monotonic: () => performance.now() };

/** How a cache of articles is opened in tests, besides its source and its database. */
export const CACHE = {
  clock: realClock,
  random: () => 1,
  maxWaitMs: 5_000,
  freshMs: 300_000,
  crawlPauseMs: null,
  confirmationMs: 0,
  onHeld: () => undefined,
  onChange: () => undefined,
  onBreakerChange: () => undefined,
  onStoreError: (error: unknown) => {
    throw error;
  },
};

/** A policy without partners. */
export const POLICY: SanitizePolicy = {
  siteOrigin: 'https://hub.example',
  partners: new Map(),
  articleSite: '',
  nofollow: true,
  imageHosts: ['images.example'],
};

const prepare = createBodyPreparer(POLICY);

/** Prepares a body by `POLICY` at once, without a worker thread. */
const processBody = async (body: BodySource) => prepare(body);

/** Creates a source of article files whose search is in memory. */
export function createTestFilesSource(
  clock: Clock,
  input: Omit<ArticleFolderInput, 'processBody'>,
): FilesSource {
  const search = new ArticleSearch(openMemoryExecutor('articles'));
  return new FilesSource(new ArticleFolder({ ...input, processBody }), clock, search, true);
}

/** Creates a mapper that adds `{description}: {reason}` to `skipped` for each article it leaves out. */
export function createTestMapper(name: string, skipped: string[] = []): ArticleMapper {
  return new ArticleMapper({
    name,
    processBody,
    siteOrigin: POLICY.siteOrigin,
    imageHosts: POLICY.imageHosts,
    articleSite: POLICY.articleSite,
    defaultAuthor: 'Editorial desk',
    clock: realClock,
    onSkipped: (article) => skipped.push(`${describeSkipped(article)}: ${article.reason}`),
  });
}

/** Creates a source that reads articles from a service at `url`. */
export function createTestRemote(url: string, deadlineMs: number) {
  return createRemoteSource({
    url,
    key: 'k',
    keyHeader: 'Authorization',
    cdnUrl: '',
    mapper: createTestMapper('remote'),
    clock: realClock,
    get: guardedGet,
    deadlineMs,
  });
}
