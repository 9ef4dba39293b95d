import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ArticleSource } from '../../src/core/articles/article-source.ts';
import type { ArticleSourceName } from '../../src/server/articles/article-sources.ts';
import { openArticleFolder } from '../../src/sources/articles/files/read-article-files.ts';
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
import { startUpstream, type Upstream, type UpstreamResponse } from '../support/upstream-server.ts';
import {
  CONTRACT_ARTICLES,
  type ContractSetup,
  describeArticleSource,
  describeArticleSourceFailures,
} from './article-source.ts';

const articles = buildServedArticles(CONTRACT_ARTICLES);
const IMAGE = { src: '/images/a.svg', width: 1200, height: 630, sources: [] };
const DEADLINE_MS = 1_500;

async function setUp(
  respond: (url: URL) => UpstreamResponse,
  create: (url: string) => ArticleSource,
): Promise<ContractSetup & Pick<Upstream, 'fail'>> {
  const upstream = await startUpstream(respond);
  return {
    source: create(upstream.url),
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
      (url) => createTestRemote(url, DEADLINE_MS),
    ),
  ghost: () =>
    setUp(
      respondAsGhost(() => articles),
      (url) =>
        createGhostSource({
          url,
          key: 'k',
          mapper: createTestMapper('ghost'),
          clock: realClock,
          get: guardedGet,
          deadlineMs: DEADLINE_MS,
        }),
    ),
  wordpress: () =>
    setUp(
      respondAsWordPress(() => articles),
      (url) =>
        createWordPressSource({
          url,
          mapper: createTestMapper('wordpress'),
          clock: realClock,
          get: guardedGet,
          deadlineMs: DEADLINE_MS,
        }),
    ),
};

for (const [name, create] of Object.entries(SERVICES)) {
  describeArticleSource(name, create);
  describeArticleSourceFailures(name, create);
}
