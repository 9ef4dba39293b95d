import { SqlArticleCacheStore } from '../../../src/stores/article-copies.ts';
import {
  describeArticleCacheStore,
  describeSharedArticleCache,
} from '../../../test/contract/article-cache-store.ts';
import { setUpD1 } from './set-up-d1.ts';

const open = setUpD1('ARTICLES');

describeArticleCacheStore('D1', () => new SqlArticleCacheStore(open()));
describeSharedArticleCache('D1', () => new SqlArticleCacheStore(open()));
