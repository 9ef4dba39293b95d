import type { ArticleCard } from '../../core/articles/article.ts';
import type { ArticleSource } from '../../core/articles/article-source.ts';

const PER_CALL = 100;
/** Newest articles that topics, tags and neighbours are looked for in. */
const MOST_CARDS = 2_000;

/** Reads the cards of the newest articles, newest first. Rejects as the source does. */
export async function readCards(articles: ArticleSource): Promise<readonly ArticleCard[]> {
  const cards: ArticleCard[] = [];
  for (let page = 1; cards.length < MOST_CARDS; page += 1) {
    const found = await articles.list({ page, limit: PER_CALL });
    cards.push(...found.articles);
    if (!found.hasMore) break;
  }
  return cards;
}
