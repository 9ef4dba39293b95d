import {
  type ArticleListQuery,
  type ArticleSource,
  type ArticleSourceError,
  VERSIONS_PER_PAGE,
} from '../../core/articles/article-source.ts';
import { parseArticleVersion } from '../../core/articles/upstream-article.schema.ts';
import { isArticleSlug } from '../../core/text/slug.ts';
import { HttpError, type HttpGet } from '../http/http-get.ts';
import {
  buildServiceError,
  createServiceClient,
  getField,
  type ItemPage,
  MAX_FIELD_LENGTH,
  parseList,
  readInParts,
  type ServiceConnection,
  type ServiceDescription,
  toPlainText,
} from './service-client.ts';

const MAX_PER_PAGE = 100;

/**
 * Creates the source for WordPress's REST API (https://developer.wordpress.org/rest-api/reference/posts/), whose published
 * posts need no key. `url`: the site's; `/wp-json/wp/v2` is added.
 */
export function createWordPressSource(connection: ServiceConnection): ArticleSource {
  const { mapper } = connection;
  const service = { ...WORDPRESS, url: connection.url };
  const read = createServiceClient(service, {
    get: connection.get,
    baseUrl: `${connection.url.replace(/\/+$/, '')}/wp-json/wp/v2`,
    clock: connection.clock,
    deadlineMs: connection.deadlineMs,
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
    findMoved: (slug) => findMovedPost(connection.get, service, slug, connection.deadlineMs),
    listVersions: async (page) => {
      const query = { orderby: 'date', order: 'desc', _fields: VERSION_FIELDS };
      const { items, hasMore } = await readItems({ page, limit: VERSIONS_PER_PAGE }, query);
      return { versions: items.flatMap((post) => parseArticleVersion(buildVersion(post)) ?? []), hasMore };
    },
  };
}

const WORDPRESS = {
  name: 'wordpress',
  setting: 'ARTICLE_SERVICE_URL',
  accessRemedy:
    'The REST API is switched off or protected: allow /wp-json/wp/v2/posts for visitors who are not logged in',
  formatRemedy:
    'ARTICLE_SERVICE_URL is the address of the site without /wp-json; its permalinks must not be "Plain" (Settings, ' +
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

/** Fields of a post that tell whether a copy of it is current, for `_fields`. */
const VERSION_FIELDS = 'slug,date_gmt,modified_gmt';

/** Builds the slug and the dates that the schema of upstream articles checks, from a post of `VERSION_FIELDS`. */
function buildVersion(post: unknown): unknown {
  const [slug, published, modified] = VERSION_FIELDS.split(',').map((field) => getField(post, field));
  return { slug: decodeSlug(slug), publishedAt: toUtc(published), updatedAt: toUtc(modified) };
}

/** Fields of a post without its body, for `_fields`. */
const OUTLINE_FIELDS = 'id,slug,status,title';

/** Builds the fields of a post that was read without its body, because that is too large. */
function buildOutline(post: unknown): unknown {
  const [id, slug, status] = ['id', 'slug', 'status'].map((field) => getField(post, field));
  const title = toPlainText(getField(getField(post, 'title'), 'rendered'));
  return { id, slug: decodeSlug(slug), status, title, isTooLarge: true };
}

/** Builds the fields that the schema of upstream articles checks, from a post with `_embed`. */
function buildItem(post: unknown): unknown {
  const get = (field: string) => getField(post, field);
  const embedded = get('_embedded');
  const media = getFirst(getField(embedded, 'wp:featuredmedia'));
  const size = getField(media, 'media_details');
  const source = getField(media, 'source_url');
  const seo = get('yoast_head_json');
  return {
    id: get('id'),
    slug: decodeSlug(get('slug')),
    // Posts with a password come without their text.
    status: getField(get('content'), 'protected') === true ? 'private' : get('status'),
    title: toPlainText(getField(get('title'), 'rendered')),
    excerpt: buildExcerpt(getField(get('excerpt'), 'rendered')),
    featuredImage: source
      ? {
          src: source,
          alt: getField(media, 'alt_text'),
          width: getField(size, 'width'),
          height: getField(size, 'height'),
          type: getField(media, 'mime_type'),
          caption: toPlainText(getField(getField(media, 'caption'), 'rendered')),
          sizes: Object.values(getField(size, 'sizes') ?? {}).map((one) => ({
            src: getField(one, 'source_url'),
            width: getField(one, 'width'),
            height: getField(one, 'height'),
          })),
        }
      : null,
    categories: getTermNames(embedded, 'category').filter((name) => name !== 'Uncategorized'),
    tags: getTermNames(embedded, 'post_tag'),
    author: getField(getFirst(getField(embedded, 'author')), 'name'),
    publishedAt: toUtc(get('date_gmt')),
    updatedAt: toUtc(get('modified_gmt')),
    content: getField(get('content'), 'rendered') ?? '',
    seoTitle: getField(seo, 'title'),
    seoDescription: getField(seo, 'description'),
  };
}

/** Themes end an automatic excerpt with `[…]` or with a link such as "Continue reading". */
function buildExcerpt(html: unknown): string {
  if (typeof html !== 'string') return '';
  const own = html
    .slice(0, MAX_FIELD_LENGTH)
    .replace(/<a\s[^<>]*\bmore-link\b[\s\S]*$/i, '')
    .replace(/((?:…|&hellip;|&#8230;)\]?)\s*<a\s[\s\S]*$/i, '$1');
  return toPlainText(own).replace(/\s*(?:\[…\]|\[\.{3}\]|…|\.{3})[\s…]*$/, '…');
}

/** Taxonomy terms come as one list per taxonomy. */
function getTermNames(embedded: unknown, taxonomy: string): string[] {
  const lists = getField(embedded, 'wp:term');
  return (Array.isArray(lists) ? lists.flat() : [])
    .filter((term: unknown) => getField(term, 'taxonomy') === taxonomy)
    .map((term: unknown) => toPlainText(getField(term, 'name')));
}

/** WordPress stores letters outside ASCII percent-encoded: `%d1%86%d1%80%d0%bc`. */
function decodeSlug(slug: unknown): unknown {
  try {
    return typeof slug === 'string' ? decodeURIComponent(slug).normalize('NFC') : slug;
  } catch {
    return slug;
  }
}

/** WordPress omits the zone of its UTC times: `2026-01-02T10:00:00`. */
function toUtc(time: unknown): unknown {
  return typeof time === 'string' && !/Z$|[+-]\d\d:?\d\d$/.test(time) ? `${time}Z` : time;
}

function getFirst(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined;
}

/** Of a redirect's body, which is empty or one sentence; pages that are no redirect are not read to their end. */
const MAX_BYTES = 1_000_000;

/**
 * Asks the pages of a WordPress site where a post is that once had a slug: the site remembers former slugs and
 * redirects them, but its REST API does not know them. Resolves with null when it does not redirect to another path of
 * its own. Rejects with `ArticleSourceError` when it does not respond.
 */
export async function findMovedPost(
  get: HttpGet,
  service: ServiceDescription,
  slug: string,
  deadlineMs: number,
): Promise<string | null> {
  const site = new URL(`${service.url.replace(/\/+$/, '')}/`);
  const address = new URL(site);
  address.searchParams.set('name', slug);
  try {
    const response = await get(address, {
      headers: { 'user-agent': 'Signpost' },
      deadlineMs,
      maxBytes: MAX_BYTES,
      followsRedirects: false,
    });
    const location = response.headers.get('location') ?? '';
    if (response.status !== 301 || !URL.canParse(location, address)) return null;
    return readSlug(new URL(location, address), site, slug);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (error.code === 'too-large' || error.code === 'invalid-body') return null;
    const problem = `asked for the former slug of a post: ${error.message}`;
    throw buildServiceError(service, 'failed', problem, service.formatRemedy, { cause: error });
  }
}

function readSlug(target: URL, site: URL, former: string): string | null {
  const trimHost = ({ host }: URL) => host.replace(/^www\./, '');
  if (trimHost(target) !== trimHost(site)) return null;
  const last = target.pathname.split('/').filter(Boolean).at(-1) ?? '';
  const slug = String(decodeSlug(last));
  return isArticleSlug(slug) && slug !== former ? slug : null;
}
