import type { Article } from '../articles/article.ts';
import { buildArticlePath, buildGroupPath } from '../paths.ts';
import { buildSlug } from '../text/slug.ts';
import { buildBreadcrumbData, type Crumb, HUB_CRUMB } from './breadcrumb-data.ts';
import { buildArticleSharingImage } from './sharing-image.ts';
import { buildAuthor, buildPublisher, SCHEMA, type SiteIdentity } from './site-data.ts';

/** The most that search engines read of a headline. */
const MAX_HEADLINE_LENGTH = 110;

/** Builds the structured data of an article: what it is, and the way to it. */
export function buildArticleData(article: Article, site: SiteIdentity): object[] {
  const path = buildArticlePath(article.slug);
  const [topic] = article.categories;
  const slug = buildSlug(topic ?? '');
  const group: Crumb[] =
    topic === undefined || slug === '' ? [] : [{ name: topic, path: buildGroupPath('topic', slug) }];
  return [
    {
      '@context': SCHEMA,
      '@type': 'BlogPosting',
      headline: article.title.slice(0, MAX_HEADLINE_LENGTH),
      description: article.seoDescription || article.excerpt || site.description,
      image: listImages(article, path, site.origin),
      datePublished: article.publishedAt,
      dateModified: article.updatedAt,
      author: buildAuthor(article.author, site),
      publisher: buildPublisher(site),
      mainEntityOfPage: { '@type': 'WebPage', '@id': site.origin + path },
      inLanguage: site.language,
      timeRequired: `PT${article.readingTime}M`,
      ...(topic === undefined ? {} : { articleSection: topic }),
      ...(article.tags.length === 0 ? {} : { keywords: [...article.tags] }),
    },
    buildBreadcrumbData(site.origin, [HUB_CRUMB, ...group, { name: article.title, path }]),
  ];
}

/** The article's image, when it has one, and the one for sharing, which always exists. */
function listImages({ featuredImage }: Article, path: string, origin: string): string[] {
  const images = [
    buildArticleSharingImage(path, featuredImage),
    ...(featuredImage ? [featuredImage.src] : []),
  ];
  return images.map((image) => new URL(image, origin).href);
}
