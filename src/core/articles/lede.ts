import { memoizeByKey } from '../text/memoize-by-key.ts';
import type { Article } from './article.ts';

/** How far into a body its first sentences are, in characters of HTML. */
const OPENING_LENGTH = 4_000;

/** Builds the text below an article's title: its excerpt; empty when the body begins with the same words. */
export const buildLede = memoizeByKey(
  ({ excerpt, content }: Pick<Article, 'excerpt' | 'content'>): string => {
    const getLetters = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, '');
    const opening = content.slice(0, OPENING_LENGTH).replace(/<[^<>]*>|&\w+;/g, ' ');
    return getLetters(opening).includes(getLetters(excerpt)) ? '' : excerpt;
  },
);
