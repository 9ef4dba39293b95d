import { parseDecimalAmount } from '../commissions/money.ts';

/** What an operator expects of the page of an offer. */
export interface OfferExpectation {
  /** Texts that have to be there, and that must not, in any case of letters. */
  readonly texts: readonly string[];
  readonly without: readonly string[];
  readonly prices: readonly ExpectedPrice[];
  /** What this site states with the page as its source: stored as evidence where it is there, and not expected. */
  readonly quotes: readonly string[];
}

/** A price to read from a page. */
export interface ExpectedPrice {
  /** What on this site states the same price: `product:kit.creator` (an offer) or `claim:competing-price`. */
  readonly equals: string;
  /** The text that the price follows, and the name of the offer in structured data. */
  readonly near: string;
  /** ISO 4217 code. */
  readonly currency: string;
}

export const NO_EXPECTATION: OfferExpectation = { texts: [], without: [], prices: [], quotes: [] };

/** Whether what the page says is read and stored. */
export function isOfferRead({ texts, without, prices, quotes }: OfferExpectation): boolean {
  return texts.length + without.length + prices.length + quotes.length > 0;
}

/** Adds what is expected of a page in one place to what is expected in another. */
export function mergeExpectations(one: OfferExpectation, other: OfferExpectation): OfferExpectation {
  return {
    texts: [...one.texts, ...other.texts],
    without: [...one.without, ...other.without],
    prices: [...one.prices, ...other.prices],
    quotes: [...one.quotes, ...other.quotes],
  };
}

/** An offer in a page's structured data. Amounts are texts there. */
export interface StructuredOffer {
  readonly name: string;
  readonly price: string;
  readonly currency: string;
}

/** A price that was found, in minor units; the amount is null when the page has none there. */
type ReadPrice = ReturnType<typeof readPrice>;

/** What a page of an offer said. */
export interface OfferReading {
  /** The first 2 kB of what surrounds the prices, texts and quotes, or of the page. */
  readonly excerpt: string;
  /** SHA-256 of the whole text, in hexadecimal digits. */
  readonly hash: string;
  readonly prices: readonly ReadPrice[];
}

/** An amount of money in minor units. */
export interface Price {
  readonly amount: number;
  readonly currency: string;
}

const SYMBOLS: ReadonlyMap<string, string> = new Map([
  ['US$', 'USD'],
  ['CA$', 'CAD'],
  ['C$', 'CAD'],
  ['A$', 'AUD'],
  ['AU$', 'AUD'],
  ['$', 'USD'],
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['¥', 'JPY'],
  ['₹', 'INR'],
]);

const MARK = String.raw`(?:US|CA|AU|C|A)?\$|[€£¥₹]|\b(?:USD|EUR|GBP|CHF|JPY|CAD|AUD|INR|SEK|NOK|DKK|PLN)\b`;
/** Digits with groups of three, with one or two decimals, or plain. */
const NUMBER = String.raw`\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+(?:[.,]\d{1,2})?|\d{1,7}(?:[.,]\d{1,2})?`;
const PRICE = new RegExp(
  String.raw`(${MARK})\s?(${NUMBER})(?![\d%])|(?<![\d.,])(${NUMBER})\s?(${MARK})`,
  'giu',
);

/** Lists the prices in a text, in their order: `$1,297.50`, `1.297,50 €`, `CHF 1'297.50`, `¥9,800`, `97 USD`. */
export function listPrices(text: string): (Price & { readonly at: number })[] {
  return [...text.matchAll(PRICE)].flatMap((match) => {
    const mark = (match[1] ?? match[4] ?? '').toUpperCase();
    const currency = SYMBOLS.get(mark) ?? mark;
    const amount = parseAmount(match[2] ?? match[3] ?? '', currency);
    return amount === null ? [] : [{ amount, currency, at: match.index }];
  });
}

/** Parses a written amount in which a comma or a point may separate thousands or decimals; null when it is neither. */
function parseAmount(text: string, currency: string): number | null {
  const compact = text.replace(/['’\u00a0\u202f ]/g, '');
  const last = Math.max(compact.lastIndexOf('.'), compact.lastIndexOf(','));
  const decimals = last < 0 ? 0 : compact.length - last - 1;
  const hasDecimals = decimals === 1 || decimals === 2;
  const digits = (part: string) => part.replace(/[.,]/g, '');
  const plain = hasDecimals
    ? `${digits(compact.slice(0, last))}.${compact.slice(last + 1)}`
    : digits(compact);
  return parseDecimalAmount(plain, currency);
}

/** How far behind its text a price may begin, and how long a price is at most. */
const MAX_DISTANCE = 300;
const MAX_LENGTH = 40;

/**
 * Reads a price: the offer of that name in the structured data, else the only one there, else the first price after the
 * text. Prices of other currencies are passed over.
 */
export function readPrice(expected: ExpectedPrice, text: string, offers: readonly StructuredOffer[]) {
  const { equals, near, currency } = expected;
  const structured = offers.filter((offer) => offer.currency.toUpperCase() === currency);
  const named = structured.filter(({ name }) => name.toLowerCase().includes(near.toLowerCase()));
  const [offer] = named.length > 0 ? named : structured.length === 1 ? structured : [];
  const amount = offer === undefined ? null : parseDecimalAmount(offer.price, currency);
  if (amount !== null) return { equals, currency, amount, source: 'json-ld' };
  return { equals, currency, amount: findAfter(text, near, currency), source: 'text' };
}

function findAfter(text: string, near: string, currency: string): number | null {
  const lower = text.toLowerCase();
  const anchor = near.toLowerCase();
  for (let at = lower.indexOf(anchor); at >= 0; at = lower.indexOf(anchor, at + 1)) {
    const after = text.slice(at + anchor.length, at + anchor.length + MAX_DISTANCE + MAX_LENGTH);
    const price = listPrices(after).find((one) => one.currency === currency && one.at <= MAX_DISTANCE);
    if (price !== undefined) return price.amount;
  }
  return null;
}

const MAX_EXCERPT_BYTES = 2_000;

/** Cuts a text to what surrounds the prices, texts and quotes, or to its beginning: at most 2 kB in UTF-8. */
export function buildExcerpt(text: string, { prices, texts, quotes }: OfferExpectation): string {
  const lower = text.toLowerCase();
  const parts: { from: number; to: number }[] = [];
  const places = [...prices.map(({ near }) => near), ...texts, ...quotes].flatMap((part) => {
    const at = lower.indexOf(part.toLowerCase());
    return at < 0 ? [] : [{ from: Math.max(0, at - 60), to: at + part.length + MAX_DISTANCE }];
  });
  for (const place of places.sort((one, other) => one.from - other.from)) {
    const last = parts.at(-1);
    if (last !== undefined && place.from <= last.to) last.to = Math.max(last.to, place.to);
    else parts.push(place);
  }
  const excerpt = parts.map(({ from, to }) => text.slice(from, to).trim()).join(' … ');
  return cutBytes(excerpt || text, MAX_EXCERPT_BYTES);
}

function cutBytes(text: string, bytes: number): string {
  const encoder = new TextEncoder();
  let cut = text.slice(0, bytes).toWellFormed();
  while (encoder.encode(cut).length > bytes) cut = cut.slice(0, -Math.max(1, Math.ceil(cut.length / 50)));
  return cut;
}
