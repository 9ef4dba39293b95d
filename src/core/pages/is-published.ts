import type { Page } from './page.schema.ts';

/** Whether visitors may see a page: it is no draft, and its day of publication has come. `now`: ms since 1970. */
export function isPublished(
  { draft, publishedAt }: Pick<Page, 'draft' | 'publishedAt'>,
  now: number,
): boolean {
  return !draft && (publishedAt === undefined || Date.parse(publishedAt) <= now);
}

/** Whether a page has a preview, because it is or was hidden. */
export function hasPreview({ draft, publishedAt }: Pick<Page, 'draft' | 'publishedAt'>): boolean {
  return draft || publishedAt !== undefined;
}
