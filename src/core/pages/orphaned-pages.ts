import { HOME_PATH } from '../paths.ts';
import { type Addresses, findRequestedPiece } from './addresses.ts';
import { listTexts } from './claims/placeholders.ts';
import type { Content } from './content.ts';
import { listTextTargets } from './partner-link-check.ts';

/**
 * Lists the paths of pages to which neither another page, nor an author, nor an article, nor the navigation links: visitors
 * find them by search alone. `articles`: the text of article files.
 */
export function listOrphanedPages(
  {
    site,
    pages,
    authors,
    addresses = new Map(),
  }: Pick<Content, 'site' | 'pages' | 'authors'> & { readonly addresses?: Addresses },
  articles: readonly string[],
): string[] {
  const sources: readonly (readonly [path: string, value: unknown])[] = [
    // An alias leads to a page, and no visitor sees it.
    [HOME_PATH, { ...site, aliases: {} }],
    ...pages,
    ...[...authors.values()].map((author) => ['', author] as const),
    ['', articles],
  ];
  const linked = new Set(
    sources.flatMap(([path, value]) =>
      listTexts(value)
        .flatMap(({ text }) => (text.startsWith('/') ? [text] : listTextTargets(text)))
        .map((target) => (target.split(/[?#]/, 1)[0] ?? '').replace(/(?<=.)\/$/, ''))
        .map((target) => findRequestedPiece(addresses, target)?.path ?? target)
        .filter((target) => target !== path),
    ),
  );
  return [...pages.keys()].filter((path) => !linked.has(path));
}
