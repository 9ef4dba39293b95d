import { formatLongDate } from '../articles/article-copy.ts';
import { getMinorDigits } from '../commissions/money.ts';
import { parseAmount } from '../savings/parse-amount.ts';
import { formatMicros, formatPrice, isAged } from './price.ts';
import { type Offer, type Product, QUANTITIES, type Quantity } from './product.ts';

/** What a reader has and sends in a month. */
export type Volume = Readonly<Record<Quantity, number>>;

export const LARGEST = 1_000_000;

/**
 * Reads the numbers of an address; those that it leaves out are the example's. Anything but a whole number in the
 * range counts as the nearest, nothing at all as the least, and is in `invalid` as it was typed.
 * `budget`: the most that the reader would spend in a month, in cents; 0: unknown.
 */
export function parseVolume(query: { get(name: string): string | null }, example: Volume) {
  const invalid = new Map<Quantity, string>();
  const volume = { ...example };
  for (const quantity of QUANTITIES) {
    const text = query.get(quantity);
    if (text === null) continue;
    const amount = parseAmount(text);
    const least = quantity === 'people' ? 1 : 0;
    volume[quantity] = Math.min(LARGEST, Math.max(least, Math.round((amount ?? 0) / 100)));
    if (amount !== volume[quantity] * 100 || /^\s*[-\u2212]/.test(text)) invalid.set(quantity, text);
  }
  const budget = parseAmount(query.get('budget') ?? '') ?? 0;
  return { volume, invalid, budget, isExample: QUANTITIES.some((quantity) => query.get(quantity) === null) };
}

const NUMBER = new Intl.NumberFormat('en-US');

/** A quantity in words: `1 person`, `10,000 emails a month`. */
export function describeQuantity(quantity: Quantity, count: number): string {
  const word = count !== 1 ? quantity : quantity === 'people' ? 'person' : quantity.slice(0, -1);
  return `${NUMBER.format(count)} ${word}${quantity === 'texts' || quantity === 'emails' ? ' a month' : ''}`;
}

/** A product with the price of a plan for the numbers of a reader. */
export type VolumePrice = ReturnType<typeof findVolumePrice>;

/**
 * Finds the cheapest plan of a product whose dated price covers a volume. Where none does, `isCovered` is false and `price`
 * is the nearest, for the part of the volume that it covers: nothing is interpolated. `price` is null when every price is
 * past its age. `now`: ms since 1970.
 */
export function findVolumePrice(product: Product, volume: Volume, now: number) {
  const offers = product.offers.filter((offer) => offer.volume !== undefined);
  const dated = offers.filter((offer) => !isAged(product, offer, now));
  const plans = dated.map((offer) => {
    const limits = offer.volume?.limits ?? {};
    const over = QUANTITIES.filter((quantity) => volume[quantity] > (limits[quantity] ?? LARGEST));
    const part = { ...volume };
    for (const quantity of over) part[quantity] = limits[quantity] ?? 0;
    const share = over.reduce((all, quantity) => (all * part[quantity]) / volume[quantity], 1);
    return { offer, over, part, share, price: sumPlan(product, offer, part, now) };
  });
  const [best] = plans.toSorted(
    (one, other) => other.share - one.share || one.price.firstYear - other.price.firstYear,
  );
  const isCovered = best?.share === 1;
  const tooSmall = isCovered ? plans.slice(0, plans.indexOf(best)) : (best && [best]) || [];
  const { open = {}, missing = [], why } = best?.offer.volume ?? {};
  return {
    product,
    price: best?.price ?? null,
    isCovered,
    /** What the nearest price covers of the numbers that it does not cover whole. */
    covered: (best?.over ?? []).map((quantity) => describeQuantity(quantity, best?.part[quantity] ?? 0)),
    /** Why this plan and no cheaper one, or why none. */
    reasons: [
      ...tooSmall.flatMap(({ offer, over: [first] }) => (first ? describeLimit(offer, first) : [])),
      ...(dated.length < offers.length
        ? [`A price older than ${product.maxAgeDays} days doesn't count.`]
        : []),
      ...[isCovered ? why : product.unpriced].flatMap((text) => text ?? []),
    ],
    /** What is not in the price. */
    missing: [
      ...QUANTITIES.filter((one) => volume[one] > 0 && open[one] !== undefined).map(
        (one) => `${describeQuantity(one, volume[one])}: ${open[one]}`,
      ),
      ...missing.map(({ text }) => text),
    ],
  };
}

function describeLimit({ name, volume }: Offer, quantity: Quantity): string {
  const limit = describeQuantity(quantity, volume?.limits[quantity] ?? 0);
  return volume?.open[quantity] === undefined
    ? `The ${name} plan covers ${limit}.`
    : `We count at most ${limit} on the ${name} plan: ${volume.open[quantity]}.`;
}

/** Adds up the years of a plan in minor units of its currency, line by line, each rounded. */
function sumPlan(product: Product, offer: Offer, volume: Volume, now: number) {
  const { amount, currency, billed, name } = offer;
  const unit = 10 ** (6 - getMinorDigits(currency));
  const charges = (offer.volume?.charges ?? []).flatMap((charge) => {
    const fact = product.facts.find(({ key }) => key === charge.fact);
    if (fact === undefined || (charge.when !== undefined && volume[charge.when] === 0)) return [];
    const agedDay = isAged(product, fact, now) ? formatLongDate(fact.source?.checked ?? '') : '';
    return [{ ...charge, micros: fact.micros ?? 0, months: charge.once ? 1 : 12, agedDay }];
  });
  const base = {
    label: name,
    micros: amount * unit,
    months: billed === 'yearly' ? 1 : 12,
    each: offer.volume?.each,
    above: 0,
    by: 1,
    once: false,
    agedDay: '',
  };
  const lines = [base, ...charges].flatMap(({ label, micros, months, each, above, by, once, agedDay }) => {
    const count = each === undefined ? 1 : volume[each] - above;
    if (count <= 0) return [];
    const factors = [
      ...(count > 1 ? [NUMBER.format(count)] : []),
      `${formatMicros(micros, currency)}${by > 1 ? ` per ${NUMBER.format(by)}` : ''}`,
      ...(months > 1 ? [`${months} months`] : []),
    ];
    const paid = Math.round((micros * count * months) / by / unit);
    return [{ label: `${label}: ${factors.join(' \u00d7 ')}`, amount: paid, once, agedDay }];
  });
  const firstYear = lines.reduce((sum, line) => sum + line.amount, 0);
  const secondYear = lines.reduce((sum, line) => sum + (line.once ? 0 : line.amount), 0);
  return { offer, lines, firstYear, secondYear };
}

/** How the rows of a table can be ordered; `-` is the other direction. */
export const VOLUME_ORDERS = ['price', '-price', 'name', '-name'] as const;

/** Orders rows by first year or name. Those without a price for the numbers come last in each order. */
export function sortVolumePrices(rows: readonly VolumePrice[], order: (typeof VOLUME_ORDERS)[number]) {
  const sign = order.startsWith('-') ? -1 : 1;
  return rows.toSorted((one, other) => {
    if (one.isCovered !== other.isCovered) return one.isCovered ? -1 : 1;
    const byName = one.product.name.localeCompare(other.product.name, 'en-US');
    if (order.endsWith('name') || !one.isCovered) return sign * byName;
    return sign * ((one.price?.firstYear ?? 0) - (other.price?.firstYear ?? 0)) || byName;
  });
}

const AND = new Intl.ListFormat('en-US');
const OR = new Intl.ListFormat('en-US', { type: 'disjunction' });

/** Says which product costs the least, whichever it is, and what its price leaves out. `==words==` are marked. */
export function describeCheapest(rows: readonly VolumePrice[], volume: Volume): string {
  const priced = rows.flatMap(({ product: { name }, price, isCovered }) =>
    isCovered && price !== null ? [{ name, ...price, plan: price.offer.volume }] : [],
  );
  const amount = Math.min(...priced.map(({ firstYear }) => firstYear));
  const least = priced.filter(({ firstYear }) => firstYear === amount);
  const [first] = least;
  const other = priced.find(({ firstYear }) => firstYear !== amount);
  if (first === undefined) return 'None of these platforms has a dated price for these numbers.';
  const names = AND.format(least.map(({ name }) => name));
  const texts = `the ${describeQuantity('texts', volume.texts).replace(' a month', '')}`;
  const senders = volume.texts === 0 ? priced : priced.filter(({ plan }) => plan?.open.texts === undefined);
  const own = least.length > 1 ? [] : (first.plan?.missing ?? []);
  const lacks = [
    ...(least.some((row) => senders.includes(row)) ? [] : [texts]),
    ...own.flatMap(({ name }) => name ?? []),
  ];
  const [only, another] = senders;
  const isOnly = only !== undefined && another === undefined && priced.length > 1;
  return [
    priced.length === 1
      ? `Only ${names} has a dated price for these numbers`
      : `For these numbers ${names} ${least.length > 1 ? 'cost' : 'costs'} the least`,
    `: ${formatPrice(amount, first.offer.currency)} in the first year`,
    lacks.length === 0 ? '.' : `, without ${OR.format(lacks)}.`,
    other !== undefined && priced.length === 2
      ? ` ${other.name} costs ${formatPrice(other.firstYear, other.offer.currency)}.`
      : '',
    isOnly ? ` ${only.name}\u2019s price is ==the only one that includes ${texts}==.` : '',
  ].join('');
}
