import path from 'node:path';
import type { ArticleSource } from '../../core/articles/article-source.ts';
import type { Clock } from '../../core/clock.ts';
import type { Content } from '../../core/pages/content.ts';
import { ArticleMapper, type ArticleMapperOptions } from '../../sources/articles/article-mapper.ts';
import { createGhostSource } from '../../sources/articles/ghost.ts';
import type { SanitizePolicy } from '../../sources/articles/html/sanitize-rules.ts';
import { createRemoteSource } from '../../sources/articles/remote.ts';
import { createWordPressSource } from '../../sources/articles/wordpress.ts';
import type { HttpGet } from '../../sources/http/http-get.ts';
import type { Config } from '../settings.ts';
import type { ArticleSourceName } from './article-sources.ts';
import { getArticleSite, listImageHosts } from './image-hosts.ts';

/** What every source of another system needs. */
interface SourceParts {
  readonly get: HttpGet;
  readonly mapper: ArticleMapper;
  readonly clock: Clock;
  readonly deadlineMs: number;
}

/** The sources of other systems: how each is created from the settings. */
const SOURCES: Record<
  Exclude<ArticleSourceName, 'files'>,
  (config: Config, parts: SourceParts) => ArticleSource
> = {
  remote: (config, parts) =>
    createRemoteSource({
      ...parts,
      url: config.ARTICLE_SERVICE_URL,
      key: config.ARTICLE_SERVICE_KEY,
      keyHeader: config.ARTICLE_SERVICE_KEY_HEADER,
      cdnUrl: config.ARTICLE_SERVICE_CDN_URL,
    }),
  ghost: (config, parts) => createGhostSource({ ...parts, url: config.GHOST_URL, key: config.GHOST_KEY }),
  wordpress: (config, parts) => createWordPressSource({ ...parts, url: config.WORDPRESS_URL }),
};

/** Creates a source of another system, not yet cached. */
export function createUpstreamSource(
  name: Exclude<ArticleSourceName, 'files'>,
  config: Config,
  content: Content,
  {
    get,
    ...parts
  }: Pick<ArticleMapperOptions, 'clock' | 'processBody' | 'onSkipped'> & Pick<SourceParts, 'get'>,
): ArticleSource {
  const mapper = new ArticleMapper({
    ...parts,
    name,
    siteOrigin: config.siteUrl,
    imageHosts: listImageHosts(config),
    articleSite: getArticleSite(config),
    defaultAuthor: content.site.author,
  });
  return SOURCES[name](config, {
    get,
    mapper,
    clock: parts.clock,
    deadlineMs: config.ARTICLE_TIMEOUT_SECONDS * 1_000,
  });
}

/** The file of the copies of the chosen source. */
export function getArticleCacheFile(config: Config): string {
  return path.join(config.DATA_DIR, `articles-${config.ARTICLE_SOURCE}.db`);
}

/** Builds the policy for the bodies of the site's articles: its partners, image hosts and addresses. */
export function buildSanitizePolicy(config: Config, content: Content): SanitizePolicy {
  return {
    siteOrigin: config.siteUrl,
    partners: content.partners,
    articleSite: getArticleSite(config),
    imageHosts: listImageHosts(config),
    // Links in articles of another system were not checked by the editors of this site.
    nofollow: config.ARTICLE_SOURCE !== 'files',
  };
}
