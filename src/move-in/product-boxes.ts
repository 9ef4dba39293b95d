import { stringify } from 'yaml';
import { productSchema } from '../core/products/product.schema.ts';
import { cleanText, escapeHtml } from '../core/text/parse-text.ts';
import { buildSlug } from '../core/text/slug.ts';
import { extractText, unescapeEntities } from '../sources/articles/html/html-text.ts';
import { copyText } from './former-item.ts';
import { addUnique } from './merchants.ts';
import type { ShortcodeAttributes } from './shortcodes.ts';

/** Address of a product of Amazon; `country`: of the shop, such as `DE`; `tag` and `country` are empty when not given. */
export type BuildAmazonLink = (asin: string, tag: string, country: string) => string;

/** What the site of a merchant is called where a text has no words of its own for a link. */
export const SEE_IT = 'See it at Amazon';

const ASIN = /^(?:B[0-9A-Z]{9}|[0-9]{9}[0-9X])$/i;
/** Whether a text is the number of a product and no name: an ASIN, ISBN or EAN. */
export const isProductNumber = (text: string): boolean =>
  /^(?:amazon\s+)?(?:B[0-9A-Z]{9}|[A-Z0-9]*\d[A-Z0-9]{8,}|[\d-]{9,17}X?)$/i.test(text.trim()) &&
  !/\s/.test(text.trim().replace(/^amazon\s+/i, ''));

/**
 * Writes a link to a product into a body. It has marks by which it is found again: its number, and whether it was a box,
 * so that it can become one. `html`: its words; empty when only the number is known.
 */
export function writeProduct(number: string, isBox: boolean, href: string, html: string): string {
  const link = `<a data-moved-product="${escapeHtml(number)}" data-box="${isBox ? 'yes' : 'no'}" href="${escapeHtml(href)}">${html}</a>`;
  return isBox ? `\n\n<p>${link}</p>\n\n` : link;
}

const PRODUCT_LINK =
  /<a data-moved-product="([^"<>]*)" data-box="(yes|no)" href="([^"<>]*)">([^<>]*(?:<(?!\/?a\b)[^<>]*>[^<>]*)*)<\/a>/g;

/** Takes the links of `writeProduct` out of a body; `onProduct` gets each of them. */
export function takeProducts(
  html: string,
  onProduct: (found: {
    readonly number: string;
    readonly isBox: boolean;
    readonly href: string;
    readonly words: string;
  }) => void,
): string {
  if (!html.includes('data-moved-product')) return html;
  return html.replace(PRODUCT_LINK, (_, number: string, box: string, href: string, words: string) => {
    onProduct({
      number: copyText(unescapeEntities(number)),
      isBox: box === 'yes',
      href: copyText(unescapeEntities(href)),
      words: copyText(cleanText(extractText(words.slice(0, 2000)), 200)),
    });
    return ' ';
  });
}

/** Shortcodes of plugins that show products of Amazon by number. */
const AMAZON =
  /^(?:amazon|aawp|amazon_link|amazon_textlink|amazon[-_]element|amazonproducts|amazonjs|amazon_auto_links|amalinkspro|easyazon|easyazon[_-](?:link|image|image_link|image-link|block|infoblock|info_block|cta)|asa2?|asa_item)$/;
/** Those of them that are a link in a sentence. */
const IN_TEXT = /^(?:amazon_textlink|easyazon[_-](?:link|image|image_link|image-link)|easyazon)$/;

/**
 * Renders a shortcode that shows products of Amazon: those of AAWP, Associates Link Builder, EasyAzon, AmaLinks Pro, Auto
 * Amazon Links, AmazonJS, Amazon Product in a Post and ASA. undefined: it is no such shortcode; null: it names no product,
 * as lists of best sellers do.
 */
export function renderAmazonShortcode(
  name: string,
  attributes: ShortcodeAttributes,
  content: string,
  buildLink: BuildAmazonLink,
): string | null | undefined {
  if (!AMAZON.test(name)) return undefined;
  const find = (...names: readonly string[]) =>
    names.map((key) => attributes[key] ?? '').find((value) => value !== '') ?? '';
  const given = find('box', 'link', 'asin', 'asins', 'identifier', 'fields', 'image', 'item_id', '0');
  const numbers = (given || (name.startsWith('asa') ? extractText(content) : ''))
    .split(/[\s,]+/)
    .filter((number) => ASIN.test(number))
    .map((number) => number.toUpperCase());
  if (numbers.length === 0) return null;
  const isInText =
    IN_TEXT.test(name) ||
    find('link', 'fields', 'image') !== '' ||
    /text|image-link/.test(find('type')) ||
    (name === 'amazon_link' && /^(?:ProductLink|PriceLink|ProductImage)/i.test(find('template')));
  const own = find('apilink', 'api-link');
  const [tag, country] = [
    find('tracking_id', 'tag', 'store', 'associate-id', 'associate_id', 'tracking-id'),
    find('marketplace', 'locale', 'country'),
  ];
  const words = extractText(content).trim();
  const inner = words === '' || isProductNumber(words) ? '' : content.trim();
  const title = find('text', 'title', 'link_title', 'linktext');
  // Of several products, a title is that of none of them.
  const label = numbers.length > 1 ? '' : isInText ? inner || escapeHtml(title) : escapeHtml(title);
  const links = numbers.map((number) => {
    const href =
      numbers.length === 1 && /^https:\/\//.test(own) ? own : buildLink(number, tag, country.toUpperCase());
    return writeProduct(number, !isInText, href, isProductNumber(extractText(label)) ? '' : label);
  });
  return links.join(isInText ? ' ' : '') + (isInText ? '' : inner);
}

/** Turns the ads of Amazon that name products, as scripts and frames, into product boxes. */
export function expandAmazonAds(html: string, buildLink: BuildAmazonLink): string {
  if (!/amzn_assoc_asins|amazon-adsystem/.test(html)) return html;
  const write = (numbers: string, tag: string) =>
    numbers
      .split(/[\s,]+/)
      .filter((number) => ASIN.test(number))
      .map((number) => writeProduct(number.toUpperCase(), true, buildLink(number.toUpperCase(), tag, ''), ''))
      .join('');
  return html
    .replace(/<script\b[^<>]*>([^<]*)<\/script>/gi, (all: string, script: string) => {
      const numbers = /amzn_assoc_asins\s*=\s*["']([\w, ]+)["']/.exec(script)?.[1];
      const tag = /amzn_assoc_tracking_id\s*=\s*["']([\w-]+)["']/.exec(script)?.[1] ?? '';
      return numbers === undefined ? all : write(numbers, tag) || all;
    })
    .replace(/<iframe\b([^<>]*)>(?:[^<]*<\/iframe>)?/gi, (all: string, attributes: string) => {
      const src = /\ssrc=["']([^"'<>]*amazon-adsystem\.com[^"'<>]*)["']/i.exec(attributes)?.[1];
      const numbers = /[?&;]asins?=([\w,%]+)/.exec(src ?? '')?.[1];
      const tag = /[?&;](?:tracking_id|t)=([\w-]+)/.exec(src ?? '')?.[1] ?? '';
      return numbers === undefined ? all : write(numbers.replace(/%2C/gi, ','), tag) || all;
    });
}

/** A product that texts name by a number, as the scan of a site finds it. */
export interface ScannedProduct {
  /** Where its links lead; empty until the post of its link is known. */
  href: string;
  /** Its name in a box, and the words of a link to it; empty without. */
  box: string;
  link: string;
  isBoxed: boolean;
  uses: number;
}

/** Words of buttons, which are no name. */
const BUTTON =
  /\b(?:amazon|buy|check|click|deals?|details|here|info|latest|link|more|now|offer|order|price|read|see|shop|view)\b/i;

/** Adds what a text says of a product to what is known of it. */
export function addProduct(
  products: Map<string, ScannedProduct>,
  { number, isBox, href, words }: Parameters<Parameters<typeof takeProducts>[1]>[0],
): void {
  const known = products.get(number) ?? { href, box: '', link: '', isBoxed: false, uses: 0 };
  const name = words === '' || isProductNumber(words) ? '' : words;
  products.set(number, {
    href: known.href || href,
    box: known.box || (isBox ? name : ''),
    link: known.link || (isBox || name.length < 8 || BUTTON.test(name) ? '' : name),
    isBoxed: known.isBoxed || isBox,
    uses: known.uses + 1,
  });
}

/** A product of a box of the former site without a name: the operator is asked for it. */
export interface NamelessProduct {
  readonly number: string;
  /** What the operator said before; empty: nothing. */
  readonly name: string;
  readonly uses: number;
  readonly example: string;
}

/** The field of a form for the name of a product: by its number. */
export const nameProductField = (number: string): string => `product ${number}`;

/** What links to a product become: `key`: of its file, which boxes show; null: it has none, and boxes become links. */
export interface MovedProduct {
  readonly key: string | null;
  readonly name: string;
}

/** A product's file. */
interface BuiltProduct {
  readonly number: string;
  readonly key: string;
  readonly name: string;
  readonly text: string;
}

/**
 * Names the products of boxes: as the operator does, as the table of the plugin, the box, or a link in a text does. Builds
 * the file of each that has a name and a confirmed partner. `paths`: by target, `/go/KEY?page=PAGE`. `taken`: keys of the
 * site's own products; `former`: those that earlier imports gave, by number.
 */
export function buildProducts(
  scanned: ReadonlyMap<string, ScannedProduct>,
  named: { readonly given: ReadonlyMap<string, string>; readonly table: ReadonlyMap<string, string> },
  partners: {
    readonly findPath: (href: string) => string | undefined;
    readonly findName: (key: string) => string;
  },
  { taken, former }: { readonly taken: ReadonlySet<string>; readonly former: ReadonlyMap<string, string> },
) {
  const products = new Map<string, MovedProduct>();
  const built: BuiltProduct[] = [];
  const nameless: NamelessProduct[] = [];
  const waiting: string[] = [];
  const keys = new Set([...taken, ...former.values()]);
  for (const [number, { href, box, link, isBoxed, uses }] of scanned) {
    const own = named.table.get(number) || box || link;
    const given = named.given.get(number) ?? '';
    const name = cleanText(given || own, 80).replace(/[{}]/g, '');
    if (isBoxed && own === '') nameless.push({ number, name: given, uses, example: href });
    products.set(number, { key: null, name });
    if (!isBoxed || name === '') continue;
    const [, partner, destination] =
      /^\/go\/([\w-]+)\?page=([\w-]+)$/.exec(partners.findPath(href) ?? '') ?? [];
    if (partner === undefined || destination === undefined) {
      waiting.push(name);
      continue;
    }
    const key = former.get(number) ?? addUnique(buildKey(name, number), number, keys);
    const shop = { name: partners.findName(partner) || partner, partner, destination, billed: 'once' };
    const product = { name, kind: 'physical', offers: { shop } };
    if (!productSchema.safeParse(product).success) continue;
    products.set(number, { key, name });
    built.push({ number, key, name, text: HEAD + stringify(product, { lineWidth: 0 }) });
  }
  return { products, built, nameless, waiting };
}

const HEAD =
  '# Imported from a product box, which had a name and a link alone. Add its verdict, for whom it is, what is good and what is\n' +
  '# not, and a price with its source; write kind: software when it is. What each field means: docs/recipes/product.md.\n';

/** Product keys have no other letters than a-z. */
function buildKey(name: string, number: string): string {
  const clean = (text: string) =>
    buildSlug(text)
      .normalize('NFD')
      .replace(/[^a-z0-9-]/g, '')
      .slice(0, 40)
      .replace(/-+/g, '-')
      .replace(/^-|-$/g, '');
  return clean(name) || clean(number) || 'product';
}
