import { describeArticleCopies } from '../../../test/contract/article-cache-store.ts';
import { describeArticleSearch } from '../../../test/contract/article-finder.ts';
import { setUpD1 } from './set-up-d1.ts';

describeArticleCopies('D1', setUpD1('ARTICLES'));

describeArticleSearch('D1', setUpD1('ARTICLES'));
