import { formatLongDate } from '../articles/article-copy.ts';
import { describePrice, describeUnit, formatMicros, formatPrice, isAged, SEE_PRICE } from './price.ts';
import type { ProductFields } from './product.schema.ts';

/** How often a price is paid. */
export const BILLING = ['once', 'monthly', 'yearly'] as const;
export type Billing = (typeof BILLING)[number];

/** What readers say of a month of theirs, by which plans are priced. Parameters of addresses have these names. */
export const QUANTITIES = ['people', 'contacts', 'texts', 'emails'] as const;
export type Quantity = (typeof QUANTITIES)[number];

/** What a product is: its structured data and the words of its buttons fit it. */
export const PRODUCT_KINDS = ['software', 'physical'] as const;

/** How documents answer a question: a point, half a point, none, or no document that answers it. */
export const ANSWERS = ['yes', 'partly', 'no', 'open'] as const;
export type Answer = (typeof ANSWERS)[number];

/** The points of a criterion as shown: `2.5/5`, `1/5, 1 open`, and `open` without any answer. */
export function describePoints(answers: readonly Answer[]): string {
  const count = (wanted: Answer) => answers.filter((answer) => answer === wanted).length;
  const open = count('open');
  if (open === answers.length) return 'open';
  return `${count('yes') + count('partly') / 2}/${answers.length}${open === 0 ? '' : `, ${open} open`}`;
}

/** What a figure rests on. */
export interface Source extends Readonly<Omit<ProductFields['sources'][string], 'checked'>> {
  readonly key: string;
  /** Empty in a draft: nobody has looked yet. */
  readonly checked: string;
  readonly read: NonNullable<ProductFields['sources'][string]['read']>;
}

/** A figure or a term of a product or an offer. */
export interface Fact extends Readonly<Omit<ProductFields['facts'][string], 'amount' | 'source'>> {
  readonly key: string;
  /** An amount of money, in millionths of the currency's unit. */
  readonly micros?: number | undefined;
  readonly currency: string;
  /** undefined: no source is known; `note` says so. */
  readonly source?: Source | undefined;
}

type OfferFields = Omit<
  ProductFields['offers'][string],
  'price' | 'currency' | 'source' | 'facts' | 'history'
>;

/** A price as it was read on the day of its source. */
export interface Reading {
  /** In minor units of the offer's currency. */
  readonly amount: number;
  readonly source: Source;
}

/** One way to buy a product: a plan, or a shop. */
export interface Offer extends Readonly<OfferFields> {
  readonly key: string;
  /** The price in minor units of `currency`; 0: free, or without a `source` unknown. */
  readonly amount: number;
  readonly currency: string;
  /** undefined: the file has no price. */
  readonly source?: Source | undefined;
  /** Earlier prices, oldest first. */
  readonly history: readonly Reading[];
  readonly facts: readonly Fact[];
}

/** One criterion and its score from 0 to 5. */
export type Score = Readonly<ProductFields['scores'][number]>;

/** A discount that the merchant grants for some days. */
export interface Coupon extends Readonly<Omit<ProductFields['coupons'][number], 'source'>> {
  readonly source: Source;
}

/** A product as `content/products/*.yaml` states it. */
export interface Product extends Readonly<Omit<ProductFields, 'sources' | 'offers' | 'facts' | 'coupons'>> {
  readonly key: string;
  readonly sources: readonly Source[];
  /** In the order of the file; at least one. */
  readonly offers: readonly Offer[];
  readonly facts: readonly Fact[];
  readonly coupons: readonly Coupon[];
}

/** A fact as shown: `$0.0083`, `2`, `12 months`. */
export function formatFact({ value, micros, currency }: Fact): string {
  return micros === undefined ? (value ?? '') : formatMicros(micros, currency);
}

/**
 * The offer with the lowest price of a month, or of the purchase: what *from* is about. Offers in other currencies than
 * the product's are no part of the comparison unless all are.
 */
export function findCheapest({ offers, currency }: Product): Offer {
  const priced = offers.filter(({ source }) => source !== undefined);
  const own = priced.filter((offer) => offer.currency === currency);
  const [first, ...others] = own.length > 0 ? own : priced.length > 0 ? priced : offers;
  // The schema has refused a product without an offer.
  if (first === undefined) throw new RangeError('a product needs at least one offer');
  return others.reduce(
    (least, offer) => (getMonthlyAmount(offer) < getMonthlyAmount(least) ? offer : least),
    first,
  );
}

/** The product that a partner offers: what the ratings of a page about it are about. */
export function findProductOf(
  products: ReadonlyMap<string, Product>,
  partner: string | undefined,
): Product | undefined {
  return [...products.values()].find(({ offers }) => offers.some((offer) => offer.partner === partner));
}

/** What an offer costs a month, or once, in minor units: yearly prices count by the month. */
export function getMonthlyAmount({ amount, billed }: Offer): number {
  return billed === 'yearly' ? amount / 12 : amount;
}

/** The mean of the scores with one decimal; null without scores. */
export function computeScore(scores: readonly { readonly score: Score['score'] }[]): number | null {
  if (scores.length === 0) return null;
  const tenths = scores.reduce((sum, { score }) => sum + Math.round(score * 10), 0);
  return Math.round(tenths / scores.length) / 10;
}

/** Says in a sentence how and when a source was read. `checked` is a word for a live page alone, which somebody has opened. */
export function describeReading({ read, via = '', checked }: Omit<Source, 'key' | 'title' | 'href'>): string {
  const day = formatLongDate(checked);
  if (read === 'opened') return `We opened the live page on ${day}.`;
  if (read === 'stated') return `Stated by the operator on ${day}.`;
  if (read === 'copied') return `From ${via}, as of ${day}.`;
  return `Price transcribed on ${day} by ${via}.`;
}

/** Every price of an offer that was read, oldest first; none without a price. */
export function listReadings({ history, amount, source }: Offer): readonly Reading[] {
  return source === undefined ? [] : [...history, { amount, source }];
}

/** The oldest day on which one of several sources was read; empty without a source. */
export function findOldestCheck(sources: readonly { readonly checked: Source['checked'] }[]): string {
  return (
    sources
      .map(({ checked }) => checked)
      .filter(Boolean)
      .sort()[0] ?? ''
  );
}

/**
 * What copy may name of a product, without `product:`: `kit` the name, `kit.price` the lowest price, `kit.creator` the
 * price of an offer, `kit.free-subscribers` a fact. See docs/recipes/product.md.
 */
export function buildProductFigures(product: Product, now?: number): readonly [string, string][] {
  const { key, name, maker, verdict, offers, facts, scores } = product;
  const score = computeScore(scores);
  return [
    [key, name],
    ...(maker === undefined ? [] : [[`${key}.maker`, maker] satisfies [string, string]]),
    ...(verdict === undefined ? [] : [[`${key}.verdict`, verdict] satisfies [string, string]]),
    [`${key}.price`, describePrice(product, findCheapest(product), now)],
    ...buildCheckFigure(key, offers),
    ...(score === null ? [] : [[`${key}.score`, `${score}/5`] satisfies [string, string]]),
    ...buildFactFigures(key, facts),
    ...offers.flatMap((offer) => buildOfferFigures(product, offer, now)),
  ];
}

/** The oldest day of the prices; nothing for a product without one. */
function buildCheckFigure(key: string, offers: readonly Offer[]): [string, string][] {
  const day = findOldestCheck(offers.flatMap(({ source }) => source ?? []));
  return day === '' ? [] : [[`${key}.checked`, formatLongDate(day)]];
}

function buildOfferFigures(product: Product, offer: Offer, now?: number): [string, string][] {
  const { name, amount, currency, billed, audience, source, facts } = offer;
  const key = `${product.key}.${offer.key}`;
  const show = (cents: number) => (isAged(product, offer, now) ? SEE_PRICE : formatPrice(cents, currency));
  return [
    [key, show(amount)],
    [`${key}.name`, name],
    [`${key}.unit`, describeUnit(offer)],
    ...(billed === 'monthly' ? [[`${key}.year`, show(amount * 12)] satisfies [string, string]] : []),
    ...(audience === undefined ? [] : [[`${key}.audience`, audience] satisfies [string, string]]),
    ...(source === undefined ? [] : buildSourceFigures(key, source)),
    ...buildFactFigures(key, facts),
  ];
}

function buildFactFigures(of: string, facts: readonly Fact[]): [string, string][] {
  return facts.flatMap((fact): [string, string][] => [
    [`${of}.${fact.key}`, formatFact(fact)],
    ...(fact.source === undefined ? [] : buildSourceFigures(`${of}.${fact.key}`, fact.source)),
  ]);
}

function buildSourceFigures(of: string, source: Source): [string, string][] {
  const { title, href, checked } = source;
  return [
    ...(checked === '' ? [] : [[`${of}.checked`, formatLongDate(checked)] satisfies [string, string]]),
    [`${of}.source`, `[${title}](${href})`],
    [`${of}.reading`, describeReading(source)],
  ];
}
