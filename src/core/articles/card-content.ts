import { buildArticlePath } from '../paths.ts';
import { formatShortDate } from './format-date.ts';
import type { ListedArticle } from './list-address.ts';

/** Builds what a card shows of an article. The excerpt has the words of a search marked. */
export function buildCardContent(article: ListedArticle) {
  const { slug, title, categories, author, readingTime } = article;
  return {
    slug,
    title,
    categories,
    author,
    readingTime,
    href: buildArticlePath(slug),
    excerpt: article.excerptParts ?? article.excerpt,
    date: { iso: article.publishedAt, text: formatShortDate(article.publishedAt) },
    image: article.featuredImage,
  };
}
