import type { GroupView } from '../../core/articles/group-view.ts';
import type { PageHead } from '../../core/content/head.ts';
import type { Site } from '../../core/content/site.schema.ts';

const RETRY_SECONDS = '30';

/** Sets the status of a topic's or tag's page and says what the page says about itself. */
export function answerGroup(
  response: { status?: number | undefined; readonly headers: Headers },
  view: GroupView,
  path: string,
  site: Site,
): PageHead {
  if (view.kind !== 'found') {
    response.status = view.kind === 'absent' ? 404 : 503;
    if (view.kind === 'failed') response.headers.set('retry-after', RETRY_SECONDS);
    const title = view.kind === 'absent' ? 'No such topic' : 'Articles not loaded';
    return { title: `${title} | ${site.name}`, description: site.description, path, noindex: true };
  }
  const subject = view.group === 'topic' ? view.name : `#${view.name}`;
  const part = view.page > 1 ? `, page ${view.page}` : '';
  return {
    title: `${subject}: articles${part} | ${site.name}`,
    description: view.description || `All articles about ${view.name} on ${site.name}. ${site.description}`,
    path: view.page > 1 ? `${view.path}?page=${view.page}` : view.path,
    // A tag is a way through the hub, not a page that somebody searches for.
    noindex: view.group === 'tag' || view.page > 1,
  };
}
