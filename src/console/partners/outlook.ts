import { DAY_MS } from '../../core/clock.ts';
import { buildPayments, type Payment, type ScheduledDue } from '../../core/commissions/ledger/due-date.ts';
import { getLocalDay } from '../../core/commissions/local-time.ts';
import type { Task } from '../../core/console/task.ts';
import { listUsingFiles } from '../../core/pages/content-uses.ts';
import { type CommissionCell, type CommissionDay, STATES } from '../../stores/commission-sums.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import { readWrittenFiles } from '../content/written-files.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { type Column, column, exported, formatAmountCell } from '../reports/columns.ts';
import { formatRoughShare } from '../reports/format.ts';
import { readSelectedSchedule, sumOf } from '../reports/payments.ts';
import { listCreditedNames } from '../reports/period-figures.ts';
import { DEFAULT_QUERY } from '../reports/query.ts';
import { addDays, addMonths } from '../reports/range.ts';
import { listSitePages, readSiteNames } from '../reports/site-pages.ts';

/** Months that are looked at, back and ahead. */
const MONTHS = 12;
/** Of 10 cases, 8 lie within so many standard deviations. */
const MIDDLE_80 = 1.28;
/** With fewer customers, one partner says little about the next. */
export const MIN_CUSTOMERS = 20;
/** Above these shares one partner, source or page is named under what to do. */
export const MAX_SHARES = { partner: 0.6, source: 0.6, page: 0.4 } as const;
/** Of ten readers whose link is gone, so many take the second one: low, middle, high. */
const TAKES_SECOND = [0.2, 0.5, 0.8] as const;

/** An amount with the range in which it lies in 8 of 10 cases; minor units. */
export interface Likely {
  readonly low: number;
  readonly middle: number;
  readonly high: number;
}

const toLikely = (middle: number, error: number): Likely => ({
  low: Math.max(0, Math.round(middle - MIDDLE_80 * error)),
  middle: Math.round(middle),
  high: Math.round(middle + MIDDLE_80 * error),
});

const isMoney = ({ status }: { readonly status: string }) =>
  status === 'approved' || status === 'paid' || status === 'pending';

/** Reads the money of the last 12 months in the currency of the totals, with its days from a month before. */
async function readYear(site: ConsoleSite, currency: string | null) {
  const today = getLocalDay(site.clock.now(), site.settings.TIME_ZONE);
  const year = { ...DEFAULT_QUERY, currency, from: addDays(addMonths(today, -MONTHS), 1), to: today };
  const [{ cells, currency: counted }, days] = await Promise.all([
    site.periods.readCells(year),
    site.periods.readDays({ ...year, from: `${addMonths(today, -MONTHS).slice(0, 7)}-01` }),
  ]);
  const code = counted ?? 'USD';
  return {
    today,
    year,
    currency: code,
    cells: cells.filter((cell) => cell.currency === code && isMoney(cell)),
    days: days.filter(isMoney),
  };
}

/** How the customers of some payments go on: what those of the last full month bring in each of the next months. */
function projectCustomers(days: readonly CommissionDay[], today: string) {
  const months = Map.groupBy(days, ({ day }) => new Date(day * DAY_MS).toISOString().slice(0, 7));
  const list = Array.from({ length: MONTHS }, (_, index) =>
    addMonths(`${today.slice(0, 7)}-01`, index - MONTHS).slice(0, 7),
  );
  const count = (month: string, states: readonly number[]) =>
    sumOf(
      (months.get(month) ?? []).filter(({ state }) => states.includes(state)),
      (day) => day.count,
    );
  const paying: readonly number[] = [STATES.conversion, STATES.payment];
  // Whoever pays in a month and in the next one has stayed.
  const before = sumOf(list.slice(0, -1), (month) => count(month, paying));
  const stayed = sumOf(list.slice(1), (month) => count(month, [STATES.payment]));
  const rate = before === 0 ? 0 : Math.min(1, stayed / before);
  const last = list.at(-1) ?? '';
  const customers = count(last, paying);
  const amount = sumOf(
    (months.get(last) ?? []).filter(({ state }) => paying.includes(state)),
    (day) => day.amount,
  );
  const rateError = before === 0 ? 0 : Math.sqrt((rate * (1 - rate)) / before);
  const begun = months.get(today.slice(0, 7)) ?? [];
  const booked = sumOf(
    begun.filter(({ state }) => state === STATES.payment),
    (day) => day.amount,
  );
  const ahead = Array.from({ length: MONTHS }, (_, index) => {
    // Of the month that has begun, what is booked already is no longer to come.
    const middle = Math.max(0, amount * rate ** (index + 1) - (index === 0 ? booked : 0));
    const relative = Math.hypot(
      (index + 1) * (rate === 0 ? 0 : rateError / rate),
      customers === 0 ? 0 : 1 / Math.sqrt(customers),
    );
    return toLikely(middle, middle * relative);
  });
  const firsts = list
    .slice(-3)
    .flatMap((month) => months.get(month) ?? [])
    .filter(({ state }) => state === STATES.conversion);
  const pace = sumOf(firsts, (day) => day.amount) / 3;
  const found = sumOf(firsts, (day) => day.count);
  // New customers of each month, with their later payments until the end of the 12 months.
  const fresh = sumOf(
    ahead.map((_, index) => index),
    (month) =>
      sumOf(
        Array.from({ length: MONTHS - month }, (_, age) => age),
        (age) => pace * rate ** age,
      ),
  );
  return {
    customers,
    leaving: 1 - rate,
    ahead,
    fresh: toLikely(fresh, found === 0 ? 0 : fresh / Math.sqrt(found)),
  };
}

const addLikely = (all: readonly Likely[]): Likely => {
  const middle = sumOf(all, (one) => one.middle);
  // Months of the same customers go up and down together.
  return { low: sumOf(all, (one) => one.low), middle, high: sumOf(all, (one) => one.high) };
};

/** The shares of the money by one dimension, the largest first. `getName`: null for what belongs to nothing. */
function buildShares(cells: readonly CommissionCell[], getName: (cell: CommissionCell) => string | null) {
  const total = sumOf(cells, ({ amount }) => amount);
  return [...Map.groupBy(cells, (cell) => getName(cell) ?? '')]
    .map(([key, own]) => ({ key, amount: sumOf(own, ({ amount }) => amount) }))
    .sort((one, other) => other.amount - one.amount)
    .map((row) => ({ ...row, share: total === 0 ? 0 : row.amount / total }));
}

const getSource = ({ path }: CommissionCell) =>
  path === null ? null : (listCreditedNames(path, 'source', 'last')[0] ?? null);

/** Shares by partner, page and source; null with too few customers. */
function buildDependence(cells: readonly CommissionCell[]) {
  const customers = sumOf(
    cells.filter(({ state }) => state === STATES.conversion),
    ({ count }) => count,
  );
  return {
    customers,
    partners: buildShares(cells, ({ partner }) => partner),
    pages: buildShares(cells, ({ path }) => path?.page ?? null),
    sources: buildShares(cells, getSource),
  };
}

/** Reads what would be gone without the partner that brings most, or the one that is asked for. */
export async function readDependence(site: ConsoleSite, { parameters }: ViewRequest) {
  const { today, year, currency, cells, days } = await readYear(site, parameters.get('currency'));
  const shares = buildDependence(cells);
  const asked = shares.partners.find(({ key }) => key === parameters.get('partner'));
  const partner = asked ?? shares.partners[0] ?? null;
  const own = days.filter((day) => day.partner === partner?.key && day.currency === currency);
  const outlook = projectCustomers(own, today);
  const recurring = addLikely(outlook.ahead);
  const seconds = await readSeconds(site, year, cells, partner?.key ?? '');
  const second = addLikely(seconds.flatMap(({ second: found }) => found?.brings ?? []));
  return {
    page: 'dependence' as const,
    ...{ ...shares, currency, today, partner, outlook, recurring, seconds, second },
    names: readSiteNames(site),
    /** Without what the second-best partners would bring. */
    lost: {
      low: Math.max(0, outlook.fresh.low + recurring.low - second.high),
      middle: Math.max(0, outlook.fresh.middle + recurring.middle - second.middle),
      high: outlook.fresh.high + recurring.high - second.low,
    },
  };
}

/** The pages with the money that hangs on a partner, and for each the best other partner that it links to. */
async function readSeconds(
  site: ConsoleSite,
  { from, to }: { readonly from: string; readonly to: string },
  cells: readonly CommissionCell[],
  partner: string,
) {
  const { rollups } = site.money;
  const [byPartner, byPage] = await Promise.all([
    rollups.readByKey({ dimension: 'partner', from, to }),
    rollups.readByKey({ dimension: 'page', from, to }),
  ]);
  const clicks = new Map(byPartner.map(({ key, clicks: count }) => [key[0] ?? '', count]));
  const pageClicks = new Map(byPage.map(({ key, clicks: count }) => [key[0] ?? '', count]));
  const money = new Map(buildShares(cells, (cell) => cell.partner).map(({ key, amount }) => [key, amount]));
  const { partners, products } = site.content.read();
  const written = readWrittenFiles(site);
  const files = new Map(listSitePages(site).map((page) => [page.path, page.file]));
  const sold = (key: string) =>
    [...products.values()]
      .filter(({ offers }) => offers.some((offer) => offer.partner === key))
      .map((one) => one.key);
  const total = buildShares(cells, ({ path }) => path?.page ?? null);
  return buildShares(
    cells.filter((cell) => cell.partner === partner && cell.path !== null),
    ({ path }) => path?.page ?? null,
  ).map(({ key, amount }) => {
    const file = files.get(key) ?? '';
    const text = written.filter((one) => one.file === file);
    const isNamed = (other: string) =>
      listUsingFiles('partner', other, text).length > 0 ||
      sold(other).some((product) => listUsingFiles('product', product, text).length > 0);
    // Of the clicks of the page, those that this partner's money stands for.
    const whole = total.find((one) => one.key === key)?.amount ?? amount;
    const moved = whole === 0 ? 0 : ((pageClicks.get(key) ?? 0) * amount) / whole;
    const others = [...partners.keys()].filter((other) => other !== partner && isNamed(other));
    const ranked = others
      .map((other) => ({
        partner: other,
        worth: (money.get(other) ?? 0) / Math.max(1, clicks.get(other) ?? 0),
      }))
      .sort((one, other) => other.worth - one.worth);
    const [low, middle, high] = TAKES_SECOND.map((share) =>
      Math.round((ranked[0]?.worth ?? 0) * moved * share),
    );
    const brings = { low: low ?? 0, middle: middle ?? 0, high: high ?? 0 };
    return {
      page: key,
      file,
      amount,
      second: ranked[0] === undefined ? null : { partner: ranked[0].partner, brings },
    };
  });
}

/** Warns of one partner, page or source that most of the money comes from: once a month. */
export async function listDependenceTasks(site: ConsoleSite): Promise<readonly Task[]> {
  const { cells, today } = await readYear(site, null);
  const { customers, ...shares } = buildDependence(cells);
  if (customers < MIN_CUSTOMERS) return [];
  const names = readSiteNames(site);
  const href = buildConsoleAddress('partners', {}, { rest: ['dependence'] });
  return (['partner', 'source', 'page'] as const).flatMap((kind): Task[] => {
    const [first] = shares[`${kind}s`].filter(({ key }) => key !== '');
    if (first === undefined || first.share <= MAX_SHARES[kind]) return [];
    const name = kind === 'source' ? first.key : (names[`${kind}s`].get(first.key) ?? first.key);
    return [
      {
        ...{
          key: `dependence:${kind}:${first.key}:${today.slice(0, 7)}`,
          kind: 'dependence',
          amount: null,
          currency: null,
          href,
        },
        text: `${formatRoughShare(first.share)} of your money comes from one ${kind}: ${name}.`,
        detail: 'See what would be gone without it, and what the second-best would bring.',
      },
    ];
  });
}

/** What is expected in one month, by where it comes from; minor units. */
export type ExpectedMonth = Awaited<ReturnType<typeof readExpected>>['rows'][number];

/** Reads what is expected to be paid in each of the next 12 months. */
export async function readExpected(site: ConsoleSite, { query }: { readonly query: ViewRequest['query'] }) {
  const { today, currency, days, year } = await readYear(site, query.currency);
  const scheduled = await readSelectedSchedule(site, { ...query, filters: [], currency: null });
  const counted = scheduled.map((due) => ({ ...due, reversedAmount: 0 }));
  const converted = await site.periods.convert(query, counted, ({ programDay }) => programDay);
  const payments = buildPayments(converted).filter(
    (one) => one.currency === currency && one.state !== 'paid',
  );
  const due = payments.filter(({ state, day }) => state === 'due' && day !== null);
  const own = days.filter((day) => day.currency === currency);
  const customers = [...Map.groupBy(own, ({ partner }) => partner).values()].map((one) =>
    projectCustomers(one, today),
  );
  const arriving = await readArriving(site, { ...year, currency: query.currency }, currency);
  const lag = findLag(converted);
  const rows = Array.from({ length: MONTHS }, (_, index) => {
    const month = addMonths(`${today.slice(0, 7)}-01`, index).slice(0, 7);
    // What is due and a few days late is expected now.
    const own = due.filter(({ day }) => ((day ?? '') < today ? index === 0 : day?.startsWith(month)));
    const later = customers.flatMap(({ ahead }) => ahead[index - lag] ?? []);
    return { month, currency, ...buildMonth(own, later, arriving[index - lag]) };
  });
  const open = (states: readonly string[]) => {
    const some = payments.filter(({ state }) => states.includes(state));
    return sumOf(some, ({ approved, pending }) => approved + pending);
  };
  return {
    ...{ rows, currency, today },
    overdue: open(['payment overdue', 'approval overdue']),
    undated: open(['no date', 'carried over', 'not confirmed']),
  };
}

/** How many months after its booking money is paid on average: what is booked later is paid as late. */
function findLag(scheduled: readonly ScheduledDue[]): number {
  const timed = scheduled.flatMap(({ day, programDay, count }) =>
    day === null ? [] : [{ count, wait: count * (Date.parse(day) / DAY_MS - programDay) }],
  );
  const count = Math.max(
    1,
    sumOf(timed, (one) => one.count),
  );
  return Math.max(0, Math.round(sumOf(timed, ({ wait }) => wait) / count / 30));
}

/** Sums one month. The range is that of the sum: what is due is certain, the other parts vary by themselves. */
function buildMonth(
  due: readonly Payment[],
  later: readonly Likely[],
  { middle: clicks, variance } = { middle: 0, variance: 0 },
) {
  const pendingVariance = sumOf(due, ({ pending, expected, approved, count }) => {
    const rate = pending === 0 ? 1 : (expected - approved) / pending;
    return (rate * (1 - rate) * pending ** 2) / Math.max(1, count);
  });
  const laterVariance = sumOf(later, ({ low, high }) => ((high - low) / 2 / MIDDLE_80) ** 2);
  const cells = {
    due: sumOf(due, ({ approved }) => approved),
    pending: sumOf(due, ({ expected, approved }) => expected - approved),
    later: sumOf(later, ({ middle }) => middle),
    clicks,
  };
  const all = cells.due + cells.pending + cells.later + cells.clicks;
  return { ...cells, ...toLikely(all, Math.sqrt(pendingVariance + laterVariance + variance)) };
}

/** What clicks that were already made are still likely to bring, in each of the next months. */
async function readArriving(
  site: ConsoleSite,
  query: Parameters<ConsoleSite['periods']['readPeriod']>[0],
  currency: string,
) {
  const period = await site.periods.readPeriod({ ...query, clock: 'click' });
  const shares = period.curve?.shares;
  const groups = await period.counts.readMatureClicks('partner');
  const clicks = sumOf(groups, (one) => one.clicks);
  const mature = sumOf(groups, (one) => one.matureClicks);
  const own = period.selection.cells.filter(
    (cell) => cell.currency === currency && cell.state === STATES.conversion && isMoney(cell),
  );
  const customers = sumOf(own, ({ count }) => count);
  if (shares === undefined || mature === 0 || customers === 0) return [];
  const left = (sumOf(own, ({ amount }) => amount) / mature) * (clicks - mature);
  const parts = Array.from(
    { length: MONTHS },
    (_, month) => (shares[4 * (month + 1)] ?? 1) - (shares[4 * month] ?? 1),
  );
  const whole = sumOf(parts, (part) => part);
  return parts.map((part) => {
    const middle = whole === 0 ? 0 : Math.round((left * part) / whole);
    return { middle, variance: middle ** 2 / customers + (middle * left) / customers };
  });
}

const amountColumn = (
  key: 'due' | 'pending' | 'later' | 'clicks' | 'middle' | 'low' | 'high',
  name: string,
) =>
  column<ExpectedMonth>(key, name, (row) => formatAmountCell(row[key], row.currency), {
    ...{ isNumeric: true, figure: (row: ExpectedMonth) => row[key], format: 'money' as const },
    currency: (row) => row.currency,
  });

export const EXPECTED_COLUMNS: readonly Column<ExpectedMonth>[] = [
  column('month', 'Month', ({ month }) => month),
  exported('currency', ({ currency }) => currency),
  amountColumn('due', 'Due'),
  amountColumn('pending', 'If approved'),
  amountColumn('later', 'Known customers'),
  amountColumn('clicks', 'Clicks already made'),
  { ...amountColumn('middle', 'Likely'), onPhone: 'lead' },
  amountColumn('low', 'Low'),
  amountColumn('high', 'High'),
];
