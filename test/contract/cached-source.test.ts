import { createMemoryArticleStore } from '../../src/adapters/articles/cache/memory-store.ts';
import { createCachedSource } from '../../src/adapters/articles/cached-source.ts';
import { createRemoteSource } from '../../src/adapters/articles/remote-source.ts';
import { createTestMaker, realClock } from '../support/article-setup.ts';
import { answerAsRemote, buildServedArticles } from '../support/fake-services.ts';
import { startUpstream } from '../support/upstream-server.ts';
import { CONTRACT_ARTICLES, describeArticleSource } from './article-source.ts';

describeArticleSource('cached', async () => {
  const upstream = await startUpstream(answerAsRemote(() => buildServedArticles(CONTRACT_ARTICLES)));
  const source = await createCachedSource({
    source: createRemoteSource({
      url: upstream.url,
      key: 'k',
      keyHeader: 'Authorization',
      cdnUrl: '',
      maker: createTestMaker('remote'),
      clock: realClock,
      deadlineMs: 5_000,
    }),
    store: createMemoryArticleStore(),
    clock: realClock,
    random: Math.random,
    freshMs: 60_000,
    crawlPauseMs: null,
    onGateChange: () => undefined,
    onStoreError: () => undefined,
  });
  return {
    source,
    calls: upstream.calls,
    close: async () => {
      await source.close();
      await upstream.close();
    },
  };
});
