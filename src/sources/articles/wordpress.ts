import {
  type ArticleListQuery,
  type ArticleSource,
  type ArticleSourceError,
  VERSIONS_PER_PAGE,
} from '../../core/articles/article-source.ts';
import { parseArticleVersion } from '../../core/articles/upstream-article.schema.ts';
import type { Clock } from '../../core/clock.ts';
import { isArticleSlug } from '../../core/text/slug.ts';
import type { HttpGet } from '../http/http-get.ts';
import type { ArticleMapper } from './article-mapper.ts';
import { type ItemPage, readInParts } from './read-in-parts.ts';
import {
  buildServiceError,
  createServiceClient,
  parseList,
  type ServiceDescription,
} from './service-client.ts';
import { findMovedPost } from './wordpress-moves.ts';
import { buildItem, buildOutline, buildVersion, OUTLINE_FIELDS, VERSION_FIELDS } from './wordpress-post.ts';

/** Where the WordPress site is. Its published posts need no key. */
export interface WordPressSourceOptions {
  /** The site's address; `/wp-json/wp/v2` is added. */
  readonly url: string;
  readonly get: HttpGet;
  readonly mapper: ArticleMapper;
  readonly clock: Clock;
  /** For one read. */
  readonly deadlineMs: number;
}

const MAX_PER_PAGE = 100;
/** Creates the source for WordPress's REST API (https://developer.wordpress.org/rest-api/reference/posts/). */
export function createWordPressSource(options: WordPressSourceOptions): ArticleSource {
  const { mapper } = options;
  const service = { ...WORDPRESS, url: options.url };
  const read = createServiceClient(service, {
    get: options.get,
    baseUrl: `${options.url.replace(/\/+$/, '')}/wp-json/wp/v2`,
    clock: options.clock,
    deadlineMs: options.deadlineMs,
    absentStatuses: [400, 404, 410],
  });
  const readItems = async (
    { page, limit }: ArticleListQuery,
    query: Record<string, string>,
  ): Promise<ItemPage> => {
    const size = { page: String(page), per_page: String(limit) };
    const response = await read('/posts', new URLSearchParams({ ...size, ...query }));
    if (response.kind === 'absent') {
      // Status 400 (`rest_post_invalid_page_number`) is the response past the last page.
      if (page > 1 && response.status === 400) return { items: [], hasMore: false };
      throw buildStatusError(service, response.status);
    }
    const pages = Number(response.headers.get('x-wp-totalpages') ?? 0);
    return { items: parseList(service, response.json, ''), hasMore: page < pages };
  };
  const readPosts = (query: ArticleListQuery, filter: Record<string, string>): Promise<ItemPage> =>
    readInParts(
      query,
      async (part) => mapItems(await readItems(part, { ...filter, _embed: '1' }), buildItem),
      async (part) => mapItems(await readItems(part, { ...filter, _fields: OUTLINE_FIELDS }), buildOutline),
    );
  const readPage = async ({ page, limit }: ArticleListQuery, filter: Record<string, string>) => {
    const { items, hasMore } = await readPosts({ page, limit: Math.min(limit, MAX_PER_PAGE) }, filter);
    return mapper.mapPage(items, hasMore);
  };
  const list = (query: ArticleListQuery) => readPage(query, { orderby: 'date', order: 'desc' });
  return {
    list,
    search: ({ text, ...query }) =>
      text.trim() === '' ? list(query) : readPage(query, { search: text.trim(), orderby: 'relevance' }),
    get: async (slug) => {
      if (!isArticleSlug(slug)) return null;
      const { items } = await readPosts({ page: 1, limit: 1 }, { slug });
      return items.length === 0 ? null : mapper.mapArticle(items[0]);
    },
    findMoved: (slug) => findMovedPost(options.get, service, slug, options.deadlineMs),
    listVersions: async (page) => {
      const query = { orderby: 'date', order: 'desc', _fields: VERSION_FIELDS };
      const { items, hasMore } = await readItems({ page, limit: VERSIONS_PER_PAGE }, query);
      return { versions: items.flatMap((post) => parseArticleVersion(buildVersion(post)) ?? []), hasMore };
    },
  };
}

const WORDPRESS = {
  name: 'wordpress',
  setting: 'WORDPRESS_URL',
  accessRemedy:
    'The REST API is switched off or protected: allow /wp-json/wp/v2/posts for visitors who are not logged in',
  formatRemedy:
    'WORDPRESS_URL is the address of the site without /wp-json; its permalinks must not be "Plain" (Settings, ' +
    'Permalinks), and PHP must not write warnings into responses (WP_DEBUG_DISPLAY)',
};

function mapItems({ items, hasMore }: ItemPage, build: (post: unknown) => unknown): ItemPage {
  return { items: items.map(build), hasMore };
}

/** The list of posts always exists, so an absent one means that the REST API is switched off or misconfigured. */
function buildStatusError(service: ServiceDescription, status: number): ArticleSourceError {
  const code = status === 400 ? 'failed' : 'bad-response';
  return buildServiceError(service, code, `responded with status ${status}`, service.formatRemedy);
}
