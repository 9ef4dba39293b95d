import type { ArticleImage, ArticleSummary } from '../../../core/articles/article.ts';
import { findContentImage, type ImageCatalog } from '../../../core/pages/content-image.ts';
import type { ImageField } from '../../../core/pages/image-field.schema.ts';
import type { ArticleFile } from './article-file.ts';

/** Builds the summary of a file; its body is not rendered. `defaultAuthor`: of articles that name none. */
export function buildFileSummary(
  { slug, front, readingTime }: ArticleFile,
  defaultAuthor: string,
  images: ImageCatalog,
): ArticleSummary {
  return {
    id: slug,
    slug,
    title: front.title,
    excerpt: front.excerpt,
    featuredImage: front.image ? buildFeaturedImage(front.image, images) : null,
    categories: front.categories,
    tags: front.tags,
    author: front.author ?? defaultAuthor,
    publishedAt: front.publishedAt,
    updatedAt: front.updatedAt ?? front.publishedAt,
    readingTime,
    seoTitle: front.seoTitle ?? '',
    seoDescription: front.seoDescription ?? front.excerpt,
    partner: front.partner ?? '',
  };
}

function buildFeaturedImage({ src, alt, focus }: ImageField, images: ImageCatalog): ArticleImage | null {
  const found = findContentImage(src, images);
  return 'image' in found ? { ...found.image, alt, ...(focus && { focus }) } : null;
}
