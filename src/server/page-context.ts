import type { Page } from '../core/content/page.schema.ts';
import type { PageContext } from '../core/content/page-context.ts';
import type { Services } from './services.ts';

/** Gathers what a page's sections show besides their own document. */
export async function readPageContext(services: Services, page: Page, path: string): Promise<PageContext> {
  const { site, plans } = services.content;
  return { path, site, plans, calls: page.calls, teasers: [], form: null };
}
