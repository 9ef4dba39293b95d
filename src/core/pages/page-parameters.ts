import { ASSESSMENT_PATH, BLOG_PATH, isBelowBlog, isGroupPath } from '../paths.ts';
import type { SavingsSettings } from '../savings/calculators.schema.ts';
import type { Page } from './page.schema.ts';
import { listSectionParameters, type PageParameter, VOLUME_PARAMETERS } from './sections/section-traits.ts';
import { hasPreview } from './shown-sections.ts';

/** Parameters that pages read, by path of the page. */
export type PageParameters = ReadonlyMap<string, readonly PageParameter[]>;

const MAX_VALUE_LENGTH = 200;

/** Collects the parameters that each page reads: the site's own routes, and the sections of page documents. */
export function collectPageParameters(
  pages: ReadonlyMap<string, Page>,
  savings: SavingsSettings,
): PageParameters {
  const own: [string, readonly PageParameter[]][] = [
    [BLOG_PATH, [{ name: 'q' }, { name: 'page' }]],
    [ASSESSMENT_PATH, [{ name: 'step' }, ...VOLUME_PARAMETERS]],
  ];
  const documents = [...pages].map(([path, page]): [string, readonly PageParameter[]] => [
    path,
    [
      ...(hasPreview(page) ? [{ name: 'preview' }] : []),
      ...page.sections.flatMap((section) => listSectionParameters(section, savings)),
    ],
  ]);
  return new Map([...own, ...documents]);
}

/**
 * Builds the address of a page from its path and the parameters that it reads, in a fixed order, the first value
 * of each, cut. Other parameters neither split the page cache nor reach a page, so they cannot poison either.
 */
export function buildPageAddress(parameters: PageParameters, path: string, query: string): string {
  if (query === '') return path;
  const given = new URLSearchParams(query);
  const picked = new URLSearchParams();
  for (const { name, isEmptyMeaningful = false } of parameters.get(path) ?? listBlogParameters(path)) {
    const value = given.get(name)?.slice(0, MAX_VALUE_LENGTH);
    if (value !== undefined && (value !== '' || isEmptyMeaningful)) picked.set(name, value);
  }
  return picked.size === 0 ? path : `${path}?${picked}`;
}

/** Groups of articles have pages; an article may be requested with the preview token, and have a table of prices. */
function listBlogParameters(path: string): readonly PageParameter[] {
  if (isGroupPath(path)) return [{ name: 'page' }];
  return isBelowBlog(path) ? [{ name: 'preview' }, ...VOLUME_PARAMETERS] : [];
}
