import type { ArticlePage } from '../../core/articles/article.ts';
import { isArticleSlug } from '../../core/articles/article-slug.ts';
import { type ArticleSource, ArticleSourceError } from '../../core/articles/article-source.ts';
import type { Clock } from '../../core/clock.ts';
import type { ArticleMaker } from './article-maker.ts';
import { createJsonClient } from './json-client.ts';
import { buildWordPressItem } from './wordpress-post.ts';

/** Where the WordPress site is. Its published posts need no key. */
export interface WordPressSourceOptions {
  /** The site's address; `/wp-json/wp/v2` is added. */
  readonly url: string;
  readonly maker: ArticleMaker;
  readonly clock: Clock;
  /** For one read; ms. */
  readonly deadlineMs: number;
}

/** Creates the source for WordPress's REST API (https://developer.wordpress.org/rest-api/reference/posts/). */
export function createWordPressSource(options: WordPressSourceOptions): ArticleSource {
  const { maker } = options;
  const read = createJsonClient({
    name: 'wordpress',
    baseUrl: `${options.url.replace(/\/+$/, '')}/wp-json/wp/v2`,
    clock: options.clock,
    deadlineMs: options.deadlineMs,
  });
  const readPosts = async (query: Record<string, string>) => {
    const answer = await read('/posts', new URLSearchParams({ _embed: '1', ...query }));
    if (answer.kind === 'absent' || !Array.isArray(answer.json)) {
      throw new ArticleSourceError('bad-answer', '[articles:wordpress] answered a list that is none');
    }
    return { posts: answer.json as readonly unknown[], headers: answer.headers };
  };
  const readPage = async (
    page: number,
    limit: number,
    more: Record<string, string>,
  ): Promise<ArticlePage> => {
    const query = { page: String(page), per_page: String(Math.min(limit, 100)), ...more };
    const { posts, headers } = await readPosts(query).catch((error: unknown) => {
      if (page > 1 && isPastTheEnd(error)) return { posts: [], headers: new Headers() };
      throw error;
    });
    const pages = Number(headers.get('x-wp-totalpages') ?? 0);
    return maker.buildPage(posts.map(buildWordPressItem), page < pages);
  };
  const list = ({ page, limit }: { page: number; limit: number }) =>
    readPage(page, limit, { orderby: 'date', order: 'desc' });
  return {
    list,
    search: ({ text, page, limit }) => {
      if (text.trim() === '') return list({ page, limit });
      return readPage(page, limit, { search: text.trim(), orderby: 'relevance' });
    },
    get: async (slug) => {
      if (!isArticleSlug(slug)) return null;
      const { posts } = await readPosts({ slug });
      return posts.length === 0 ? null : maker.buildArticle(buildWordPressItem(posts[0]));
    },
  };
}

/** WordPress answers 400 (`rest_post_invalid_page_number`) past the last page. */
function isPastTheEnd(error: unknown): boolean {
  return error instanceof ArticleSourceError && error.message.endsWith('answered 400');
}
