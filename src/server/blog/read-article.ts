import type { Article, ArticleCard } from '../../core/articles/article.ts';
import { isArticleSlug } from '../../core/articles/article-slug.ts';
import { type ArticleSource, ArticleSourceError } from '../../core/articles/article-source.ts';
import type { ArticleView } from '../../core/articles/article-view.ts';
import { buildContents } from '../../core/articles/headings.ts';
import { findNeighbours } from '../../core/articles/neighbours.ts';
import { findRelated } from '../../core/articles/related.ts';
import { splitBody } from '../../core/articles/split-body.ts';
import { readCards } from './read-cards.ts';
import { pickListed } from './read-list.ts';
import { readNewest } from './read-newest.ts';

const RELATED = 3;

/** Reads what the page of a slug shows. Never rejects because of the source: that is a state. */
export async function readArticle(articles: ArticleSource, slug: string): Promise<ArticleView> {
  try {
    const article = isArticleSlug(slug) ? await articles.get(slug) : null;
    if (article === null) return { kind: 'absent', newest: (await readNewest(articles, RELATED)) ?? [] };
    const companions = findCompanions(await readCards(articles).catch(forgive), article);
    const contents = buildContents(article.content);
    return { kind: 'found', article, contents, body: splitBody(article.content), ...companions };
  } catch (error) {
    if (error instanceof ArticleSourceError) return { kind: 'failed' };
    throw error;
  }
}

function findCompanions(cards: readonly ArticleCard[], article: Article) {
  const { previous, next } = findNeighbours(cards, article.slug);
  const except = [previous, next].flatMap((card) => card?.slug ?? []);
  const related = findRelated(cards, article, { count: RELATED, except });
  return { previous, next, related: related.map(pickListed) };
}

/** An article is worth showing without its neighbours. */
function forgive(error: unknown): ArticleCard[] {
  if (error instanceof ArticleSourceError) return [];
  throw error;
}
