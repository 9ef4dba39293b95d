import { SqlArticleSearch } from '../../../src/sources/articles/search/sql-article-search.ts';
import { SqlArticleCacheStore } from '../../../src/stores/article-copies.ts';
import { describeArticleFinder } from '../../../test/contract/article-finder.ts';
import { setUpD1 } from './set-up-d1.ts';

const open = setUpD1('ARTICLES');

describeArticleFinder('D1', () => {
  const executor = open();
  const store = new SqlArticleCacheStore(executor);
  return {
    create: (articles) => new SqlArticleSearch(executor, articles),
    write: (articles) => store.write(articles),
    remove: (slug) => store.remove(slug),
  };
});
