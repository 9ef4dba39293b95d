import { formatLongDate } from '../../articles/article-copy.ts';
import { buildEventTable, buildOutboundTable, buildStorageTable } from '../../consent/stored-items.ts';
import type { Partner } from '../../outbound/partner.ts';
import { formatPrice, isAged, SEE_PRICE } from '../../products/price.ts';
import {
  buildProductFigures,
  findOldestCheck,
  getMonthlyAmount,
  type Product,
} from '../../products/product.ts';
import { buildTotalFigures, compareStack, countMonths, findAmount } from '../../products/totals.ts';
import type { SavingsSettings } from '../../savings/calculators.schema.ts';
import { formatDollars } from '../../savings/parse-amount.ts';
import type { SiteDetails } from '../site.schema.ts';
import type { PriceChanges } from '../updates.ts';
import { buildClaimMark, CLAIM_MARK, type ClaimParts, describeEvidence } from './claims.ts';

/** Figures by the name that copy gives them, for example `price:unlimited` and `claim:hub-agencies`. */
export type Figures = ReadonlyMap<string, string>;

const PARTNER_LIST = new Intl.ListFormat('en-US', { type: 'disjunction' });

/** What figures are collected from. */
export interface FigureSources {
  readonly savings: SavingsSettings;
  readonly products: ReadonlyMap<string, Product>;
  readonly claims: ReadonlyMap<string, ClaimParts>;
  readonly operator?: SiteDetails['operator'] | undefined;
  readonly partners?: readonly Partner[];
  /** ms since 1970; undefined: no price is too old. */
  readonly now?: number | undefined;
}

/**
 * Collects what copy may name: prices, terms, the stack, claims, browser storage, the names of the partners. See
 * docs/recipes/claim.md and docs/recipes/product.md.
 */
export function buildFigures(sources: FigureSources): Figures {
  const { savings, products, claims, operator = NO_OPERATOR, partners = [], now } = sources;
  const partnerNames = partners.map(({ name }) => name);
  const figures = new Map<string, string>([
    ['storage:table', buildStorageTable()],
    ['storage:events', buildEventTable()],
    ['storage:outbound', buildOutboundTable(partners)],
    ['operator:block', describeOperator(operator)],
    ['partners:count', String(partnerNames.length)],
    ['partners:names', PARTNER_LIST.format(partnerNames)],
    ['partners:commissions', buildCommissionTable(sources)],
    ['products:prices', String(countPrices(products))],
    ...buildStackFigures(savings, now),
    ...[...products.values()].flatMap((product) =>
      buildProductFigures(product, now).map(([name, figure]): [string, string] => [
        `product:${name}`,
        figure,
      ]),
    ),
    ...listShortNames(savings, now),
    ...buildClaimFigures(claims),
  ]);
  for (const [key, { lines, earnedBackBy }] of Object.entries(savings.totals)) {
    for (const [name, figure] of buildTotalFigures(lines, products, now))
      figures.set(`total:${key}${name}`, figure);
    const saving = savings.totals[earnedBackBy ?? '']?.lines;
    if (saving !== undefined) figures.set(`total:${key}.months`, countMonths(lines, saving, products, now));
  }
  for (const [key, { fact }] of claims)
    if (fact !== undefined)
      figures.set(
        `claim:${key}.fact`,
        fillFigures(fact.heading, figures, () => undefined),
      );
  const { rate = 0, hours = {} } = savings.work ?? {};
  if (rate > 0) figures.set('work:rate', formatDollars(rate * 100));
  for (const [key, count] of Object.entries(hours)) {
    figures.set(`work:${key}`, String(count));
    figures.set(`work:${key}.cost`, formatDollars(count * rate * 100));
  }
  const { total } = savings.stackUsage ?? {};
  for (const name of ['volumes', 'checked']) {
    const figure = figures.get(`total:${total}.${name}`);
    if (figure !== undefined) figures.set(`stack:${name}`, figure);
  }
  return figures;
}

/** The offers with a price that has a source. */
const countPrices = (products: FigureSources['products']) =>
  [...products.values()].flatMap(({ offers }) => offers).filter(({ source }) => source !== undefined).length;

/** Collects what copy may name of claims. */
function buildClaimFigures(claims: ReadonlyMap<string, ClaimParts>): Figures {
  return new Map(
    [...claims].flatMap(([key, claim]): [string, string][] => [
      [`claim:${key}`, claim.figure],
      [`claim:${key}.wording`, claim.wording],
      [`claim:${key}.status`, describeEvidence(claim)],
      [`claim:${key}.mark`, buildClaimMark(key, claim)],
      [`claim:${key}.marked`, `${claim.figure}${buildClaimMark(key, claim)}`],
    ]),
  );
}

/** What each program pays, as a Markdown table: rate, duration, and the commission of one customer in two years. */
function buildCommissionTable({ partners = [], products, now }: FigureSources): string {
  const rows = partners.flatMap(({ name, commission }) => {
    if (commission === undefined) return [];
    const { percent, months, note, examples, title, source, checked } = commission;
    const amounts = examples.map((example) => {
      const [key = '', plan] = example.split('.');
      const product = products.get(key);
      const offer = product?.offers.find((one) => one.key === plan);
      if (product === undefined || offer === undefined || isAged(product, offer, now)) return SEE_PRICE;
      const cents = Math.round((getMonthlyAmount(offer) * percent * Math.min(months ?? 24, 24)) / 100);
      return `${formatPrice(cents, offer.currency)} on ${offer.name}`;
    });
    const duration = months === undefined ? 'As long as the customer pays' : `${months} months`;
    const cells = [name, `${percent}%`, [duration, ...(note === undefined ? [] : [note])].join('. ')];
    return `| ${[...cells, amounts.join(', '), `[${title}](${source}), ${formatLongDate(checked)}`].join(' | ')} |`;
  });
  const head = '| Program | Share of each payment | For how long | One customer in two years | Read in |';
  return [head, '|---|---|---|---|---|', ...rows].join('\n');
}

const NO_OPERATOR = { name: '', address: '', email: '' };

/** The figures of the product that calculators compare with have short names: `price:unlimited`, `trial:days`. */
function listShortNames({ product }: SavingsSettings, now?: number): [string, string][] {
  if (product === undefined) return [];
  const figures = new Map(buildProductFigures(product, now));
  const list = (short: string, name: string): [string, string][] => {
    const figure = figures.get(`${product.key}.${name}`);
    return figure === undefined ? [] : [[short, figure]];
  };
  return [
    ...product.facts.flatMap(({ key }) => {
      const [, group, name] = /^(trial|guarantee)-(.+)$/.exec(key) ?? [];
      return group === undefined ? [] : list(`${group}:${name}`, key);
    }),
    ...product.offers.flatMap(({ key }) => [
      ...list(`plan:${key}`, `${key}.name`),
      ...list(`audience:${key}`, `${key}.audience`),
      ...list(`price:${key}`, key),
      ...list(`price:${key}.year`, `${key}.year`),
      ...list(`subaccounts:${key}`, `${key}.sub-accounts`),
    ]),
  ];
}

/** Who runs the site, as Markdown for the legal pages. */
function describeOperator({ name, address, email }: SiteDetails['operator']): string {
  const parts = [name, ...address.split('\n'), email]
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length === 0)
    return 'No person or company has put a name to this copy of the site yet, so nobody answers for it. The [contact form](/contact) reaches whoever runs it.';
  return `${parts.join(', ')}. You can reach us through the [contact form](/contact).`;
}

/**
 * The bill of separate tools and what one plan leaves of it against `stackPlan`, before usage and with it: the names are in
 * docs/recipes/claim.md. `see price` when the plan's price is too old.
 */
function buildStackFigures(savings: SavingsSettings, now?: number): [string, string][] {
  const { stack, months, stackPlan, stackSizes, stackUsage, product } = savings;
  if (stackPlan === undefined) return [];
  const offer = product?.offers.find(({ key }) => key === stackPlan.key);
  const isHidden = product !== undefined && offer !== undefined && isAged(product, offer, now);
  const show = (text: string) => (isHidden ? SEE_PRICE : text);
  const planCents = stackPlan.monthlyCents;
  const { totalCents, savingCents, usageCents, netCents } = compareStack(savings, planCents);
  const showSaving = (name: string, cents: number): [string, string][] => [
    [`stack:${name}`, show(formatDollars(cents))],
    [`stack:${name}-year`, show(formatDollars(cents * months))],
    [`stack:${name}-percent`, show(`${Math.round((cents / totalCents) * 100)}%`)],
  ];
  return [
    ...stack.map((line): [string, string] => [
      `stack:${line.name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`,
      formatDollars(line.monthlyCents),
    ]),
    ...stack.flatMap(({ monthlyCents, seats }): [string, string][] =>
      seats === undefined
        ? []
        : [
            ['stack:people', String(seats)],
            ['stack:per-seat', formatDollars(Math.round(monthlyCents / seats))],
            ['stack:without-seats', formatDollars(totalCents - monthlyCents)],
          ],
    ),
    ...stackSizes.map((people): [string, string] => [
      `stack:people-${people}`,
      formatDollars(compareStack(savings, planCents, people).totalCents),
    ]),
    ['stack:count', String(stack.length)],
    ['stack:per-tool', formatDollars(Math.round(totalCents / stack.length))],
    ['stack:total', formatDollars(totalCents)],
    ['stack:total-year', formatDollars(totalCents * months)],
    ...showSaving('saving', savingCents),
    ...(stackUsage === undefined
      ? []
      : [
          ['stack:usage', formatDollars(usageCents)] as [string, string],
          ['stack:plan-net', show(formatDollars(planCents + usageCents))] as [string, string],
          ...showSaving('net', netCents),
        ]),
  ];
}

const NAMED = /\{([a-z]+:[a-z0-9.-]+)\}/g;

/** Every figure that a text names, in order. */
export function listNames(text: string): string[] {
  return [...text.matchAll(NAMED)].flatMap(([, name]) => name ?? []);
}

/** Names of the stack's figures that have charges for usage in them, below `stack:`. */
export const STACK_USAGE = /^(usage|plan-net|net(-year)?)$/;

/** Figures past their age, and prices that changed, for what has to stay valid and for what readers are told. */
export interface AgedFigures {
  /** Every figure, with the prices that are too old: texts are checked with these, so that none becomes wrong with time. */
  readonly listed: Figures;
  /** Each charge past its age and each sum with one: as shown and the day on which it was read, by the names that copy gives them. */
  readonly charges: ReadonlyMap<string, { readonly shown: string; readonly day: string }>;
  /** Left out: no price changed. */
  readonly changes?: PriceChanges;
}

/** Finds the charges past their age, and the sums with one, by the names that copy gives them. */
export function findAgedCharges(
  figures: Figures,
  { savings, products, now }: Omit<FigureSources, 'claims'>,
): AgedFigures['charges'] {
  return new Map(
    [...figures].flatMap(([name, shown]) => {
      const [group, key = ''] = name.split(':');
      const isUsage = group === 'stack' && STACK_USAGE.test(key);
      if (group !== 'product' && group !== 'total' && !isUsage) return [];
      const sum = isUsage ? savings.stackUsage?.total : key.replace(/\.rounded$/, '');
      const total = group === 'product' ? undefined : savings.totals[sum ?? ''];
      const named = group === 'product' ? [key] : (total?.lines.flatMap(({ figure }) => figure ?? []) ?? []);
      const aged = named.flatMap((figure) => {
        const amount = findAmount(figure, products, now);
        return amount?.isAged === true && !amount.isPrice ? amount : [];
      });
      // A sum with a price that is too old is not shown.
      if (aged.length === 0 || shown === SEE_PRICE) return [];
      return [[name, { shown, day: findOldestCheck(aged) }] as const];
    }),
  );
}

/**
 * Says of which days the charges past their age are that a page names, once: at the last of its parts that names one, or a sum
 * with one. Empty for all others.
 */
export function describeAgedCharges(parts: readonly unknown[], { charges }: AgedFigures): readonly string[] {
  const found = parts.map((part) => {
    const names = new Set(listTexts(part).flatMap(({ text }) => listNames(text)));
    return [...names].flatMap((name) => (charges.has(name) ? { name, ...charges.get(name) } : []));
  });
  const all = found.flat();
  const rates = all.filter(({ name }) => name.startsWith('product:'));
  const days = [...Map.groupBy(rates, ({ day = '' }) => day)].map(([day, list]) => {
    const shown = AMOUNTS.format(new Set(list.flatMap((one) => one.shown ?? [])));
    return `${formatLongDate(day)} (${shown})`;
  });
  const [first = ''] = all.flatMap(({ day }) => day ?? []).sort();
  // A sum may have older rates than those that are named beside it.
  if (days.length > 0 && rates.every(({ day }) => day !== first))
    days.push(`${formatLongDate(first)} (the oldest in sums)`);
  const note =
    days.length === 0
      ? `The usage rates date from ${formatLongDate(first)} or later`
      : `The usage rates date from ${AMOUNTS.format(days)}`;
  const last = found.findLastIndex((list) => list.length > 0);
  return parts.map((_, index) => (index === last ? `${note}: check them first.` : ''));
}

const AMOUNTS = new Intl.ListFormat('en-US');

/** Keys and list positions (from 0) that lead to a text. */
export type TextPath = readonly (string | number)[];

/**
 * Puts the figures into every text of a content value: `{price:unlimited}` becomes `$297`.
 * `report` gets each name without a figure, and its place; the name then stays in the text.
 */
export function fillFigures<T>(
  content: T,
  figures: Figures,
  report: (name: string, path: TextPath) => void,
): T {
  const fill = (value: unknown, path: TextPath): unknown => {
    if (typeof value === 'string') return value.replace(NAMED, (whole, name) => read(whole, name, path));
    if (Array.isArray(value)) return value.map((part, index) => fill(part, [...path, index]));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, fill(part, [...path, key])]));
  };
  const read = (whole: string, name: string, path: TextPath): string => {
    const figure = figures.get(name);
    if (figure === undefined) report(name, path);
    return figure ?? whole;
  };
  return fill(content, []) as T;
}

/** Lists every text in a content value, at any depth and in order, with the keys and positions that lead to it. */
export function listTexts(
  value: unknown,
  path: TextPath = [],
): readonly { readonly text: string; readonly path: TextPath }[] {
  if (typeof value === 'string') return [{ text: value, path }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    listTexts(part, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

/** Lists the keys of the claims that are marked in the texts of a content value, in order, each once. */
export function listMarkedClaims(content: unknown): readonly string[] {
  const keys = listTexts(content).flatMap(({ text }) =>
    [...text.matchAll(CLAIM_MARK)].flatMap(([, key]) => key ?? []),
  );
  return [...new Set(keys)];
}
