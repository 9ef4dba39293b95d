import type { Article, ArticleCard, ArticleImage } from '../../core/articles/article.ts';
import { buildReadingTime } from '../../core/articles/reading-time.ts';
import type { ArticleFile } from './article-file.ts';
import { renderMarkdown } from './markdown.ts';

const WIDTHS = [480, 800, 1200] as const;

/** Builds what lists show of a file; the body stays unrendered. */
export function buildFileCard({ slug, front, markdown }: ArticleFile, defaultAuthor: string): ArticleCard {
  return {
    id: slug,
    slug,
    title: front.title,
    excerpt: front.excerpt,
    featuredImage: front.image ? buildArtImage(slug, front.image.alt) : null,
    categories: front.categories,
    tags: front.tags,
    author: front.author ?? defaultAuthor,
    publishedAt: front.publishedAt,
    updatedAt: front.updatedAt ?? front.publishedAt,
    readingTime: buildReadingTime(readPlainText(markdown)),
    seoTitle: front.seoTitle ?? '',
    seoDescription: front.seoDescription ?? front.excerpt,
    partner: front.partner ?? '',
  };
}

/** Builds the whole article of a file; renders and sanitises its Markdown. */
export function buildFileArticle(
  file: ArticleFile,
  defaultAuthor: string,
  sanitise: (html: string) => string,
): Article {
  return { ...buildFileCard(file, defaultAuthor), content: sanitise(renderMarkdown(file.markdown)) };
}

/** Strips Markdown to the words that a reader reads; good enough to count and to search. */
export function readPlainText(markdown: string): string {
  return markdown
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\]\([^()]*\)/g, '] ')
    .replace(/^[ \t:|-]*\|[ \t:|-]*$/gm, ' ')
    .replace(/^(?:```|~~~).*$/gm, ' ')
    .replace(/[#*_`>|[\]]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function buildArtImage(slug: string, alt: string): ArticleImage {
  const srcset = (extension: string) =>
    WIDTHS.map((width) => `/art/${slug}-${width}.${extension} ${width}w`).join(', ');
  return {
    src: `/art/${slug}-800.webp`,
    alt,
    width: 1200,
    height: 630,
    sources: [
      { type: 'image/avif', srcset: srcset('avif') },
      { type: 'image/webp', srcset: srcset('webp') },
    ],
  };
}
