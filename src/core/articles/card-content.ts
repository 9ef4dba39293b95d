import { buildArticlePath } from '../paths.ts';
import type { ArticleImage } from './article.ts';
import { formatShortDate } from './format-date.ts';
import type { ListedArticle } from './list-address.ts';
import type { TextPart } from './mark-words.ts';

/** What a card shows of an article. */
interface CardContent
  extends Pick<ListedArticle, 'slug' | 'title' | 'categories' | 'author' | 'readingTime'> {
  readonly href: string;
  /** A text, or its parts with the words of a search marked. */
  readonly excerpt: string | readonly TextPart[];
  readonly date: { readonly iso: string; readonly text: string };
  readonly image: ArticleImage | null;
}

/** Builds the content of an article's card. */
export function buildCardContent(article: ListedArticle): CardContent {
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
