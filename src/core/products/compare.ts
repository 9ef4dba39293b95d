import { formatLongDate } from '../articles/article-copy.ts';
import { NO_PARTNER } from '../outbound/cta.ts';
import { describePrice, isAged } from './price.ts';
import {
  computeScore,
  findCheapest,
  findProductOf,
  formatFact,
  getMonthlyAmount,
  type Offer,
  type Product,
} from './product.ts';

/** What a roundup can be ordered by; what a product earns is not among it. */
export const ORDERS = ['listed', 'score', 'price'] as const;
export type RoundupOrder = (typeof ORDERS)[number];

/** Words about the money that a site earns; a basis with one of them is refused. */
export const MONEY_WORDS = /\b(commissions?|epc|earnings? per click|payouts?|affiliate rates?)\b/i;

/** One product on a page, with the offer whose price is shown. */
interface Listed {
  readonly product: string;
  readonly offer?: string | undefined;
}

/**
 * Orders the items of a roundup: by score, by the lowest price of a month or a purchase, or as listed. Reads neither
 * partners nor destinations. A product without a score or a price that is shown comes last; equal ones stay as listed.
 */
export function orderRoundup<T extends Listed>(
  items: readonly T[],
  order: RoundupOrder,
  products: ReadonlyMap<string, Product>,
  now?: number,
): readonly T[] {
  if (order === 'listed') return items;
  const rank = (item: T): number => {
    const product = products.get(item.product);
    if (product === undefined) return Number.POSITIVE_INFINITY;
    if (order === 'score') return -(computeScore(product.scores) ?? Number.NEGATIVE_INFINITY);
    const offer = findShown(product, item.offer);
    return isAged(product, offer, now) ? Number.POSITIVE_INFINITY : getMonthlyAmount(offer);
  };
  const ranked = items.map((item) => ({ item, rank: rank(item) }));
  return ranked
    .sort((one, other) => (one.rank === other.rank ? 0 : one.rank < other.rank ? -1 : 1))
    .map(({ item }) => item);
}

/** The offer whose price is shown: the one that is named, else the cheapest. */
export function findShown(product: Product, key: string | undefined): Offer {
  return product.offers.find((offer) => offer.key === key) ?? findCheapest(product);
}

/** One row of a comparison: a text for each product. */
export interface ComparedRow {
  readonly label: string;
  readonly cells: readonly string[];
}

interface WrittenRow {
  readonly label: string;
  readonly cells?: readonly string[] | undefined;
  readonly fact?: string | undefined;
}

const MISSING = '–';

/**
 * Builds the rows of a comparison: price, best for, not for, the scores if they are compared, and what the page lists.
 * `different` come first; `equal` say the same of every product.
 */
export function compareProducts(
  products: readonly Product[],
  written: readonly WrittenRow[],
  hasScores: boolean,
  now?: number,
): { readonly different: readonly ComparedRow[]; readonly equal: readonly ComparedRow[] } {
  const row = (label: string, read: (product: Product) => string) => ({ label, cells: products.map(read) });
  const criteria = hasScores ? (products[0]?.scores ?? []) : [];
  const rows: readonly ComparedRow[] = [
    row('Price from', (product) => describePrice(product, findCheapest(product), now)),
    ...(criteria.length > 0
      ? [row('Score', ({ scores }) => (scores.length === 0 ? MISSING : `${computeScore(scores)}/5`))]
      : []),
    row('Best for', (product) => product.for[0] ?? MISSING),
    row('Not for', ({ notFor }) => notFor[0] ?? MISSING),
    ...criteria.map(({ criterion }) =>
      row(criterion, ({ scores }) => {
        const found = scores.find((one) => one.criterion === criterion);
        return found === undefined ? MISSING : `${found.score}/5`;
      }),
    ),
    ...written.map(({ label, cells, fact }) =>
      cells === undefined ? row(label, (product) => describeFact(product, fact, now)) : { label, cells },
    ),
  ];
  const isEqual = ({ cells }: ComparedRow) => new Set(cells).size === 1;
  return { different: rows.filter((one) => !isEqual(one)), equal: rows.filter(isEqual) };
}

function describeFact(product: Product, key: string | undefined, now?: number): string {
  const fact = product.facts.find((one) => one.key === key);
  if (fact === undefined) return MISSING;
  const shown = [formatFact(fact), fact.per === undefined ? '' : `per ${fact.per}`].filter(Boolean).join(' ');
  if (fact.source === undefined || !isAged(product, fact, now)) return shown;
  return `${shown} (as of ${formatLongDate(fact.source.checked)}: look before you rely on it)`;
}

/**
 * Finds what an article recommends at the end of its summary: the cheapest offer of the partner's product, when the article
 * names the product or its partner. undefined: nothing.
 */
export function findPick(
  { partner, content, title }: Record<'partner' | 'content' | 'title', string>,
  products: ReadonlyMap<string, Product>,
  key: string,
) {
  const product = findProductOf(products, key);
  if (partner === NO_PARTNER || product === undefined) return undefined;
  const isNamed = partner !== '' || `${title} ${content}`.includes(product.name);
  return isNamed ? { product, offer: findCheapest(product) } : undefined;
}

/** A section of a page that names products, as far as it is checked. */
export interface ProductSection {
  readonly type: string;
  readonly product?: string | undefined;
  readonly offer?: string | undefined;
  readonly products?: readonly string[] | undefined;
  readonly items?: readonly Listed[] | undefined;
  readonly scores?: boolean | undefined;
  readonly order?: RoundupOrder | undefined;
}

/** Section types that name products; shortcodes have the same names. */
export const PRODUCT_SECTIONS = [
  'product-box',
  'product-comparison',
  'picks-table',
  'roundup',
  'versus',
  'volume-prices',
] as const;

/** Whether a section is one that names products. */
export function isProductSection<T extends { readonly type: string }>(
  section: T,
): section is Extract<T, { readonly type: (typeof PRODUCT_SECTIONS)[number] }> {
  return (PRODUCT_SECTIONS as readonly string[]).includes(section.type);
}

interface Fault {
  readonly path: readonly (string | number)[];
  readonly reason: string;
}

/** Finds the products and offers that a section names and that do not exist, and scores that cannot be compared. */
export function findProductFaults(
  section: ProductSection,
  products: ReadonlyMap<string, Product>,
): readonly Fault[] {
  const listed: readonly (Listed & { readonly path: readonly (string | number)[] })[] = [
    ...(section.product === undefined
      ? []
      : [{ product: section.product, offer: section.offer, path: [] as (string | number)[] }]),
    ...(section.items ?? []).map((item, index) => ({ ...item, path: ['items', index] })),
  ];
  const named = [
    ...listed.map(({ product, path }) => ({ product, path: [...path, 'product'] })),
    ...(section.products ?? []).map((product, index) => ({ product, path: ['products', index] })),
  ];
  const missing = named.flatMap(({ product, path }): Fault[] =>
    products.has(product) ? [] : [{ path, reason: `no product is called "${product}", or it is a draft` }],
  );
  if (missing.length > 0) return missing;
  const offers = listed.flatMap(({ product, offer, path }): Fault[] => {
    const known = products.get(product)?.offers.map(({ key }) => key) ?? [];
    if (offer === undefined || known.includes(offer)) return [];
    const reason = `"${product}" has no offer "${offer}"; it has ${known.join(', ')}`;
    return [{ path: [...path, 'offer'], reason }];
  });
  const priced = section.type === 'volume-prices' ? (section.products ?? []) : [];
  const currency = products.get(priced[0] ?? '')?.currency;
  const unpriced = priced.flatMap((key, index): Fault[] => {
    const plans = products.get(key)?.offers.filter(({ volume }) => volume !== undefined) ?? [];
    if (plans.length > 0 && plans.every((plan) => plan.currency === currency)) return [];
    const reason = `"${key}" needs offers with \`volume\`, all in the currency of the first product`;
    return [{ path: ['products', index], reason }];
  });
  const isRated = section.scores === true || section.order === 'score';
  return [...offers, ...unpriced, ...(isRated ? findScoreFaults(named, products) : [])];
}

/**
 * Finds the scores of a page that are not those of the product which it is about: a product has one score for a criterion
 * on the whole site. Nothing for a product without scores.
 */
export function findRatingFaults(
  ratings: readonly { readonly title: string; readonly stars?: number | undefined }[],
  product: Product | undefined,
): readonly Fault[] {
  if (product === undefined || product.scores.length === 0) return [];
  return ratings.flatMap(({ title, stars }, index): Fault[] => {
    const known = product.scores.find(({ criterion }) => criterion.toLowerCase() === title.toLowerCase());
    if (known === undefined) {
      const criteria = product.scores.map(({ criterion }) => criterion).join(', ');
      return [
        {
          path: [index, 'title'],
          reason: `${product.key} has scores for ${criteria}, and not for "${title}"`,
        },
      ];
    }
    if (known.score === stars) return [];
    return [{ path: [index, 'stars'], reason: `${product.key} has ${known.score} for ${known.criterion}` }];
  });
}

function findScoreFaults(
  named: readonly { readonly product: string; readonly path: readonly (string | number)[] }[],
  products: ReadonlyMap<string, Product>,
): Fault[] {
  const list = (key: string) =>
    (products.get(key)?.scores ?? [])
      .map(({ criterion }) => criterion)
      .sort()
      .join(', ');
  const [first] = named;
  const wanted = list(first?.product ?? '');
  return named.flatMap(({ product, path }): Fault[] => {
    if (wanted !== '' && list(product) === wanted) return [];
    const reason =
      list(product) === ''
        ? 'has no scores to compare'
        : `has scores for ${list(product)}, and ${first?.product} for ${wanted || 'nothing'}: compare the same criteria`;
    return [{ path, reason }];
  });
}

/** Finds criteria that are not rated by the same questions for every product of a table. */
export function findCriteriaFaults(
  section: {
    readonly products: readonly string[];
    readonly criteria: readonly { key: string; questions?: Record<string, string> | undefined }[];
  },
  products: ReadonlyMap<string, { readonly criteria: Product['criteria'] }>,
) {
  const list = (product = '', criterion: string) =>
    Object.keys(products.get(product)?.criteria[criterion] ?? {}).sort();
  return section.criteria.flatMap(({ key, questions }, index) => {
    const wanted = questions === undefined ? list(section.products[0], key) : Object.keys(questions).sort();
    return section.products.flatMap((product) => {
      const found = list(product, key);
      if (found.length > 0 && found.join() === wanted.join()) return [];
      const reason = `"${product}" answers ${found.join(', ') || 'no question'} of ${key}, not ${wanted.join(', ')}`;
      return { path: ['criteria', index, questions === undefined ? 'key' : 'questions'], reason };
    });
  });
}
