import { describeArticleCopies } from '../../../test/contract/article-cache-store.ts';
import { describeArticleSearch } from '../../../test/contract/article-finder.ts';
import { setUpD1 } from './set-up-d1.ts';

const open = setUpD1('ARTICLES');
describeArticleCopies('D1', open);
describeArticleSearch('D1', open);
