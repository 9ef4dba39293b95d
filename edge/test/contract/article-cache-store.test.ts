import { SqlArticleCacheStore } from '../../../src/sources/articles/cache/sql-article-cache-store.ts';
import {
  describeArticleCacheStore,
  describeSharedArticleCache,
} from '../../../test/contract/article-cache-store.ts';
import { setUpD1 } from './set-up-d1.ts';

const open = setUpD1('ARTICLES');

describeArticleCacheStore('D1', () => new SqlArticleCacheStore(open()));
describeSharedArticleCache('D1', () => new SqlArticleCacheStore(open()));
