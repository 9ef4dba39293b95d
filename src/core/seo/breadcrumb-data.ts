import { BLOG_PATH, HOME_PATH } from '../paths.ts';
import { SCHEMA } from './site-data.ts';

/** One step of the way from the front page. */
export interface Crumb {
  readonly name: string;
  readonly path: string;
}

const HOME: Crumb = { name: 'Home', path: HOME_PATH };

/** The hub, the first step to every article. */
export const HUB_CRUMB: Crumb = { name: 'Articles', path: BLOG_PATH };

/** Builds the structured data of the way to a page; the front page is put before it, the page itself comes last. */
export function buildBreadcrumbData(origin: string, crumbs: readonly Crumb[]): object {
  return {
    '@context': SCHEMA,
    '@type': 'BreadcrumbList',
    itemListElement: [HOME, ...crumbs].map(({ name, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: origin + path,
    })),
  };
}
