import { ARTICLES_PER_PAGE, type ArticleCard } from '../../core/articles/article.ts';
import type { Articles } from '../articles.ts';

/** Reads the cards of every article that is known, newest first. Rejects as the source does when none is. */
export async function readCatalogue(articles: Articles): Promise<readonly ArticleCard[]> {
  if (articles.cards().length === 0) await articles.list({ page: 1, limit: ARTICLES_PER_PAGE });
  return articles.cards();
}
