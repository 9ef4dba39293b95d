import {
  type ArticleListQuery,
  type ArticleSource,
  VERSIONS_PER_PAGE,
} from '../../core/articles/article-source.ts';
import { parseArticleVersion } from '../../core/articles/upstream-article.schema.ts';
import { isArticleSlug } from '../../core/text/slug.ts';
import {
  buildServiceError,
  createServiceClient,
  getField,
  type ItemPage,
  parseList,
  readInParts,
  readOrOutline,
  type ServiceConnection,
  toPlainText,
} from './service-client.ts';

/**
 * Creates the source for Ghost's Content API (https://docs.ghost.org/content-api). The API has no full-text search: a
 * filter over titles and excerpts is used until the site's own index knows all posts. `url`: the site's; `/ghost/api/content`
 * is added. `key`: of the Content API; empty: every call rejects with `not-configured`.
 */
export function createGhostSource(connection: ServiceConnection & { readonly key: string }): ArticleSource {
  const { mapper } = connection;
  const { service, readPosts, readItems } = createPostReader(connection);
  const readPage = async (query: ArticleListQuery, filter: Record<string, string>) => {
    const { items, hasMore } = await readInParts(
      query,
      (part) => readItems(part, { ...filter, ...WHOLE }, buildItem),
      (part) => readItems(part, { ...filter, ...OUTLINE }, buildOutline),
    );
    return mapper.mapPage(items, hasMore);
  };
  return {
    list: ({ page, limit }) => readPage({ page, limit }, {}),
    search: async ({ text, page, limit }) => {
      const filter = buildFilter(text);
      if (filter === '' && text.trim() !== '') return { articles: [], hasMore: false };
      return readPage({ page, limit }, filter === '' ? {} : { filter });
    },
    get: async (slug) => {
      if (!isArticleSlug(slug)) return null;
      const readPost = async (query: Record<string, string>, build: (post: unknown) => unknown) => {
        const response = await readPosts(`/posts/slug/${encodeURIComponent(slug)}/`, query);
        return response.kind === 'absent' ? null : build(parseList(service, response.json, 'posts')[0]);
      };
      const post = await readOrOutline(
        () => readPost(WHOLE, buildItem),
        () => readPost(OUTLINE, buildOutline),
      );
      return post === null ? null : mapper.mapArticle(post);
    },
    listVersions: async (page) => {
      const query = { page, limit: VERSIONS_PER_PAGE };
      const { items, hasMore } = await readItems(query, { fields: VERSION_FIELDS }, buildVersion);
      return { versions: items.flatMap((post) => parseArticleVersion(post) ?? []), hasMore };
    },
  };
}

/** Reads posts of the API, one or a page of them. */
function createPostReader(connection: ServiceConnection & { readonly key: string }) {
  const { key } = connection;
  const service = { ...GHOST, url: connection.url };
  const read = createServiceClient(service, {
    get: connection.get,
    baseUrl: `${connection.url.replace(/\/+$/, '')}/ghost/api/content`,
    headers: { 'accept-version': 'v6.0' },
    clock: connection.clock,
    deadlineMs: connection.deadlineMs,
  });
  const readPosts = async (path: string, query: Record<string, string>) => {
    if (key === '') {
      throw buildServiceError(service, 'not-configured', 'API key not configured', 'Set ARTICLE_SERVICE_KEY');
    }
    return read(path, new URLSearchParams({ key, ...query }));
  };
  const readItems = async (
    { page, limit }: ArticleListQuery,
    query: Record<string, string>,
    build: (post: unknown) => unknown,
  ): Promise<ItemPage> => {
    const order = { page: String(page), limit: String(limit), order: 'published_at desc' };
    const response = await readPosts('/posts/', { ...order, ...query });
    const json = response.kind === 'found' ? response.json : undefined;
    const posts = parseList(service, json, 'posts');
    const next = getField(getField(getField(json, 'meta'), 'pagination'), 'next');
    return { items: posts.map(build), hasMore: typeof next === 'number' };
  };
  return { service, readPosts, readItems };
}

const VERSION_FIELDS = 'slug,published_at,updated_at';

function buildVersion(post: unknown): unknown {
  const [slug, publishedAt, updatedAt] = VERSION_FIELDS.split(',').map((field) => getField(post, field));
  return { slug, publishedAt, updatedAt };
}

const GHOST = {
  name: 'ghost',
  setting: 'ARTICLE_SERVICE_URL',
  accessRemedy:
    'ARTICLE_SERVICE_KEY must be the Content API key of a custom integration (Settings, Integrations)',
  formatRemedy: 'ARTICLE_SERVICE_URL is the address of the site without /ghost',
};

const WHOLE = { include: 'tags,authors', formats: 'html' };
const OUTLINE = { fields: 'id,slug,title' };

/** Builds the fields of a post that was read without its body, because that is too large. */
function buildOutline(post: unknown): unknown {
  const [id, slug, title] = ['id', 'slug', 'title'].map((field) => getField(post, field));
  return { id, slug, title, isTooLarge: true };
}

/** Builds an NQL filter: every word is in the title or the excerpt. https://github.com/TryGhost/NQL */
function buildFilter(text: string): string {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words
    .slice(0, 8)
    .map((word) => `(title:~'${word}',custom_excerpt:~'${word}')`)
    .join('+');
}

/** Builds the fields that the schema of upstream articles checks. */
function buildItem(post: unknown): unknown {
  const get = (field: string) => getField(post, field);
  const allTags = get('tags');
  const tags = (Array.isArray(allTags) ? allTags : []).filter(isPublic).map((tag) => getField(tag, 'name'));
  const primary = get('primary_tag');
  const topic = (isPublic(primary) && getField(primary, 'name')) || tags[0];
  return {
    id: get('id'),
    slug: get('slug'),
    // Posts for members come without their text.
    status: get('access') === false ? 'private' : 'published',
    title: get('title'),
    // Ghost's automatic `excerpt` is the text of all cards run together.
    excerpt: get('custom_excerpt'),
    featuredImage: get('feature_image')
      ? {
          src: get('feature_image'),
          alt: get('feature_image_alt'),
          caption: toPlainText(get('feature_image_caption')),
        }
      : null,
    categories: topic ? [topic] : [],
    tags: tags.filter((name) => name !== topic),
    author: getField(get('primary_author'), 'name'),
    publishedAt: get('published_at'),
    updatedAt: get('updated_at'),
    readingTime: get('reading_time'),
    content: get('html') ?? '',
    canonicalUrl: get('canonical_url'),
    seoTitle: get('meta_title'),
    seoDescription: get('meta_description'),
  };
}

/** Ghost's internal tags begin with `#` and are for themes. */
function isPublic(tag: unknown): boolean {
  return getField(tag, 'visibility') !== 'internal' && !String(getField(tag, 'name') ?? '').startsWith('#');
}
