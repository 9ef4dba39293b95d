import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openArticleFolder } from '../../src/content-files/articles/read-article-files.ts';
import type { ArticleSource } from '../../src/core/articles/article-source.ts';
import type { ArticleSourceName } from '../../src/server/articles/article-sources.ts';
import { createGhostSource } from '../../src/sources/articles/ghost.ts';
import { createWordPressSource } from '../../src/sources/articles/wordpress.ts';
import { guardedGet } from '../../src/sources/http/guarded-http.ts';
import {
  createTestFilesSource,
  createTestMapper,
  createTestRemote,
  realClock,
} from '../support/article-setup.ts';
import {
  buildServedArticles,
  respondAsGhost,
  respondAsRemote,
  respondAsWordPress,
} from '../support/fake-services.ts';
import { startUpstream, type UpstreamResponse } from '../support/upstream-server.ts';
import {
  CONTRACT_ARTICLES,
  describeArticleSource,
  describeArticleSourceFailures,
  type FailingSetup,
} from './article-source.ts';

const articles = buildServedArticles(CONTRACT_ARTICLES);
const IMAGE = { src: '/images/a.svg', width: 1200, height: 630, sources: [] };

async function setUp(
  respond: (url: URL) => UpstreamResponse,
  create: (url: string, deadlineMs: number) => ArticleSource,
): Promise<FailingSetup> {
  const upstream = await startUpstream(respond);
  return {
    // On a busy machine a response takes its time, and must not be taken for one that never comes.
    source: create(upstream.url, 60_000),
    hurriedSource: create(upstream.url, 300),
    fail: upstream.fail,
    calls: upstream.calls,
    close: upstream.close,
  };
}

describeArticleSource('files', async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'article-contract-'));
  for (const article of articles) {
    const head = {
      title: article.title,
      excerpt: article.excerpt,
      categories: [article.topic],
      tags: article.tags,
      publishedAt: article.publishedAt,
      author: article.author,
      image: { src: '../images/a.svg', alt: 'A column' },
    };
    writeFileSync(path.join(dir, `${article.slug}.md`), `---\n${JSON.stringify(head)}\n---\n${article.html}`);
  }
  return {
    source: createTestFilesSource(realClock, {
      files: openArticleFolder(dir),
      defaultAuthor: '',
      readImages: () => ({ images: new Map([['a.svg', IMAGE]]), origin: 'folder' }),
    }),
    close: async () => rmSync(dir, { recursive: true }),
  };
});

const SERVICES: Readonly<Record<Exclude<ArticleSourceName, 'files'>, () => ReturnType<typeof setUp>>> = {
  remote: () =>
    setUp(
      respondAsRemote(() => articles),
      createTestRemote,
    ),
  ghost: () =>
    setUp(
      respondAsGhost(() => articles),
      (url, deadlineMs) =>
        createGhostSource({
          url,
          key: 'k',
          mapper: createTestMapper('ghost'),
          clock: realClock,
          get: guardedGet,
          deadlineMs,
        }),
    ),
  wordpress: () =>
    setUp(
      respondAsWordPress(() => articles),
      (url, deadlineMs) =>
        createWordPressSource({
          url,
          mapper: createTestMapper('wordpress'),
          clock: realClock,
          get: guardedGet,
          deadlineMs,
        }),
    ),
};

for (const [name, create] of Object.entries(SERVICES)) {
  describeArticleSource(name, create);
  describeArticleSourceFailures(name, create);
}
