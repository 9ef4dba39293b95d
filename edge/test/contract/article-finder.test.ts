import { describeArticleSearch } from '../../../test/contract/article-finder.ts';
import { setUpD1 } from './set-up-d1.ts';

describeArticleSearch('D1', setUpD1('ARTICLES'));
