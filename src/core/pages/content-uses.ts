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
  const name = key.replace(/[^\w-]/g, '\\$&');
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
