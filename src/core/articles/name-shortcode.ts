import { capitalize } from '../text/words.ts';

/** `{{product-box product="kit"}}` in words: Product box: Kit. `names` are those of the products, by their keys. */
export function nameShortcode(text: string, names: ReadonlyMap<string, string>): string {
  const [, name = ''] = /^\{\{\s*([a-z-]+)/.exec(text) ?? [];
  const [, products = ''] = /\sproducts?="([^"]*)"/.exec(text) ?? [];
  const words = name.replaceAll('-', ' ');
  const named = products.split(/,\s*/).map((key) => names.get(key) ?? key);
  return `${capitalize(words)}${products === '' ? '' : `: ${named.join(', ')}`}`;
}
