import { getLocalDay } from '../../core/commissions/local-time.ts';
import { getBooked } from '../../core/commissions/metric-definitions.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import {
  type BreakdownRow,
  type RankedPage,
  readBookedMoney,
  readBreakdown,
  readPageRanking,
  readPlacementRows,
  sortBreakdown,
} from '../reports/breakdown.ts';
import {
  APPROVED,
  CLICKS,
  type Column,
  CURRENCY,
  exported,
  PAID,
  PENDING,
  REVERSED,
} from '../reports/columns.ts';
import { readComparison } from '../reports/comparison.ts';
import { readPaymentOutlook, sumOf } from '../reports/payments.ts';
import {
  buildMoneySeries,
  buildPeriodFigures,
  getBucketUnit,
  getImmatureShare,
  type MoneyBucket,
  type PeriodFigures,
} from '../reports/period-figures.ts';
import type { MoneyPeriod } from '../reports/periods.ts';
import type { ConsoleQuery } from '../reports/query.ts';
import { buildCommissionRow, type CommissionRow } from '../reports/select-entries.ts';
import { listArticleChanges } from '../reports/site-pages.ts';
import { readSourceChanges } from '../sources/changes.ts';
import { readSteps } from '../start/steps.ts';

/** Finds the page that earned most, with its share of the money of the period, also of what found no click. */
function findBestPage(pages: readonly RankedPage[], figures: PeriodFigures) {
  const best = pages.reduce<RankedPage | null>(
    (one, other) => (one === null || getBooked(other) > getBooked(one) ? other : one),
    null,
  );
  const sum = getBooked(figures);
  if (best === null || getBooked(best) <= 0 || sum <= 0) return null;
  return { page: best, share: Math.min(1, getBooked(best) / sum) };
}

const MAX_ROWS = 5;
const MAX_LATEST = 6;
const MAX_READ = 100;
const MAX_ANNOTATIONS = 4;

/** Columns of the exported bars. */
export const BUCKET_COLUMNS: readonly Column<
  MoneyBucket & { readonly currency: string; readonly clock: ConsoleQuery['clock'] }
>[] = [
  exported('from', ({ from }) => from),
  exported('to', ({ to }) => to),
  exported('clock', ({ clock }) => clock),
  CURRENCY,
  APPROVED,
  PAID,
  PENDING,
  REVERSED,
  CLICKS,
  exported('maturity', ({ maturity }) => Number(maturity.toFixed(3))),
];

/** Reads what earned and what will earn. Amounts are minor units of `currency`. */
export async function readOverview(site: ConsoleSite, { query }: ViewRequest) {
  const now = site.clock.now();
  const period = await site.periods.readPeriod({ ...query, sort: null });
  const clicksByDay = await site.periods.readClicksByDay(period.query);
  const buckets = await readBuckets(site, period, clicksByDay);
  const [compared, ranking, places, campaigns, payments] = await Promise.all([
    readComparison(site, period, clicksByDay),
    readPageRanking(site, period),
    readPlacementRows(site, period),
    readBreakdown(site.periods, period, 'campaign'),
    readPaymentOutlook(site, query),
  ]);
  const byClick = await site.periods.selectByClick(period);
  const clicks = sumClicks(buckets);
  // A test message is no commission.
  const { booking } = await site.money.commissions.table.readTimes(true);
  // Money by booking day is not that of the clicks of the same days.
  const { epc } = buildPeriodFigures(byClick.selection.getMoney(), clicks);
  const figures = { ...buildPeriodFigures(period.selection.getMoney(), clicks), epc };
  const pages = [...ranking.known, ...ranking.unknown];
  return {
    currency: period.currency,
    figures,
    booked: await readBookedMoney(site, period),
    /** How the figures differ from an earlier period; null without a comparison. */
    compared,
    /** What a click of each bar has earned so far, minor units. */
    epcs: (await readBuckets(site, byClick, clicksByDay)).map((bucket) =>
      bucket.clicks ? getBooked(bucket) / bucket.clicks : 0,
    ),
    unit: getBucketUnit(query),
    buckets,
    /** Share of the money of the immature bars that has usually arrived; null without immature bars. */
    immatureShare: getImmatureShare(buckets),
    annotations: listArticleChanges(site, query.from, query.to).slice(-MAX_ANNOTATIONS),
    pages: ranking.known.slice(0, MAX_ROWS),
    /** How many pages have clicks or money. */
    pageCount: pages.filter(isActive).length,
    unknownPages: ranking.unknown.filter(isActive).slice(0, 3),
    best: findBestPage(pages, figures),
    maxEpc: ranking.maxEpc,
    placements: sortBreakdown(places.filter(isActive), BY_MONEY).slice(0, MAX_ROWS),
    campaigns: sortBreakdown(campaigns.filter(isActive), BY_MONEY).slice(0, MAX_ROWS),
    latest: await readLatest(site, period),
    /** Sources that are new or have changed for real. */
    sourceChanges: await readSourceChanges(site, query),
    /** What was paid lately and will be paid soon, whatever the period. */
    payments,
    today: getLocalDay(now, site.settings.TIME_ZONE),
    /** Null once there is a commission. */
    beginning: booking[0] !== null ? null : await readBeginning(site, period, pages),
    /** The clock of the money, and the zone of its days. */
    clock: query.clock,
    timeZone: site.settings.TIME_ZONE,
    now,
  };
}

/** Reads the bars of the chart, whole. */
export async function readMoneyBuckets(site: ConsoleSite, { query }: ViewRequest) {
  const period = await site.periods.readPeriod(query);
  const buckets = await readBuckets(site, period, await site.periods.readClicksByDay(query));
  const { currency } = period;
  return { rows: buckets.map((bucket) => ({ ...bucket, currency, clock: query.clock })) };
}

async function readBuckets(
  { settings, clock, periods }: ConsoleSite,
  { query, curve }: MoneyPeriod,
  clicksByDay: ReadonlyMap<string, number> | null,
): Promise<readonly MoneyBucket[]> {
  const days = await periods.readDays(query);
  const time = { timeZone: settings.TIME_ZONE, now: clock.now() };
  return buildMoneySeries({ query, days, clicksByDay, curve, ...time });
}

/** What there is to see before the first commission: visits, the source of most clicks, the best page, and the next step. */
async function readBeginning(site: ConsoleSite, period: MoneyPeriod, pages: readonly RankedPage[]) {
  const [counts, steps] = await Promise.all([
    period.counts.readCounts('source'),
    readSetup(site, period.query),
  ]);
  const rows = [...(counts ?? [])].map(([name, { views: visits, clicks }]) => ({ name, visits, clicks }));
  return {
    steps,
    /** Null where visits cannot be counted for the filters. */
    visits: counts === null ? null : sumOf(rows, ({ visits }) => visits),
    source: findBest(rows, ({ clicks, visits }) => [clicks, visits]),
    page: findBest(pages, ({ clicks, views }) => [clicks ?? 0, views ?? 0]),
  };
}

/** The row with the most clicks, of those with equally many the one with the most views; null while there is neither. */
function findBest<Row>(
  rows: readonly Row[],
  getCounts: (row: Row) => readonly [clicks: number, views: number],
): Row | null {
  const [best] = rows
    .map((row) => ({ row, counts: getCounts(row) }))
    .filter(({ counts: [clicks, views] }) => clicks + views > 0)
    .sort((one, other) => other.counts[0] - one.counts[0] || other.counts[1] - one.counts[1]);
  return best?.row ?? null;
}

/** Reads the steps with the clicks of all time. */
async function readSetup(site: ConsoleSite, query: ConsoleQuery) {
  const ever = { from: '2000-01-01', to: '2099-12-31', filters: [] };
  return readSteps(site, sumDays(await site.periods.readClicksByDay({ ...query, ...ever })) ?? 0);
}

const BY_MONEY = { column: 'expected', isDescending: true } as const;

const isActive = (row: BreakdownRow) => (row.clicks ?? 0) > 0 || getBooked(row) + row.reversed !== 0;

function sumDays(clicksByDay: ReadonlyMap<string, number> | null): number | null {
  return clicksByDay === null ? null : [...clicksByDay.values()].reduce((sum, clicks) => sum + clicks, 0);
}

/** Null where clicks cannot be counted for the filters; then no bar has any. */
function sumClicks(buckets: readonly MoneyBucket[]): number | null {
  return buckets.reduce<number | null>(
    (sum, { clicks }) => (sum === null || clicks === null ? null : sum + clicks),
    0,
  );
}

/** The newest commissions by booking. Of the newest ones, some may be in another currency than the totals. */
async function readLatest(
  { periods }: ConsoleSite,
  { query, currency }: MoneyPeriod,
): Promise<readonly CommissionRow[]> {
  const order = { by: 'booked', isDescending: true, limit: MAX_READ, offset: 0 } as const;
  const entries = await periods.readEntries(query, { isCounted: true }, order);
  const own = entries.filter(({ commission }) => commission.currency === currency);
  return own.slice(0, MAX_LATEST).map(buildCommissionRow);
}
