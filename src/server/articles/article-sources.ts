import path from 'node:path';
import type { ArticleSource } from '../../core/articles/article-source.ts';
import type { Clock } from '../../core/clock.ts';
import type { Content } from '../../core/pages/content.ts';
import { memoizeByKey } from '../../core/text/memoize-by-key.ts';
import { ArticleMapper, type ArticleMapperInput } from '../../sources/articles/article-mapper.ts';
import { createGhostSource } from '../../sources/articles/ghost.ts';
import type { SanitizePolicy } from '../../sources/articles/html/sanitize-html.ts';
import { createRemoteSource } from '../../sources/articles/remote.ts';
import { createWordPressSource } from '../../sources/articles/wordpress.ts';
import type { HttpGet } from '../../sources/http/http-get.ts';
import type { Settings } from '../settings.ts';

/**
 * The article sources: the settings with the address and the key of each, and whether the address is a website whose
 * pages link to each other and whose images articles show.
 */
export const ARTICLE_SOURCES = {
  files: { address: null, key: null, isWebsite: false },
  remote: { address: 'ARTICLE_SERVICE_URL', key: 'ARTICLE_SERVICE_KEY', isWebsite: false },
  ghost: { address: 'ARTICLE_SERVICE_URL', key: 'ARTICLE_SERVICE_KEY', isWebsite: true },
  wordpress: { address: 'ARTICLE_SERVICE_URL', key: null, isWebsite: true },
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
  (settings: Settings, parts: SourceParts) => ArticleSource
> = {
  remote: (settings, parts) =>
    createRemoteSource({
      ...parts,
      url: settings.ARTICLE_SERVICE_URL,
      ...splitKey(settings.ARTICLE_SERVICE_KEY),
      cdnUrl: settings.ARTICLE_SERVICE_CDN_URL,
    }),
  ghost: (settings, parts) =>
    createGhostSource({ ...parts, url: settings.ARTICLE_SERVICE_URL, key: settings.ARTICLE_SERVICE_KEY }),
  wordpress: (settings, parts) => createWordPressSource({ ...parts, url: settings.ARTICLE_SERVICE_URL }),
};

/** How long one response of a source may take in the background. */
const DEADLINE_MS = 20_000;

/** Splits `X-Api-Key: KEY` into the header and the key; a key alone is sent as a bearer token. */
function splitKey(text: string) {
  const [, keyHeader = 'Authorization', key = text] = /^([\w-]+):\s+(.+)$/.exec(text) ?? [];
  return { keyHeader, key };
}

/** Creates a source of another system, not yet cached. */
export function createUpstreamSource(
  name: Exclude<ArticleSourceName, 'files'>,
  settings: Settings,
  content: Content,
  {
    get,
    ...parts
  }: Pick<ArticleMapperInput, 'clock' | 'processBody' | 'onSkipped' | 'onMapped'> & {
    readonly get: SourceParts['get'];
  },
): ArticleSource {
  const mapper = new ArticleMapper({
    ...parts,
    name,
    siteOrigin: settings.siteUrl,
    imageHosts: listImageHosts(settings, content.site),
    articleSite: getArticleSite(settings),
    defaultAuthor: content.site.author,
  });
  return SOURCES[name](settings, {
    get,
    mapper,
    clock: parts.clock,
    deadlineMs: DEADLINE_MS,
  });
}

/** The file of the copies of the chosen source. */
export function getArticleCacheFile(settings: Settings): string {
  return path.join(settings.DATA_DIR, `articles-${settings.ARTICLE_SOURCE}.db`);
}

/**
 * Creates a function that returns the policy for the bodies of the site's articles: its partners, image hosts and
 * addresses. It is the same object until the partners or the hosts change.
 */
export function createPolicyReader(settings: Settings, read: () => Content): () => SanitizePolicy {
  const getPolicies = memoizeByKey((_: Content['partners']) => new Map<string, SanitizePolicy>());
  return () => {
    const content = read();
    const policies = getPolicies(content.partners);
    const key = content.site.imageHosts.join();
    const policy = policies.get(key) ?? buildPolicy(settings, content);
    policies.set(key, policy);
    return policy;
  };
}

function buildPolicy(settings: Settings, { partners, site }: Content): SanitizePolicy {
  return {
    siteOrigin: settings.siteUrl,
    partners,
    articleSite: getArticleSite(settings),
    imageHosts: listImageHosts(settings, site),
    // Links in articles of another system were not checked by the editors of this site.
    nofollow: settings.ARTICLE_SOURCE !== 'files',
  };
}

/** Lists the hosts that article images may come from: those of settings and content, and the website that is the source. */
export function listImageHosts(settings: Settings, { imageHosts }: Content['site']): readonly string[] {
  const named = [...settings.ARTICLE_IMAGE_HOSTS, ...imageHosts];
  const site = getArticleSite(settings);
  const host = URL.canParse(site) ? new URL(site).host.replace(/^www\./, '') : '';
  return [...new Set([...named, ...(host === '' ? [] : [host, `www.${host}`])])];
}

function getArticleSite(settings: Settings): string {
  const { address, isWebsite } = ARTICLE_SOURCES[settings.ARTICLE_SOURCE];
  return isWebsite ? settings[address] : '';
}
