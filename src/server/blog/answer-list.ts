import type { ListAddress, ListState } from '../../core/articles/article-list.ts';
import type { Site } from '../../core/content/site.schema.ts';

const RETRY_SECONDS = '30';

/**
 * Sets the status of a list's page and says how it is found: 503 when the source could not answer, 404 past the
 * last page. Only the list of all articles, which begins
 * with the newest, belongs in search engines.
 */
export function answerList(
  response: { status?: number | undefined; readonly headers: Headers },
  list: ListState,
  { query, page }: ListAddress,
  site: Site,
): { readonly title: string; readonly isIndexed: boolean } {
  const isEmpty = list.kind === 'loaded' && list.pages.every(({ articles }) => articles.length === 0);
  if (list.kind !== 'loaded') {
    response.status = 503;
    response.headers.set('retry-after', RETRY_SECONDS);
  } else if (isEmpty && page > 1) {
    response.status = 404;
  }
  const subject = query === '' ? site.blog.title : `Articles about ${query}`;
  const part = page > 1 ? `, page ${page}` : '';
  return {
    title: `${subject}${part} | ${site.name}`,
    isIndexed: list.kind === 'loaded' && query === '' && page === 1 && !isEmpty,
  };
}
