import { DAY_MS } from '../../core/clock.ts';
import { CAMPAIGN_MODELS } from '../../core/commissions/credit/credit.ts';
import { getLocalDay } from '../../core/commissions/local-time.ts';
import { getBooked, getEpc, getRpm, type MoneyTotals } from '../../core/commissions/metric-definitions.ts';
import { buildInputs, rankMatureClicks } from '../../core/commissions/ranges/build-ranking.ts';
import {
  type EarnedClicks,
  estimateEarnings,
  type KnownWeek,
  predictComing,
  type Ranked,
} from '../../core/commissions/ranges/rank-by-earnings.ts';
import { buildPageName } from '../../core/events/site-path.ts';
import type { ConsoleSite } from '../console-site.ts';
import {
  APPROVED,
  CLICKS,
  CONVERSIONS,
  type Column,
  CURRENCY,
  column,
  EPC,
  exported,
  formatAmountCell,
  getSort,
  metric,
  money,
  PAGE_VIEWS,
  PAID,
  PAYMENTS,
  PENDING,
  REVERSED,
  sortRows,
} from './columns.ts';
import {
  type CreditDimension,
  type CreditedMoney,
  getCreditedName,
  NO_CREDIT,
  sumMoney,
} from './period-figures.ts';
import {
  type CountedDimension,
  dropFilters,
  type MoneyPeriod,
  type PeriodReader,
  type ValueCounts,
} from './periods.ts';
import type { ConsoleQuery, ConsoleSort } from './query.ts';
import { countDays } from './range.ts';
import { readSiteNames } from './site-pages.ts';

/** What one page, placement, campaign or source earned; amounts in minor units of one currency. */
export interface BreakdownRow extends MoneyTotals {
  readonly key: string;
  readonly currency: string;
  /** Null where they cannot be counted for the filters. */
  readonly views: number | null;
  readonly clicks: number | null;
  readonly conversions: number;
  readonly payments: number;
  readonly expected: number;
  /** Clicks by page view, from 0; null without views. */
  readonly clickRate: number | null;
  /** What a click of the period has earned so far, whichever clock the money is by; null without clicks. */
  readonly epc: number | null;
  readonly rpm: number | null;
  /** What a click is expected to earn, and how sure that is; null where clicks are not counted. */
  readonly ranked: Ranked | null;
}

/** What a breakdown is built from. */
export interface BreakdownInput {
  readonly currency: string;
  /** The money of commissions that were selected and count, by the names under which credit is given. */
  readonly money: ReadonlyMap<string, CreditedMoney>;
  /** The money of the clicks of the period: the same one by click day. */
  readonly earned: ReadonlyMap<string, CreditedMoney>;
  /** Null where they cannot be counted for the filters. */
  readonly counts: ReadonlyMap<string, ValueCounts> | null;
  readonly ranking: ReadonlyMap<string, Ranked>;
}

/** Builds a row for every value that has clicks, views or money. */
export function buildBreakdown(input: BreakdownInput): readonly BreakdownRow[] {
  const { currency, money, earned, counts, ranking } = input;
  return [...new Set([...money.keys(), ...(counts?.keys() ?? [])])].map((key) => {
    const { expected, conversions, payments, ...totals } = money.get(key) ?? NO_CREDIT;
    const views = counts === null ? null : (counts.get(key)?.views ?? 0);
    const clicks = counts === null ? null : (counts.get(key)?.clicks ?? 0);
    return {
      key,
      currency,
      ...totals,
      views,
      clicks,
      conversions,
      payments,
      expected,
      clickRate: views === null || clicks === null || views === 0 ? null : clicks / views,
      epc: clicks === null ? null : getEpc(earned.get(key) ?? NO_CREDIT, clicks),
      rpm: views === null ? null : getRpm(totals, views),
      ranked: ranking.get(key) ?? null,
    };
  });
}

/**
 * What 1,000 views bring in the end, in 8 of 10 cases, in minor units; null where that is not known. `isAlone`: what they have
 * brought so far is not shown beside it, as of a page that is not known well, or where it lies outside.
 */
export function getRangeOfViews({ rpm, ranked, views, clicks }: BreakdownRow) {
  const range = ranked?.isKnown === false ? ranked.range : ranked;
  if (!range || rpm === null || !views || !clicks) return null;
  const [low, high] = [range.low, range.high].map((end) => (end * clicks * 1_000) / views) as [
    number,
    number,
  ];
  return { low, high, isAlone: ranked?.isKnown === false || rpm < low || rpm > high };
}

/** The key of the row that sums all others. */
export const TOTAL_KEY = 'total';

/**
 * The sum of all rows of a breakdown, and the money of the period that no row has because its click is not known: by an id of a
 * network, or not at all.
 */
export function readTotal(
  rows: readonly BreakdownRow[],
  { currency, selection }: MoneyPeriod,
  isPage = false,
) {
  const { unmatched, labelled } = selection.getMoney();
  return { sum: sumBreakdown(rows, { currency, isPage }), unmatched, labelled };
}

/**
 * Sums the rows of a breakdown. Rows of one page have its views each, so that views are summed where `isPage` only; null
 * where they, or clicks, are not counted.
 */
function sumBreakdown(
  rows: readonly BreakdownRow[],
  { currency, isPage }: { readonly currency: string; readonly isPage: boolean },
): BreakdownRow {
  const sum = (get: (row: BreakdownRow) => number) => rows.reduce((all, row) => all + get(row), 0);
  const areCounted = rows.every(({ clicks }) => clicks !== null);
  const views = areCounted && isPage ? sum((row) => row.views ?? 0) : null;
  const clicks = areCounted ? sum((row) => row.clicks ?? 0) : null;
  const money = sumMoney(rows);
  const isPartial = rows.some(({ epc, clicks: own }) => epc === null && own !== null && own > 0);
  return {
    key: TOTAL_KEY,
    currency,
    views,
    clicks,
    ...money,
    clickRate: views && clicks !== null ? clicks / views : null,
    epc: clicks && !isPartial ? sum(({ epc, clicks: own }) => (epc ?? 0) * (own ?? 0)) / clicks : null,
    rpm: views === null || isPartial ? null : getRpm(money, views),
    ranked: null,
  };
}

/** What a click has earned so far and is expected to earn; amounts in minor units. */
interface EarningRow {
  readonly epc: number | null;
  readonly ranked: Ranked | null;
  readonly currency: string | null;
}

const getKnown = ({ ranked }: EarningRow) => (ranked?.isKnown === true ? ranked : null);

/** Columns of earnings per click: so far, and as they are expected to be with the range of that figure. */
export const EPC_COLUMNS: readonly Column<EarningRow>[] = [
  EPC,
  // Certain earnings first: what a click earns in nine of ten cases at least.
  metric('epcExpected', 'Per click in the end', (row) => getKnown(row)?.low ?? null, {
    key: 'certain',
    exportName: null,
    onPhone: 'lead',
  }),
  exported('epc_expected', (row) => formatAmountCell(getKnown(row)?.mean ?? null, row.currency)),
  exported('epc_low', (row) => formatAmountCell(getKnown(row)?.low ?? null, row.currency)),
  exported('epc_high', (row) => formatAmountCell(getKnown(row)?.high ?? null, row.currency)),
  exported('is_ranked', (row) => (getKnown(row) === null ? 'no' : 'yes')),
  exported('clicks_needed', ({ ranked }) => ranked?.clicksNeeded ?? null),
];

/** Columns of pages, placements and campaigns after their names, in the order of exports. */
export const BREAKDOWN_COLUMNS: readonly Column<BreakdownRow>[] = [
  PAGE_VIEWS,
  CLICKS,
  metric('clickRate', 'Click rate', ({ clickRate }) => clickRate, {
    exportName: 'click_rate',
    text: ({ clickRate }) => (clickRate === null ? null : Number(clickRate.toFixed(4))),
    format: 'share',
  }),
  { ...CONVERSIONS, name: 'Customers' },
  { ...PAYMENTS, isShown: false },
  CURRENCY,
  ...EPC_COLUMNS,
  money('rpm', 'For 1,000 views', ({ rpm }) => rpm, { format: 'price' }),
  APPROVED,
  PAID,
  PENDING,
  money('expected', 'Expected', ({ expected }) => expected),
  REVERSED,
];

/** The column that names the rows of a breakdown, which are sorted by their keys. */
export const nameColumn = <Row extends BreakdownRow>(name: string): Column<Row> =>
  column('name', name, ({ key }) => key, { exportName: null });

/** Compares rows by their keys. */
export const compareKeys = (one: BreakdownRow, other: BreakdownRow) => (one.key < other.key ? -1 : 1);

/** Compares rows by money, then by clicks. */
export const compareMoney = (one: BreakdownRow, other: BreakdownRow) =>
  other.expected - one.expected || (other.clicks ?? 0) - (one.clicks ?? 0) || compareKeys(one, other);

/** Sorts rows by a column that all breakdowns have. */
export function sortBreakdown<Row extends BreakdownRow>(rows: readonly Row[], sort: ConsoleSort): Row[] {
  return sortRows<Row>(rows, BREAKDOWN_COLUMNS, sort, compareMoney);
}

/** The model by which a query divides money among campaigns and sources: last touch, unless the query names another one. */
export function getCampaignModel({ model }: ConsoleQuery): (typeof CAMPAIGN_MODELS)[number] {
  return CAMPAIGN_MODELS.find((known) => known === model) ?? 'last';
}

/**
 * Reads what each page, placement, campaign or source earned, with the ranking of clicks. Rejects with `EventStoreError` or
 * `LedgerError`.
 */
export async function readBreakdown(
  periods: PeriodReader,
  period: MoneyPeriod,
  by: CreditDimension,
): Promise<readonly BreakdownRow[]> {
  const { query, currency, selection } = period;
  const counts = await period.counts.readCounts(by);
  const byClick = await periods.selectByClick(period);
  const ranking = counts === null ? new Map() : await rank(periods, byClick, by);
  const isArrival = by === 'campaign' || by === 'source';
  const model = isArrival ? getCampaignModel(query) : 'clickPage';
  const money = selection.getCredited(by, model);
  const earned = byClick.selection.getCredited(by, model);
  const rows = buildBreakdown({ currency, money, earned, counts, ranking });
  if (isArrival) return rows;
  const labelled = await readLabelledPages(periods, period);
  const isLabelled = ({ key }: BreakdownRow) => labelled.has(buildPageName(key.split(' ', 1)[0] ?? ''));
  return rows.map((row) => (isLabelled(row) ? { ...row, epc: null, rpm: null, ranked: null } : row));
}

/** Pages that earn by an id of the network: no click of them brought that money, so that no figure per click has it. */
export async function readLabelledPages(
  periods: PeriodReader,
  period: MoneyPeriod,
): Promise<ReadonlySet<string>> {
  const query = dropFilters(period.query, 'page');
  if ((await periods.select(period, query)).getMoney().labelled === 0) return new Set();
  const entries = await periods.readLabelled(period, query);
  const pages = entries.flatMap(({ labelled }) => labelled?.pages ?? []);
  return new Set(pages.map(([page]) => buildPageName(page)));
}

/** What has earned in another currency than that of a period: no figure of the period has that money. */
export async function readOtherCurrencies(
  periods: PeriodReader,
  { query, currency }: MoneyPeriod,
  by: CountedDimension,
): Promise<ReadonlySet<string>> {
  const { cells } = await periods.readCells(query);
  const others = cells.filter((cell) => cell.currency !== currency && cell.amount !== 0);
  const model = by === 'page' ? 'clickPage' : 'last';
  return new Set(others.flatMap(({ path }) => (path === null ? [] : getCreditedName(path, by, model))));
}

/** Ranks a period by click day. A page is as certain among all pages as alone, so that filters by itself do not apply. */
async function rank(
  periods: PeriodReader,
  period: MoneyPeriod,
  by: CreditDimension,
): Promise<ReadonlyMap<string, Ranked>> {
  const known = await readEarnedClicks(periods, period, by);
  const rows = rankMatureClicks(known.clicks, known.earned, await periods.readSite(period, by));
  return new Map(rows.map((row) => [row.key, row]));
}

/** The clicks of every value of a period by click day, and what they have earned. */
async function readEarnedClicks(periods: PeriodReader, period: MoneyPeriod, by: CreditDimension) {
  const { query, selection, counts } = period;
  const ranked = dropFilters(query, by);
  const isSame = ranked.filters.length === query.filters.length;
  const compared = isSame ? selection : await periods.select(period, ranked);
  return { clicks: await counts.readMatureClicks(by), earned: compared.getEarnings(by) };
}

/**
 * Reads what a click of some values earns in the end, what their clicks will still bring, and how much of it has arrived; by
 * click day whatever the clock is. Empty before it is known how long commissions take. `learned`: what verdicts know of some values,
 * from more clicks than those of the period.
 */
export async function readClickEstimates(
  periods: PeriodReader,
  period: MoneyPeriod,
  by: CreditDimension,
  keys: ReadonlySet<string>,
  learned: ReadonlyMap<string, Learned> = new Map(),
) {
  const { curve, counts } = period;
  if (keys.size === 0 || curve === null) return new Map<string, never>();
  const byClick = await periods.selectByClick(period);
  const known = await readEarnedClicks(periods, byClick, by);
  const [site, weeks] = await Promise.all([periods.readSite(byClick, by), counts.readWeeks(by, keys)]);
  return new Map(
    buildInputs(known.clicks, known.earned)
      .filter(({ key }) => keys.has(key))
      .map((own) => {
        const { own: earned, site: all, weeks: known } = learned.get(own.key) ?? { own, site };
        const ownWeeks = weeks.get(own.key) ?? [];
        const predicted = predictComing(earned, all, ownWeeks, { curve, now: counts.now, known });
        const coming = predicted && { ...predicted, undecided: own.undecided };
        const arrived = own.clicks === 0 ? null : own.matureClicks / own.clicks;
        return [own.key, { perClick: estimateEarnings(earned, all), coming, arrived }] as const;
      }),
  );
}

/** Beyond so many days, money by day is read as sums, which do not say of which clicks it is. */
const MAX_SPLIT_DAYS = 100;

/**
 * What was booked in a period, and how much of it by clicks of the same days and by older ones; null for a long period that
 * has ended.
 */
export async function readBookedMoney(site: ConsoleSite, period: MoneyPeriod) {
  const { query, currency } = period;
  const byBooking =
    query.clock === 'booking'
      ? period.selection
      : await site.periods.select(period, { ...query, clock: 'booking' });
  const byClick = await site.periods.selectByClick(period);
  const today = getLocalDay(site.clock.now(), site.settings.TIME_ZONE);
  const days = countDays(query.from, query.to);
  if (query.to < today && days > MAX_SPLIT_DAYS) return null;
  // What such clicks brought until today was booked in the period, where that has not ended.
  const bookedTo = Date.parse(query.to) / DAY_MS;
  const cells =
    query.to >= today ? byClick.selection.cells : await site.periods.readOwnCells(byClick, { bookedTo });
  const own = cells.filter(({ path }) => path !== null);
  const { unmatched, ...money } = byBooking.getMoney();
  const ofClicks = own.reduce((sum, { status, amount }) => sum + (status === 'unknown' ? 0 : amount), 0);
  const booked = getBooked(money);
  return { days, currency, booked, unmatched, ofClicks, older: booked - unmatched - ofClicks };
}

/** What is known of clicks of twelve months: what they earned, and the site's, with their weeks. */
export interface Learned {
  readonly own: EarnedClicks;
  readonly site: EarnedClicks;
  readonly weeks?: readonly KnownWeek[] | undefined;
}

/** The highest end of the intervals of rows that can be ranked. */
export function getMaxEpc(rows: readonly BreakdownRow[]): number {
  return rows.reduce((max, row) => Math.max(max, getKnown(row)?.high ?? 0), 0);
}

/** What a link at one place of one page earned. */
export interface PlacementRow extends BreakdownRow {
  readonly page: string;
  /** Null for a path that is no page of the site any more. */
  readonly title: string | null;
  readonly place: string;
}

/** Reads the placements of a period, in no order. */
export async function readPlacementRows(
  site: ConsoleSite,
  period: MoneyPeriod,
): Promise<readonly PlacementRow[]> {
  const titles = readSiteNames(site).pages;
  const rows = await readBreakdown(site.periods, period, 'placement');
  return rows.map((row) => {
    const end = row.key.indexOf(' ');
    const page = row.key.slice(0, end);
    return { ...row, page, title: titles.get(page) ?? null, place: row.key.slice(end + 1) };
  });
}

/** A page of the site and what it earned. */
export interface RankedPage extends BreakdownRow {
  /** Null for a path that is no page of the site any more. */
  readonly title: string | null;
}

export const PAGE_COLUMNS: readonly Column<RankedPage>[] = [
  nameColumn('Page'),
  exported('page', ({ key }) => key),
  exported('title', ({ title }) => title),
  ...BREAKDOWN_COLUMNS,
];

/** Reads all pages in their order: those that can be ranked, or all when nothing is ranked, and the others. */
export async function readPageRanking(site: ConsoleSite, period: MoneyPeriod) {
  const breakdown = await readBreakdown(site.periods, period, 'page');
  const titles = readSiteNames(site).pages;
  const sort = getSort(period.query.sort, PAGE_COLUMNS, 'certain');
  const titled = breakdown.map((row): RankedPage => ({ ...row, title: titles.get(row.key) ?? null }));
  const rows = sortRows(titled, PAGE_COLUMNS, sort, compareMoney);
  const isRanked = rows.some(({ ranked }) => ranked !== null);
  const isKnown = ({ ranked }: BreakdownRow) => !isRanked || ranked?.isKnown === true;
  const known = rows.filter(isKnown);
  const unknown = rows.filter((row) => !isKnown(row));
  return {
    known,
    unknown: sort.column === 'certain' ? unknown.sort(compareNeeds) : unknown,
    sort,
    isRanked,
    /** The highest end of an interval, in minor units; the scale of all of them. */
    maxEpc: getMaxEpc(known),
  };
}

function compareNeeds(one: BreakdownRow, other: BreakdownRow): number {
  const isSeen = (row: BreakdownRow) => Number((row.clicks ?? 0) > 0);
  return (
    isSeen(other) - isSeen(one) ||
    (one.ranked?.clicksNeeded ?? Number.MAX_SAFE_INTEGER) -
      (other.ranked?.clicksNeeded ?? Number.MAX_SAFE_INTEGER) ||
    (other.views ?? 0) - (one.views ?? 0)
  );
}
