import { CachedSource } from '../../src/adapters/articles/cache/cached-source.ts';
import { createMemoryArticleStore } from '../../src/adapters/articles/cache/memory-article-cache-store.ts';
import { createRemoteSource } from '../../src/adapters/articles/remote.ts';
import { guardedGet } from '../../src/adapters/http/guarded-get.ts';
import { createTestMapper, realClock } from '../support/article-setup.ts';
import { buildServedArticles, respondAsRemote } from '../support/fake-services.ts';
import { startUpstream } from '../support/upstream-server.ts';
import { CONTRACT_ARTICLES, describeArticleSource } from './article-source.ts';

describeArticleSource('cached', async () => {
  const upstream = await startUpstream(respondAsRemote(() => buildServedArticles(CONTRACT_ARTICLES)));
  const source = await CachedSource.open({
    source: createRemoteSource({
      url: upstream.url,
      key: 'k',
      keyHeader: 'Authorization',
      cdnUrl: '',
      mapper: createTestMapper('remote'),
      clock: realClock,
      get: guardedGet,
      deadlineMs: 5_000,
    }),
    store: createMemoryArticleStore(),
    clock: realClock,
    random: Math.random,
    maxWaitMs: 5_000,
    freshMs: 60_000,
    crawlPauseMs: null,
    onChange: () => undefined,
    onBreakerChange: () => undefined,
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
