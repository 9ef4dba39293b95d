import type { ArticleCard, ArticlePage } from '../../core/articles/article.ts';
import { ARTICLES_PER_PAGE } from '../../core/articles/article.ts';
import {
  type ListAddress,
  type ListedArticle,
  type ListState,
  readFirstPage,
} from '../../core/articles/article-list.ts';
import { type ArticleSource, ArticleSourceError } from '../../core/articles/article-source.ts';

/** Reads every page that an address of the list shows. Never rejects because of the source: that is a state. */
export async function readList(articles: ArticleSource, address: ListAddress): Promise<ListState> {
  const first = readFirstPage(address);
  const numbers = Array.from({ length: address.page - first + 1 }, (_, index) => first + index);
  try {
    const pages = await Promise.all(numbers.map((page) => readPage(articles, address.query, page)));
    const shown = pages.filter((page, index) => index === 0 || page.articles.length > 0);
    return {
      kind: 'loaded',
      first,
      pages: shown.map(({ articles: cards, hasMore }) => ({
        articles: cards.map(pickListed),
        hasMore,
      })),
    };
  } catch (error) {
    return readFailure(error);
  }
}

/** What a rejection of the source means for a page. Anything else is thrown on. */
export function readFailure(error: unknown): { readonly kind: 'failed' | 'not-configured' } {
  if (!(error instanceof ArticleSourceError)) throw error;
  return { kind: error.code === 'not-configured' ? 'not-configured' : 'failed' };
}

/** Keeps of an article what a card shows. Beside its title the picture is silent, so its description stays behind. */
export function pickListed(card: ArticleCard): ListedArticle {
  const { slug, title, excerpt, categories, author, publishedAt, readingTime } = card;
  const featuredImage = card.featuredImage && { ...card.featuredImage, alt: '' };
  const listed = { slug, title, excerpt, featuredImage, categories, author, publishedAt, readingTime };
  return card.excerptParts ? { ...listed, excerptParts: card.excerptParts } : listed;
}

function readPage(articles: ArticleSource, text: string, page: number): Promise<ArticlePage> {
  const part = { page, limit: ARTICLES_PER_PAGE };
  return text === '' ? articles.list(part) : articles.search({ text, ...part });
}
