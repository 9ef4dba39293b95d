import path from 'node:path';
import type { ArticleSource } from '../../core/articles/article-source.ts';
import type { Clock } from '../../core/clock.ts';
import type { Content } from '../../core/pages/content.ts';
import { ArticleMapper, type ArticleMapperOptions } from '../../sources/articles/article-mapper.ts';
import { createGhostSource } from '../../sources/articles/ghost.ts';
import type { SanitizePolicy } from '../../sources/articles/html/sanitize.ts';
import { createRemoteSource } from '../../sources/articles/remote.ts';
import { createWordPressSource } from '../../sources/articles/wordpress.ts';
import type { HttpGet } from '../../sources/http/http-get.ts';
import type { Config } from '../settings.ts';

/**
 * The article sources: the settings with the address and the key of each, and whether the address is a website whose
 * pages link to each other and whose images articles show.
 */
export const ARTICLE_SOURCES = {
  files: { address: null, key: null, isWebsite: false },
  remote: { address: 'ARTICLE_SERVICE_URL', key: 'ARTICLE_SERVICE_KEY', isWebsite: false },
  ghost: { address: 'GHOST_URL', key: 'GHOST_KEY', isWebsite: true },
  wordpress: { address: 'WORDPRESS_URL', key: null, isWebsite: true },
} as const;

/** Name of an article source. */
export type ArticleSourceName = keyof typeof ARTICLE_SOURCES;

export const ARTICLE_SOURCE_NAMES = Object.keys(ARTICLE_SOURCES) as ArticleSourceName[];

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

/** Lists the hosts that article images may come from: those of the settings, and the website that is the source. */
export function listImageHosts(config: Config): readonly string[] {
  const site = getArticleSite(config);
  if (!URL.canParse(site)) return config.ARTICLE_IMAGE_HOSTS;
  const host = new URL(site).host.replace(/^www\./, '');
  return [...new Set([...config.ARTICLE_IMAGE_HOSTS, host, `www.${host}`])];
}

/** Returns the address of the website whose articles the site shows; empty when the source is not a website. */
export function getArticleSite(config: Config): string {
  const { address, isWebsite } = ARTICLE_SOURCES[config.ARTICLE_SOURCE];
  return isWebsite ? config[address] : '';
}
