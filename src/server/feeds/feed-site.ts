import type { FeedSite } from '../../core/articles/rss.ts';
import type { Site } from '../../core/content/site.schema.ts';

/** Builds what feeds say about the site. */
export function buildFeedSite(site: Site, origin: string): FeedSite {
  const { name, description, language, disclosure } = site;
  return { name, description, language, origin, disclosure: disclosure.short };
}
