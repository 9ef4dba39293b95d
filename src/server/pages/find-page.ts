import { isPublished } from '../../core/pages/is-published.ts';
import type { Page } from '../../core/pages/page.schema.ts';
import type { Services } from '../services.ts';

/** A page document that may be shown. A preview is for the holder of the link, not for caches and search engines. */
export interface FoundPage {
  readonly page: Page;
  readonly isPreview: boolean;
}

/** Finds the page document of a path; null for none, and for a hidden one without the preview token. */
export function findPage(
  { content, now, isPreviewToken }: Pick<Services, 'content' | 'now' | 'isPreviewToken'>,
  path: string,
  query: URLSearchParams,
): FoundPage | null {
  const page = content.pages.get(path);
  if (page === undefined) return null;
  if (isPublished(page, now())) return { page, isPreview: false };
  return isPreviewToken(query.get('preview') ?? '') ? { page, isPreview: true } : null;
}
