import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createFilesSource } from '../../src/adapters/articles/files-source.ts';
import { createGhostSource } from '../../src/adapters/articles/ghost-source.ts';
import { createRemoteSource } from '../../src/adapters/articles/remote-source.ts';
import { createWordPressSource } from '../../src/adapters/articles/wordpress-source.ts';
import type { ArticleSource } from '../../src/core/articles/article-source.ts';
import { createTestMaker, realClock, sanitise } from '../support/article-setup.ts';
import {
  answerAsGhost,
  answerAsRemote,
  answerAsWordPress,
  buildServedArticles,
} from '../support/fake-services.ts';
import { startUpstream, type Upstream, type UpstreamAnswer } from '../support/upstream-server.ts';
import {
  CONTRACT_ARTICLES,
  type ContractSetup,
  describeArticleSource,
  describeArticleSourceFailures,
} from './article-source.ts';

const articles = buildServedArticles(CONTRACT_ARTICLES);
const DEADLINE_MS = 1_500;

async function setUp(
  answer: (url: URL) => UpstreamAnswer,
  create: (url: string) => ArticleSource,
): Promise<ContractSetup & Pick<Upstream, 'fail'>> {
  const upstream = await startUpstream(answer);
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
      image: { motif: 'bars', values: [1], alt: 'A column' },
    };
    writeFileSync(path.join(dir, `${article.slug}.md`), `---\n${JSON.stringify(head)}\n---\n${article.html}`);
  }
  return {
    source: createFilesSource({ dir, clock: realClock, author: '', sanitise }),
    close: async () => rmSync(dir, { recursive: true }),
  };
});

const SERVICES: Readonly<Record<string, () => ReturnType<typeof setUp>>> = {
  remote: () =>
    setUp(
      answerAsRemote(() => articles),
      (url) =>
        createRemoteSource({
          url,
          key: 'k',
          keyHeader: 'Authorization',
          cdnUrl: '',
          maker: createTestMaker('remote'),
          clock: realClock,
          deadlineMs: DEADLINE_MS,
        }),
    ),
  ghost: () =>
    setUp(
      answerAsGhost(() => articles),
      (url) =>
        createGhostSource({
          url,
          key: 'k',
          maker: createTestMaker('ghost'),
          clock: realClock,
          deadlineMs: DEADLINE_MS,
        }),
    ),
  wordpress: () =>
    setUp(
      answerAsWordPress(() => articles),
      (url) =>
        createWordPressSource({
          url,
          maker: createTestMaker('wordpress'),
          clock: realClock,
          deadlineMs: DEADLINE_MS,
        }),
    ),
};

for (const [name, create] of Object.entries(SERVICES)) {
  describeArticleSource(name, create);
  describeArticleSourceFailures(name, create);
}
