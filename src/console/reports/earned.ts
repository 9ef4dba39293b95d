import { getBookedAmount } from '../../core/commissions/credit/commission-report.ts';
import { sumLabels } from '../../core/commissions/credit/labels.ts';
import { getArrivedShare, getClickValue, MIN_CLICKS } from '../../core/commissions/earned.ts';
import { buildPageName } from '../../core/events/site-path.ts';
import { getPageSite } from '../../core/outbound/beside.schema.ts';
import { type CommissionCell, STATES, type SummedCommissions } from '../../stores/commission-sums.ts';
import { type Column, column, exported, formatAmountCell, getSort, sortRows } from './columns.ts';
import { getCreditedName } from './period-figures.ts';
import type { CountedDimension, MoneyPeriod, PeriodCounts, PeriodReader } from './periods.ts';
import type { ConsoleFilter, ConsoleQuery, ConsoleSort } from './query.ts';
import { passesValues } from './select-entries.ts';

/** Money of one currency in minor units. */
export interface Money {
  readonly currency: string;
  readonly amount: number;
}

/** What some clicks earned, counted on the day of the click; amounts in minor units of the currency of the totals. */
export interface Earned {
  /** Confirmed and pending. */
  readonly earned: number;
  /** Approved and paid. */
  readonly confirmed: number;
  readonly pending: number;
  /** What was taken back: it is in no other figure. */
  readonly reversed: number;
  /** First payments of clicks, and the later ones of the same customers. */
  readonly customers: number;
  readonly payments: number;
  /** Commissions that are worth something. */
  readonly count: number;
  /** What cannot be converted into the currency of the totals. */
  readonly others: readonly Money[];
}

/** A row of a table of what was earned: every figure is about the same clicks. */
export interface EarnedRow extends Earned {
  readonly key: string;
  readonly currency: string;
  /** Views of a page, or visits of a source or campaign; null where they are not counted. */
  readonly views: number | null;
  readonly clicks: number | null;
  /** Earned divided by clicks, in whole minor units; null below 50 clicks, and where a part has no click. */
  readonly click: number | null;
}

/** A table of what was earned. The rows, `byLabel` and `noClick` sum to `total`. */
export type EarnedTable = Awaited<ReturnType<typeof readEarned>>;

type Sum = { -readonly [Name in Exclude<keyof Earned, 'others' | 'earned'>]: number } & {
  readonly others: Map<string, number>;
};

const newSum = (): Sum => ({
  confirmed: 0,
  pending: 0,
  reversed: 0,
  customers: 0,
  payments: 0,
  count: 0,
  others: new Map(),
});

function addCell(
  sum: Sum,
  { status, amount, reversedAmount, state, count, currency }: SummedCommissions,
  main: string,
) {
  if (state === STATES.conversion) sum.customers += count;
  if (state === STATES.payment) sum.payments += count;
  const isEarned = status !== 'reversed' && status !== 'unknown';
  if (isEarned && amount !== 0) sum.count += count;
  if (currency !== main) {
    if (isEarned && amount !== 0) sum.others.set(currency, (sum.others.get(currency) ?? 0) + amount);
    return;
  }
  sum.reversed += reversedAmount;
  if (status === 'pending') sum.pending += amount;
  else if (isEarned) sum.confirmed += amount;
}

const finish = ({ others, ...sum }: Sum): Earned => ({
  ...sum,
  earned: sum.confirmed + sum.pending,
  others: [...others].map(([currency, amount]) => ({ currency, amount })),
});

/** Sums commissions of all currencies by a key; those without one are left out. `main`: the currency of the totals. */
export function sumEarned<Cell extends SummedCommissions>(
  cells: readonly Cell[],
  main: string,
  getKey: (cell: Cell) => string | null,
): ReadonlyMap<string, Earned> {
  const sums = new Map<string, Sum>();
  for (const cell of cells) {
    const key = getKey(cell);
    if (key === null) continue;
    const sum = sums.get(key) ?? newSum();
    sums.set(key, sum);
    addCell(sum, cell, main);
  }
  return new Map([...sums].map(([key, sum]) => [key, finish(sum)]));
}

export const NOTHING_EARNED: Earned = finish(newSum());

/** Adds up what was earned. */
export function addEarned(all: readonly Earned[]): Earned {
  const add = (name: Exclude<keyof Earned, 'others'>) => all.reduce((sum, own) => sum + own[name], 0);
  const others = new Map<string, number>();
  for (const { currency, amount } of all.flatMap((own) => own.others))
    others.set(currency, (others.get(currency) ?? 0) + amount);
  return {
    earned: add('earned'),
    confirmed: add('confirmed'),
    pending: add('pending'),
    reversed: add('reversed'),
    customers: add('customers'),
    payments: add('payments'),
    count: add('count'),
    others: [...others].map(([currency, amount]) => ({ currency, amount })),
  };
}

/** What can have earned. */
export type EarnedDimension = CountedDimension;

/**
 * Reads what each page, place, source, campaign or partner earned by the clicks of a query's days. Money that a network reports
 * by an id of its own belongs to the page that the id names. `shared`: as of `PeriodCounts`. Rejects with `LedgerError` or `EventStoreError`.
 */
export async function readEarned(
  periods: PeriodReader,
  query: ConsoleQuery,
  by: EarnedDimension,
  shared: PeriodCounts | null = null,
) {
  const period = await periods.readPeriod(query, shared);
  const { currency, counts } = period;
  const [{ cells }, counted, mature] = await Promise.all([
    periods.readCells(query),
    counts.readCounts(by),
    counts.readMatureClicks(by),
  ]);
  const getKey = ({ path, partner, state }: CommissionCell) => {
    if (by === 'partner') return state === STATES.unmatched ? null : partner;
    return path === null ? null : getCreditedName(path, by, query.model);
  };
  const clicked = sumEarned(
    cells.filter(({ state }) => state !== STATES.labelled),
    currency,
    getKey,
  );
  const labelled = cells.filter(({ state }) => state === STATES.labelled);
  const labels =
    by === 'page'
      ? await readLabelledPages(periods, period, [...(counted?.keys() ?? []), ...clicked.keys()])
      : by === 'partner'
        ? sumEarned(labelled, currency, getKey)
        : new Map<string, Earned>();
  const byLabel =
    by === 'page' || by === 'partner'
      ? NOTHING_EARNED
      : (sumEarned(labelled, currency, () => '').get('') ?? NOTHING_EARNED);
  // A row without money may have a part of what cannot be divided among rows.
  const isDivided = [
    byLabel,
    ...[...labels].flatMap(([key, sum]) => (key.startsWith(GROUP) ? [sum] : [])),
  ].every(({ earned, others }) => earned === 0 && others.length === 0);
  const keys = new Set([...clicked.keys(), ...(counted?.keys() ?? []), ...labels.keys()]);
  const rows = [...keys].map((key): EarnedRow => {
    const [own = NOTHING_EARNED, label = NOTHING_EARNED] = [clicked.get(key), labels.get(key)];
    const { views = 0, sessions = 0, clicks = 0 } = counted?.get(key) ?? {};
    const sum = addEarned([own, label]);
    const isPartial = sum.earned === 0 ? !isDivided : own.earned !== 0 && label.earned !== 0;
    return {
      key,
      currency,
      ...sum,
      views: counted === null ? null : by === 'campaign' ? sessions : views,
      clicks: counted === null ? null : clicks,
      click: isPartial || sum.others.length > 0 ? null : getClickValue(sum.earned, counted && clicks),
    };
  });
  const noClick =
    sumEarned(
      cells.filter(({ state }) => state === STATES.unmatched),
      currency,
      () => '',
    ).get('') ?? NOTHING_EARNED;
  const clicks = mature.reduce((sum, own) => sum + own.clicks, 0);
  const arrived = mature.reduce((sum, own) => sum + own.matureClicks, 0);
  return {
    currency,
    /** The most money first. */
    rows: rows.sort(compareEarned),
    /** Money whose page is known by an id of the network, where the table is not by page. */
    byLabel,
    /** Money without a known click, on the day it was reported: the same in every table. */
    noClick,
    total: sumRows(rows, currency, [byLabel, noClick]),
    /** The share of the money of these clicks that has usually arrived. */
    arrived: getArrivedShare(clicks, arrived, period.curve),
    period,
  };
}

/** Sums rows, with money that no row has. */
export function sumRows(
  rows: readonly EarnedRow[],
  currency: string,
  more: readonly Earned[] = [],
): EarnedRow {
  const count = (name: 'views' | 'clicks') =>
    rows.some((row) => row[name] === null) ? null : rows.reduce((sum, row) => sum + (row[name] ?? 0), 0);
  const [views, clicks, sum] = [count('views'), count('clicks'), addEarned([...rows, ...more])];
  const isPartial = rows.some((row) => row.click === null && (row.clicks ?? 0) >= MIN_CLICKS);
  const click = isPartial || sum.others.length > 0 ? null : getClickValue(sum.earned, clicks);
  return { key: 'total', currency, ...sum, views, clicks, click };
}

/** Money by ids of networks, by page; what stays with a group of pages has the name of the group. */
async function readLabelledPages(
  periods: PeriodReader,
  period: MoneyPeriod,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Earned>> {
  const { query } = period;
  const isOfPage = ({ dimension }: ConsoleFilter) => dimension === 'page' || dimension === 'site';
  const whole = { ...query, filters: query.filters.filter((filter) => !isOfPage(filter)) };
  const { cells } = await periods.readCells(whole);
  if (cells.every(({ state }) => state !== STATES.labelled)) return new Map();
  const entries = await periods.readLabelled(period, whole);
  const sums = new Map<string, Sum>();
  const known = new Map(keys.map((key) => [buildPageName(key), key]));
  const parts = Map.groupBy(
    entries,
    ({ commission: { status, currency } }) => `${status === 'pending' ? 'pending' : 'confirmed'} ${currency}`,
  );
  for (const [part, own] of parts) {
    const [state = '', currency = ''] = part.split(' ');
    const { pages, groups } = sumLabels(own, ({ commission }) => getBookedAmount(commission));
    const add = (key: string, amount: number) => {
      if (amount === 0) return;
      const sum = sums.get(key) ?? newSum();
      sums.set(key, sum);
      if (currency !== period.currency) sum.others.set(currency, (sum.others.get(currency) ?? 0) + amount);
      else if (state === 'pending') sum.pending += amount;
      else sum.confirmed += amount;
    };
    for (const [page, money] of pages)
      add(known.get(buildPageName(page)) ?? page, money.byLabel + money.byShare);
    for (const { name, label, inGroup } of groups)
      add(`${GROUP}${name === '' ? label : `${name} (${label})`}`, inGroup);
  }
  const filters = query.filters.filter(isOfPage);
  const shown = [...sums].filter(([key]) =>
    passesValues(
      filters,
      ({ dimension, value }) => value === (dimension === 'page' ? key : getPageSite(key)),
    ),
  );
  return new Map(shown.map(([key, sum]) => [key, finish(sum)]));
}

/** Before the name of a group of pages whose money cannot be divided among them. */
export const GROUP = 'group ';

/** The most money first, then the most clicks and views. */
export const compareEarned = (one: EarnedRow, other: EarnedRow) =>
  other.earned - one.earned ||
  (other.others[0]?.amount ?? 0) - (one.others[0]?.amount ?? 0) ||
  (other.clicks ?? 0) - (one.clicks ?? 0) ||
  (other.views ?? 0) - (one.views ?? 0) ||
  (one.key < other.key ? -1 : 1);

const figure = (
  key: string,
  name: string,
  get: (row: EarnedRow) => number | null,
  format: 'count' | 'money' | 'price' = 'count',
): Column<EarnedRow> =>
  column(key, name, (row) => (format === 'count' ? get(row) : formatAmountCell(get(row), row.currency)), {
    sort: get,
    figure: get,
    isNumeric: true,
    format,
    currency: ({ currency }) => currency,
  });

/** The columns of a table of what was earned. `name`: what its rows are; `views`: what else is counted of them. */
export const buildEarnedColumns = (
  name: string,
  views: 'Views' | 'Visits' | null,
): readonly Column<EarnedRow>[] => [
  column('name', name, ({ key }) => key, { exportName: name.toLowerCase() }),
  { ...figure('earned', 'Earned', ({ earned }) => earned, 'money'), onPhone: 'lead' },
  { ...figure('confirmed', 'Confirmed', ({ confirmed }) => confirmed, 'money'), isShown: false },
  { ...figure('pending', 'Pending', ({ pending }) => pending, 'money'), isShown: false },
  { ...figure('reversed', 'Reversed', ({ reversed }) => reversed, 'money'), isShown: false },
  exported('currency', ({ currency }) => currency),
  ...(views === null ? [] : [figure(views.toLowerCase(), views, (row) => row.views)]),
  figure('clicks', 'Clicks', ({ clicks }) => clicks),
  { ...figure('click', 'A click', ({ click }) => click, 'price'), exportName: 'a_click' },
  figure('customers', 'Customers', ({ customers }) => customers),
];

/** Sorts rows by the column that an address names, by money unless it names one. */
export function sortEarned<Row extends EarnedRow>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  asked: ConsoleSort | null,
) {
  const sort = getSort(asked, columns, 'earned');
  return { sort, rows: sortRows(rows, columns, sort, compareEarned) };
}
