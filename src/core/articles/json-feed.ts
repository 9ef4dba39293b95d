import type { Article } from './article.ts';
import { buildAbsolute, buildFeedContent } from './feed-content.ts';
import type { FeedSite } from './rss.ts';

/** Builds a JSON Feed 1.1 document with full texts (https://www.jsonfeed.org/version/1.1/); `articles` newest first. */
export function buildJsonFeed(site: FeedSite, articles: readonly Article[]): string {
  const { name, description, origin, language } = site;
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: name,
    description,
    home_page_url: `${origin}/blog`,
    feed_url: `${origin}/feed.json`,
    language,
    icon: `${origin}/apple-touch-icon.png`,
    items: articles.map((article) => ({
      id: `${origin}/blog/${article.slug}`,
      url: `${origin}/blog/${article.slug}`,
      title: article.title,
      summary: article.excerpt,
      content_html: buildFeedContent(article, origin, site.disclosure),
      ...(article.featuredImage && { image: buildAbsolute(article.featuredImage.src, origin) }),
      date_published: article.publishedAt,
      date_modified: article.updatedAt,
      authors: [{ name: article.author }],
      tags: [...article.categories, ...article.tags],
    })),
  });
}
