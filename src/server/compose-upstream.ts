import { createArticleMaker } from '../adapters/articles/article-maker.ts';
import { createGhostSource } from '../adapters/articles/ghost-source.ts';
import { createRemoteSource } from '../adapters/articles/remote-source.ts';
import { createSanitiser } from '../adapters/articles/sanitise.ts';
import { createWordPressSource } from '../adapters/articles/wordpress-source.ts';
import type { ArticleSource } from '../core/articles/article-source.ts';
import type { Clock } from '../core/clock.ts';
import type { Content } from '../core/content/content.ts';
import type { Config } from './config.ts';
import { readImageHosts, readServiceHost } from './image-hosts.ts';

/** For everything that one answer of a source needs. */
const DEADLINE_MS = 2_000;

/** Creates the chosen service's source, not yet cached. For every choice but `files`. */
export function createUpstreamSource(
  config: Config,
  content: Content,
  parts: {
    readonly clock: Clock;
    readonly sanitise: (html: string) => string;
    /** Called for each article that is left out, with the reason in our own words. */
    readonly onDropped: (reason: string) => void;
  },
): ArticleSource {
  const maker = createArticleMaker({
    ...parts,
    name: config.ARTICLE_SOURCE,
    siteOrigin: config.siteUrl,
    imageHosts: readImageHosts(config),
    author: content.site.author,
  });
  const shared = { maker, clock: parts.clock, deadlineMs: DEADLINE_MS };
  if (config.ARTICLE_SOURCE === 'ghost') {
    return createGhostSource({ ...shared, url: config.GHOST_URL, key: config.GHOST_KEY });
  }
  if (config.ARTICLE_SOURCE === 'wordpress')
    return createWordPressSource({ ...shared, url: config.WORDPRESS_URL });
  return createRemoteSource({
    ...shared,
    url: config.ARTICLE_SERVICE_URL,
    key: config.ARTICLE_SERVICE_KEY,
    keyHeader: config.ARTICLE_SERVICE_KEY_HEADER,
    cdnUrl: config.ARTICLE_SERVICE_CDN_URL,
  });
}

/** Creates the sanitiser for the site's articles: its partners, picture hosts and addresses. */
export function createSiteSanitiser(config: Config, content: Content): (html: string) => string {
  return createSanitiser({
    siteOrigin: config.siteUrl,
    partners: [...content.partners.values()],
    articleHosts: readServiceHost(config),
    imageHosts: readImageHosts(config),
    // What this site's own editors link to they vouch for; what comes from elsewhere nobody here has read.
    nofollow: config.ARTICLE_SOURCE !== 'files',
  });
}
