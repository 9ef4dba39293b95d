import type { UpstreamResponse } from './upstream-server.ts';

/** An article of the fake services. */
export interface ServedArticle {
  readonly slug: string;
  readonly title: string;
  readonly excerpt: string;
  readonly html: string;
  readonly topic: string;
  readonly tags: readonly string[];
  readonly author: string;
  /** ISO 8601, in UTC. */
  readonly publishedAt: string;
  readonly updatedAt: string;
  readonly image: string | null;
}

/** `count` articles, newest first: `article-0` is the newest. */
export function buildServedArticles(count: number): ServedArticle[] {
  return Array.from({ length: count }, (_, index) => {
    const date = new Date(Date.UTC(2026, 5, 1) - index * 86_400_000).toISOString();
    return {
      slug: `article-${index}`,
      title: `Article number ${index} about ${index % 2 ? 'pipelines' : 'deliverability'}`,
      excerpt: `The excerpt of ${index}.`,
      html: `<h2>Part one</h2><p>The body of ${index}.</p><script>alert(1)</script>`,
      topic: index % 2 ? 'CRM Strategy' : 'Automation',
      tags: ['crm', `tag-${index}`],
      author: 'The desk',
      publishedAt: date,
      updatedAt: date,
      image: 'https://images.example/a.png',
    };
  });
}

function paged<T>(all: readonly T[], query: URLSearchParams, size: string) {
  const page = Number(query.get('page') ?? 1);
  const limit = Number(query.get(size) ?? 12);
  return {
    page,
    limit,
    pages: Math.ceil(all.length / limit),
    items: all.slice((page - 1) * limit, page * limit),
  };
}

/** Creates the function that leaves only the listed fields, as both services do; null: all of them. */
const createPick = (fields: string | null) => (post: object) =>
  fields === null
    ? post
    : Object.fromEntries(Object.entries(post).filter(([name]) => fields.split(',').includes(name)));

const matches = (text: string) => (article: ServedArticle) =>
  `${article.title} ${article.excerpt}`.toLowerCase().includes(text.toLowerCase());

const NOT_FOUND: UpstreamResponse = { status: 404, json: { error: 'not found' } };

/** Responds like the article service of the specification, section 7.1. */
export function respondAsRemote(articles: () => readonly ServedArticle[]): (url: URL) => UpstreamResponse {
  const full = (article: ServedArticle) => ({
    id: `id-${article.slug}`,
    slug: article.slug,
    title: article.title,
    excerpt: article.excerpt,
    featuredImage: article.image,
    categories: [article.topic],
    tags: article.tags,
    author: article.author,
    publishedAt: article.publishedAt,
    updatedAt: article.updatedAt,
    readingTime: 4,
    content: article.html,
    seoTitle: `SEO ${article.title}`,
    seoDescription: 'A description.',
  });
  const card = (article: ServedArticle) => {
    const { content: _, ...fields } = full(article);
    return fields;
  };
  return (url) => {
    if (url.pathname === '/articles' || url.pathname === '/articles/search') {
      const found = articles().filter(matches(url.searchParams.get('q') ?? ''));
      const { page, pages, items } = paged(found, url.searchParams, 'limit');
      return { json: { articles: items.map(card), hasMore: page < pages } };
    }
    const path = decodeURIComponent(url.pathname);
    const article = articles().find(({ slug }) => path === `/articles/${slug}`);
    return article ? { json: full(article) } : NOT_FOUND;
  };
}

/** Responds like Ghost's Content API, version 6. */
export function respondAsGhost(articles: () => readonly ServedArticle[]): (url: URL) => UpstreamResponse {
  const tag = (name: string, internal = false) => ({
    id: name,
    name,
    slug: name.toLowerCase().replace(/\W+/g, '-'),
    visibility: internal ? 'internal' : 'public',
  });
  const post = (article: ServedArticle) => ({
    id: `id-${article.slug}`,
    uuid: '00000000-0000-4000-8000-000000000000',
    slug: article.slug,
    title: article.title,
    html: article.html,
    feature_image: article.image,
    feature_image_alt: 'A drawing',
    featured: false,
    visibility: 'public',
    access: true,
    published_at: article.publishedAt.replace('Z', '+00:00'),
    updated_at: article.updatedAt.replace('Z', '+00:00'),
    custom_excerpt: article.excerpt,
    excerpt: article.excerpt,
    reading_time: 4,
    meta_title: `SEO ${article.title}`,
    meta_description: 'A description.',
    tags: [tag(article.topic), tag('#internal', true), ...article.tags.map((name) => tag(name))],
    primary_tag: tag(article.topic),
    authors: [{ id: '1', name: article.author }],
    primary_author: { id: '1', name: article.author },
  });
  return (url) => {
    const path = decodeURIComponent(url.pathname).replace('/ghost/api/content/posts', '');
    if (!url.searchParams.get('key'))
      return { status: 403, json: { errors: [{ message: 'Authorization failed' }] } };
    const slug = /^\/slug\/([^/]+)\/$/.exec(path)?.[1];
    if (slug) {
      const found = articles().find((article) => article.slug === slug);
      return found
        ? { json: { posts: [createPick(url.searchParams.get('fields'))(post(found))] } }
        : NOT_FOUND;
    }
    const words = [...(url.searchParams.get('filter') ?? '').matchAll(/title:~'([^']*)'/g)].map(
      (match) => match[1] ?? '',
    );
    const all = articles().filter((article) => words.every((word) => matches(word)(article)));
    const { page, limit, pages, items } = paged(all, url.searchParams, 'limit');
    const pick = createPick(url.searchParams.get('fields'));
    const pagination = {
      page,
      limit,
      pages,
      total: all.length,
      next: page < pages ? page + 1 : null,
      prev: page > 1 ? page - 1 : null,
    };
    return { json: { posts: items.map((item) => pick(post(item))), meta: { pagination } } };
  };
}

/** Responds like WordPress's REST API, with `_embed`. */
export function respondAsWordPress(articles: () => readonly ServedArticle[]): (url: URL) => UpstreamResponse {
  const term = (name: string, taxonomy: string) => ({ id: 1, name: name.replace('&', '&amp;'), taxonomy });
  const post = (article: ServedArticle) => ({
    id: Number(article.slug.replace(/\D/g, '')) + 1,
    slug: encodeURIComponent(article.slug).toLowerCase(),
    status: 'publish',
    type: 'post',
    date: article.publishedAt.slice(0, 19),
    date_gmt: article.publishedAt.slice(0, 19),
    modified_gmt: article.updatedAt.slice(0, 19),
    title: { rendered: article.title },
    excerpt: { rendered: `<p>${article.excerpt}</p>\n`, protected: false },
    content: { rendered: article.html, protected: false },
    _embedded: {
      author: [{ id: 1, name: article.author }],
      'wp:featuredmedia': [
        { source_url: article.image, alt_text: 'A drawing', media_details: { width: 1200, height: 630 } },
      ],
      'wp:term': [[term(article.topic, 'category')], article.tags.map((name) => term(name, 'post_tag'))],
    },
  });
  return (url) => {
    if (url.pathname !== '/wp-json/wp/v2/posts') return NOT_FOUND;
    const slug = url.searchParams.get('slug');
    const found = articles()
      .filter((article) => slug === null || article.slug === slug)
      .filter(matches(url.searchParams.get('search') ?? ''));
    const { page, pages, items } = paged(found, url.searchParams, 'per_page');
    if (page > 1 && page > pages) return { status: 400, json: { code: 'rest_post_invalid_page_number' } };
    return {
      headers: { 'x-wp-total': String(found.length), 'x-wp-totalpages': String(pages) },
      json: items.map((item) => createPick(url.searchParams.get('_fields'))(post(item))),
    };
  };
}
