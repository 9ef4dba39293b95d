import type { ArticleCard } from '../core/articles/article.ts';
import { buildGroups } from '../core/articles/neighbours.ts';
import type { Content } from '../core/content/content.ts';

const FIXED = ['/', '/blog', '/assessment', '/rss.xml', '/feed.json'];

/** Collects every path that leads somewhere on the site. */
export function collectPaths(content: Content, articles: readonly ArticleCard[]): ReadonlySet<string> {
  const partners = [...content.partners.keys()];
  return new Set([
    ...FIXED,
    ...content.pages.keys(),
    ...Object.keys(content.site.aliases),
    ...partners.flatMap((key) => [`/go/${key}`, `/${key}-trial`]),
    ...articles.map(({ slug }) => `/blog/${slug}`),
    ...buildGroups(articles, 'categories').map(({ slug }) => `/blog/topic/${slug}`),
    ...buildGroups(articles, 'tags').map(({ slug }) => `/blog/tag/${slug}`),
  ]);
}
