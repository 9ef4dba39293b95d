import { isArticleSlug } from '../../core/articles/article-slug.ts';
import { type ArticleSource, ArticleSourceError } from '../../core/articles/article-source.ts';
import type { Clock } from '../../core/clock.ts';
import type { ArticleMaker } from './article-maker.ts';
import { buildGhostItem, readGhostPage } from './ghost-post.ts';
import { createJsonClient } from './json-client.ts';

/** Where the Ghost site is, and the key of its Content API. */
export interface GhostSourceOptions {
  /** The site's address; `/ghost/api/content` is added. */
  readonly url: string;
  /** Content API key; empty: every call says `API key not configured`. */
  readonly key: string;
  readonly maker: ArticleMaker;
  readonly clock: Clock;
  /** For one read; ms. */
  readonly deadlineMs: number;
}

/**
 * Creates the source for Ghost's Content API (https://docs.ghost.org/content-api). It has no search by text;
 * a filter over titles and excerpts stands in until the site's own index knows the posts.
 */
export function createGhostSource(options: GhostSourceOptions): ArticleSource {
  const { maker, key } = options;
  const read = createJsonClient({
    name: 'ghost',
    baseUrl: `${options.url.replace(/\/+$/, '')}/ghost/api/content`,
    headers: { 'accept-version': 'v6.0' },
    clock: options.clock,
    deadlineMs: options.deadlineMs,
  });
  const readPosts = async (path: string, query: Record<string, string>) => {
    if (key === '') throw new ArticleSourceError('not-configured', '[articles:ghost] API key not configured');
    return read(path, new URLSearchParams({ key, include: 'tags,authors', formats: 'html', ...query }));
  };
  const readPage = async (page: number, limit: number, filter: string) => {
    const answer = await readPosts('/posts/', {
      page: String(page),
      limit: String(limit),
      order: 'published_at desc',
      ...(filter && { filter }),
    });
    const found = answer.kind === 'found' ? readGhostPage(answer.json) : null;
    if (!found) throw new ArticleSourceError('bad-answer', '[articles:ghost] answered a list that is none');
    return maker.buildPage(found.items, found.hasMore);
  };
  return {
    list: ({ page, limit }) => readPage(page, limit, ''),
    search: async ({ text, page, limit }) => {
      const filter = buildFilter(text);
      const isNothing = filter === '' && text.trim() !== '';
      return isNothing ? { articles: [], hasMore: false } : readPage(page, limit, filter);
    },
    get: async (slug) => {
      if (!isArticleSlug(slug)) return null;
      const answer = await readPosts(`/posts/slug/${slug}/`, {});
      if (answer.kind === 'absent') return null;
      return maker.buildArticle(buildGhostItem(readGhostPage(answer.json)?.posts[0]));
    },
  };
}

/** NQL: every word in the title or the excerpt. https://github.com/TryGhost/NQL */
function buildFilter(text: string): string {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words
    .slice(0, 8)
    .map((word) => `(title:~'${word}',custom_excerpt:~'${word}')`)
    .join('+');
}
