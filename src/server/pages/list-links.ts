import type { SuggestedLink } from '../../core/articles/suggest-for-path.ts';
import { isPublished } from '../../core/pages/is-published.ts';
import { buildArticlePath } from '../../core/paths.ts';
import type { Services } from '../services.ts';

/** Lists the pages and articles that search engines may show, as links. */
export function listLinks({
  articles,
  content,
  now,
}: Pick<Services, 'articles' | 'content' | 'now'>): readonly SuggestedLink[] {
  const pages = [...content.pages]
    .filter(([, page]) => page.index && isPublished(page, now()))
    .map(([href, { title }]) => ({ title, href }));
  const summaries = articles
    .getSummaries()
    .map(({ title, slug }) => ({ title, href: buildArticlePath(slug) }));
  return [...pages, ...summaries];
}
