import type { ListedArticle } from '../../core/articles/article-list.ts';
import type { ArticleSource } from '../../core/articles/article-source.ts';
import { pickListed, readFailure } from './read-list.ts';

/** Reads the newest articles; null when the source cannot say. */
export async function readNewest(
  articles: ArticleSource,
  count: number,
): Promise<readonly ListedArticle[] | null> {
  try {
    const { articles: cards } = await articles.list({ page: 1, limit: count });
    return cards.map(pickListed);
  } catch (error) {
    readFailure(error);
    return null;
  }
}
