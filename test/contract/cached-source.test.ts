import { CachedSource } from '../../src/sources/articles/cached-source.ts';
import { openMemoryExecutor } from '../../src/stores/sql/node-sqlite/memory-executor.ts';
import { CACHE, createTestRemote } from '../support/article-setup.ts';
import { SEED } from '../support/cases.ts';
import { createChance } from '../support/chance.ts';
import { buildServedArticles, respondAsRemote } from '../support/fake-services.ts';
import { startUpstream } from '../support/upstream-server.ts';
import { CONTRACT_ARTICLES, describeArticleSource } from './article-source.ts';

describeArticleSource('cached', async () => {
  const upstream = await startUpstream(respondAsRemote(() => buildServedArticles(CONTRACT_ARTICLES)));
  const source = await CachedSource.open({
    ...CACHE,
    source: createTestRemote(upstream.url, 5_000),
    database: openMemoryExecutor('articles'),
    random: createChance(SEED),
    freshMs: 60_000,
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
