import { ARTICLES_PER_PAGE, type ArticleListPage, type ArticleSummary } from '../../core/articles/article.ts';
import { type ArticleSource, ArticleSourceError } from '../../core/articles/article-source.ts';
import {
  getFirstPage,
  type ListAddress,
  type ListedArticle,
  type ListState,
} from '../../core/articles/list-address.ts';

/** Reads every page of the list that an address shows. A failing source is a state, not a rejection. */
export async function readList(articles: ArticleSource, address: ListAddress): Promise<ListState> {
  const first = getFirstPage(address);
  const numbers = Array.from({ length: address.page - first + 1 }, (_, index) => first + index);
  try {
    const pages = await Promise.all(numbers.map((page) => readPage(articles, address.query, page)));
    const shown = pages.filter((page, index) => index === 0 || page.articles.length > 0);
    return {
      kind: 'loaded',
      first,
      pages: shown.map((page) => ({ articles: page.articles.map(pickListed), hasMore: page.hasMore })),
    };
  } catch (error) {
    return { kind: getFailureKind(error) };
  }
}

/** Reads the newest articles; null when the source fails. */
export async function readNewest(
  articles: ArticleSource,
  count: number,
): Promise<readonly ListedArticle[] | null> {
  try {
    const page = await articles.list({ page: 1, limit: count });
    return page.articles.map(pickListed);
  } catch (error) {
    getFailureKind(error);
    return null;
  }
}

/** Picks the fields that a card shows. The image has no alternative text beside the title, which says the same. */
export function pickListed(article: ArticleSummary): ListedArticle {
  const { slug, title, excerpt, categories, author, publishedAt, readingTime } = article;
  const featuredImage = article.featuredImage && { ...article.featuredImage, alt: '' };
  const listed = { slug, title, excerpt, featuredImage, categories, author, publishedAt, readingTime };
  return article.excerptParts ? { ...listed, excerptParts: article.excerptParts } : listed;
}

/** Which state of the list an error of the source is. Throws every other error. */
function getFailureKind(error: unknown): 'failed' | 'not-configured' {
  if (!(error instanceof ArticleSourceError)) throw error;
  return error.code === 'not-configured' ? 'not-configured' : 'failed';
}

function readPage(articles: ArticleSource, text: string, page: number): Promise<ArticleListPage> {
  const query = { page, limit: ARTICLES_PER_PAGE };
  return text === '' ? articles.list(query) : articles.search({ text, ...query });
}
