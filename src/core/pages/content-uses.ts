import { HOME_PATH } from '../paths.ts';
import { type Addresses, findRequestedPiece } from './addresses.ts';
import { listTexts } from './claims/placeholders.ts';
import type { Content } from './content.ts';
import { listTextTargets } from './partner-link-check.ts';

/** What other files can name. */
export type NamedKind = 'partner' | 'product' | 'author' | 'claim';

/** A content file as it is written. */
export interface WrittenFile {
  /** Path below the content folder. */
  readonly file: string;
  readonly text: string;
}

/** The fields and shortcodes that name a key of each kind. */
const FIELDS: Readonly<Record<NamedKind, string>> = {
  partner: 'partners?|promotedPartner',
  product: 'products?',
  author: 'authors?|by',
  claim: 'claims?',
};

/**
 * Lists the files whose texts name a partner, a product, an author or a claim, in their order: as the value of a field or of
 * a shortcode, in a figure, or in a link to a partner.
 */
export function listUsingFiles(
  kind: NamedKind,
  key: string,
  files: readonly WrittenFile[],
): readonly string[] {
  const name = RegExp.escape(key);
  const field = `\\b(?:${FIELDS[kind]})(?::|=)\\s*`;
  // `product: kit`, `products: [hubspot, kit]`, `product="kit"`, and a list with a line for each.
  const value = `${field}(?:["']?|\\[[^\\]]*?\\b|["'][\\w, -]*?\\b|(?:- [\\w-]+\\s+)*- )${name}(?![\\w-])`;
  const figure = kind === 'product' || kind === 'claim' ? `|\\{${kind}:${name}[.}]` : '';
  const link = kind === 'partner' ? `|/go/${name}(?![\\w-])` : '';
  // Lists of claims have names of their own, such as the items of statistics.
  const item = kind === 'claim' ? `|(?:- |[[,]\\s*)${name}(?=\\s*(?:[,\\]\\n]|$))` : '';
  const isNamed = new RegExp(value + figure + link + item);
  return files.filter(({ text }) => isNamed.test(text)).map(({ file }) => file);
}

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
  return [...pages].flatMap(([path, { draft }]) => (draft || linked.has(path) ? [] : [path]));
}
