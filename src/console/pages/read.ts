import { getBookedAmount } from '../../core/commissions/credit/commission-report.ts';
import { getCredited } from '../../core/commissions/credit/credit.ts';
import {
  buildNoLabelMoney,
  getShareRange,
  type LabelMoney,
  sumLabels,
} from '../../core/commissions/credit/labels.ts';
import { getLocalDay, nameDay } from '../../core/commissions/local-time.ts';
import { getBooked } from '../../core/commissions/metric-definitions.ts';
import { NOTHING } from '../../core/commissions/ranges/build-ranking.ts';
import {
  EARLIER_WEEKS,
  estimateDispersion,
  isChanceOfCounts,
} from '../../core/commissions/ranges/compare-periods.ts';
import { buildPageName } from '../../core/events/site-path.ts';
import { parsePlacement } from '../../core/outbound/placement.ts';
import { buildPageOutline, type PagePart } from '../../core/pages/page-outline.ts';
import { type CommissionCell, STATES } from '../../stores/commission-sums.ts';
import { buildPageTrend, type TrendPoint } from '../charts/trend-chart.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import {
  PAGE_COLUMNS,
  type PlacementRow,
  type RankedPage,
  readBookedMoney,
  readBreakdown,
  readOtherCurrencies,
  readPageRanking,
  readPlacementRows,
  readTotal,
} from '../reports/breakdown.ts';
import {
  buildListPage,
  buildTable,
  type Column,
  column,
  formatAmountCell,
  ROWS_PER_PAGE,
} from '../reports/columns.ts';
import { formatMoney, formatNumber } from '../reports/format.ts';
import { getBucketUnit, listBuckets, sumEarnedCells } from '../reports/period-figures.ts';
import { dropFilters, type MoneyPeriod } from '../reports/periods.ts';
import { DEFAULT_QUERY } from '../reports/query.ts';
import { addDays } from '../reports/range.ts';
import { passesValues } from '../reports/select-entries.ts';
import { listPageChanges, readSiteNames } from '../reports/site-pages.ts';
import { readWorthVerdict } from '../reports/verdicts.ts';
import { readPageChange } from './change.ts';

/** A page in the ranking. */
export interface PageRow extends RankedPage {
  /** Clicks by day, week or month. */
  readonly series: readonly number[];
}

/** Money of some journeys under one name; minor units. */
export interface JourneyShare {
  readonly name: string;
  readonly conversions: number;
  readonly amount: number;
}

/** What is known of one page. */
export type PageDetail = NonNullable<Awaited<ReturnType<typeof readPageDetail>>>;

const MAX_SHARES = 8;
/** The part that a link is in: the one with its position, else the first with its source. */
function findPart(outline: readonly PagePart[], place: string): PagePart | undefined {
  const { source, position } = parsePlacement(place);
  if (position === '') return outline.find(({ sources }) => sources.includes(source));
  return (
    outline.find((part) => part.position === position) ??
    outline.find((part) => position.startsWith(`${part.position}-`))
  );
}

/** Orders placements as the page has them, those of no part after them, by clicks. */
export function sortByPart(
  placements: readonly PlacementRow[],
  outline: readonly PagePart[],
): readonly PlacementRow[] {
  const getOrder = ({ place }: PlacementRow) => {
    const part = findPart(outline, place);
    return part === undefined ? outline.length : outline.indexOf(part);
  };
  return [...placements].sort(
    (one, other) => getOrder(one) - getOrder(other) || (other.clicks ?? 0) - (one.clicks ?? 0),
  );
}

/** Builds what journeys say about one page; amounts are approved, paid and pending money. */
function buildPageFlows(cells: readonly CommissionCell[], page: string) {
  const name = buildPageName(page);
  const [campaigns, before, after] = [newShares(), newShares(), newShares()];
  for (const cell of cells) {
    const { path } = cell;
    if (path === null) continue;
    const { pages, entryPage } = path;
    const place = pages.findIndex((other) => buildPageName(other) === name);
    const isEntry = buildPageName(entryPage || path.page) === name;
    if (isEntry) campaigns.add(getCredited(path, 'first'), cell);
    if (place < 0) continue;
    before.add(place === 0 ? '' : (pages[place - 1] ?? ''), cell);
    after.add(path.page, cell);
  }
  return {
    /** Of visits that began on the page and earned. */
    entryCampaigns: campaigns.list(),
    /** The page that earning visits read before this one; empty name: they began here. */
    before: before.list(),
    /** The page from which earning visits that read this one clicked. */
    after: after.list(),
  };
}

function newShares() {
  const shares = new Map<string, { conversions: number; amount: number }>();
  return {
    add(name: string, { state, status, count, amount: sum }: CommissionCell) {
      const amount = status === 'unknown' ? 0 : sum;
      if (amount === 0) return;
      const share = shares.get(name) ?? { conversions: 0, amount: 0 };
      const conversions = share.conversions + (state === STATES.conversion ? count : 0);
      shares.set(name, { conversions, amount: share.amount + amount });
    },
    list: (): readonly JourneyShare[] =>
      [...shares]
        .map(([name, share]) => ({ name, ...share }))
        .sort((one, other) => other.amount - one.amount)
        .slice(0, MAX_SHARES),
  };
}

/** Reads the ranking of pages, one page of the list at a time, and one page when the filters leave one. */
export async function readPages(site: ConsoleSite, { query, parameters }: ViewRequest) {
  const period = await site.periods.readPeriod(query);
  const { known, unknown, ...ranking } = await readPageRanking(site, period);
  const labels = await readLabelMoney(site, period, [...known, ...unknown]);
  const { rows, ...list } = buildListPage([...known, ...unknown], parameters);
  const shown = await addSeries(rows, period);
  const knownShown = Math.max(0, Math.min(rows.length, known.length - (list.page - 1) * ROWS_PER_PAGE));
  return {
    currency: period.currency,
    ...ranking,
    ...list,
    /** Those of this page of the list that can be ranked, or all of it when nothing is ranked. */
    rows: shown.slice(0, knownShown),
    /** Those of this page of the list with too few clicks or conversions to be ranked. */
    unknownRows: shown.slice(knownShown),
    /** How many there are of the latter on all pages of the list. */
    unknownTotal: unknown.length,
    areClicksCounted: [...known, ...unknown].every(({ clicks }) => clicks !== null),
    ...readTotal([...known, ...unknown], period, true),
    labels,
    detail: await readPageDetail(site, period),
  };
}

/** Reads every page in the order of a query. */
export async function readAllPages(site: ConsoleSite, { query }: { readonly query: ViewRequest['query'] }) {
  const { known, unknown } = await readPageRanking(site, await site.periods.readPeriod(query));
  return { rows: [...known, ...unknown] };
}

/** Money of a page, or of a group of pages that cannot be divided among them; minor units. */
interface PageMoney extends LabelMoney {
  /** The path of a page; empty for a group. */
  readonly key: string;
  /** The name of a group with its id; empty for a page. */
  readonly group: string;
  readonly currency: string;
  /** What clicks have brought: approved, paid and pending. */
  readonly clicked: number;
}

const moneyColumn = (key: string, name: string, figure: (row: PageMoney) => number, isExported = true) =>
  column<PageMoney>(key, name, (row) => formatAmountCell(figure(row), row.currency), {
    exportName: isExported ? key : null,
    sort: null,
    isNumeric: true,
    format: 'money',
    figure,
    currency: ({ currency }) => currency,
  });

/** Of money by how it is known; what is not exported has columns of its own in the export of the view. */
export const LABEL_COLUMNS: readonly Column<PageMoney>[] = [
  column('page', 'Page', ({ key }) => key, { exportName: null, sort: null }),
  moneyColumn('clicked', 'By click', ({ clicked }) => clicked, false),
  moneyColumn('by_label', 'By label', ({ byLabel }) => byLabel),
  moneyColumn('by_share', 'By share', ({ byShare }) => byShare),
  { ...moneyColumn('by_share_low', '', (row) => getShareRange(row).low), isShown: false },
  { ...moneyColumn('by_share_high', '', (row) => getShareRange(row).high), isShown: false },
  moneyColumn('in_group', 'In group', ({ inGroup }) => inGroup),
  {
    ...moneyColumn('sum', 'Sum', (row) => row.clicked + row.byLabel + row.byShare + row.inGroup, false),
    onPhone: 'lead',
  },
];

/**
 * Reads the money that ids of networks credit to pages, and what stays with groups, the most first; null without any. `pages`:
 * the rows of the view. A filter by page leaves no group.
 */
async function readLabelMoney({ periods }: ConsoleSite, period: MoneyPeriod, pages: readonly RankedPage[]) {
  const { query, currency } = period;
  const labels = sumLabels(await periods.readLabelled(period, dropFilters(query, 'page')), ({ commission }) =>
    getBookedAmount(commission),
  );
  const clicked = new Map(pages.map((row) => [buildPageName(row.key), getBooked(row)]));
  const filters = query.filters.filter(({ dimension }) => dimension === 'page');
  const rows = [...labels.pages].map(([key, money]): PageMoney => {
    return { ...money, key, group: '', currency, clicked: clicked.get(buildPageName(key)) ?? 0 };
  });
  const groups = labels.groups.map(({ label, name, inGroup }): PageMoney => {
    const group = name === '' ? label : `${name} (${label})`;
    return { ...buildNoLabelMoney(), inGroup, key: '', group, currency, clicked: 0 };
  });
  const getSum = ({ byLabel, byShare, inGroup }: PageMoney) => byLabel + byShare + inGroup;
  const shown = [...rows, ...groups]
    .filter((row) => row.byLabel !== 0 || row.byShare !== 0 || row.inGroup !== 0)
    .filter(({ key }) => passesValues(filters, ({ value }) => value === key))
    .sort(
      (one, other) => getSum(other) - getSum(one) || (one.key + one.group < other.key + other.group ? -1 : 1),
    );
  const all = [...clicked.values()].reduce((sum, amount) => sum + amount, 0);
  return shown.length === 0
    ? null
    : { rows: shown, total: { ...labels.total, key: '', group: '', currency, clicked: all } };
}

/** Reads the exported table of the view: with money of labels, pages and groups have columns for it. */
export async function readPageTable(site: ConsoleSite, { query }: { readonly query: ViewRequest['query'] }) {
  const period = await site.periods.readPeriod(query);
  const { known, unknown } = await readPageRanking(site, period);
  const pages = [...known, ...unknown];
  const labels = await readLabelMoney(site, period, pages);
  if (labels === null) return buildTable(pages, PAGE_COLUMNS);
  const money = new Map(labels.rows.map((row) => [row.group === '' ? buildPageName(row.key) : '', row]));
  const titles = readSiteNames(site).pages;
  const none = { ...buildNoLabelMoney(), group: '', clicked: 0 };
  const listed = new Set(pages.map(({ key }) => buildPageName(key)));
  const others = labels.rows.filter(({ key, group }) => group !== '' || !listed.has(buildPageName(key)));
  const { sum: empty } = readTotal([], period, true);
  const rows = [
    ...pages.map((page) => ({ ...none, ...money.get(buildPageName(page.key)), ...page })),
    ...others.map((row) => ({ ...empty, ...row, title: row.group || (titles.get(row.key) ?? null) })),
  ];
  return buildTable(rows, [...PAGE_COLUMNS, ...LABEL_COLUMNS]);
}

/** Clicks of a page in the last days and in as many before them. */
interface PageClicks {
  readonly page: string;
  readonly title: string;
  readonly now: number;
  readonly before: number;
  /** What a click is expected to earn, in minor units; null when nothing is known of it. */
  readonly epc: number | null;
  /** How many times as much as Poisson counts its clicks vary; see `estimateDispersion`. */
  readonly dispersion: number;
}

const FALL_DAYS = 28;
const FALL_PERIODS = { now: FALL_DAYS, before: FALL_DAYS };
/** Eight weeks before both periods, and those of the earlier one. */
const USUAL_WEEKS = EARLIER_WEEKS + FALL_DAYS / 7;
/** A smaller fall is not worth a task. */
const MIN_FALL = 0.1;

/**
 * Lists pages whose clicks fell beyond chance, as tasks of the operator: the money at stake is what the clicks that are
 * missing were expected to earn.
 */
export function listFallenPages(pages: readonly PageClicks[], currency: string) {
  const clicked = pages.filter(({ now, before }) => now + before > 0);
  return clicked
    .filter((counts) => counts.now < counts.before * (1 - MIN_FALL))
    .filter((counts) => !isChanceOfCounts(counts, FALL_PERIODS, counts.dispersion, clicked.length))
    .map(({ page, title, now, before, epc }) => {
      const amount = epc === null || epc <= 0 ? null : Math.round((before - now) * epc);
      const value =
        epc === null || epc <= 0 ? '' : ` A click of it is expected to earn ${formatMoney(epc, currency)}.`;
      return {
        key: `fallen:${page}`,
        kind: 'page',
        text: `Clicks of “${title}” fell from ${formatNumber(before)} to ${formatNumber(now)} in ${FALL_DAYS} days.`,
        detail: `More than chance explains.${value}`,
        amount,
        currency: amount === null ? null : currency,
        href: `${buildConsoleAddress('pages', { filters: [{ dimension: 'page', value: page, isNot: false }] })}#change`,
        page,
      };
    })
    .sort((one, other) => (other.amount ?? 0) - (one.amount ?? 0));
}

/** Reads the pages whose clicks fell in the last 28 days that are over; none without eight weeks before the earlier ones. */
export async function readFallenPages(site: ConsoleSite) {
  const { periods, settings, clock } = site;
  const { rollups } = site.money;
  const to = addDays(getLocalDay(clock.now(), settings.TIME_ZONE), -1);
  const [middle, from] = [addDays(to, 1 - FALL_DAYS), addDays(to, 1 - 2 * FALL_DAYS)];
  const firstDay = await rollups.readFirstDay();
  const since = addDays(from, -7 * EARLIER_WEEKS);
  if (firstDay === null || firstDay > since) return [];
  const weeks = Array.from({ length: USUAL_WEEKS }, (_, week) => ({
    from: addDays(since, 7 * week),
    to: addDays(since, 7 * week + 6),
  }));
  const period = await periods.readPeriod({ ...DEFAULT_QUERY, from, to, clock: 'click' });
  const [rows, others, clicks] = await Promise.all([
    readBreakdown(periods, period, 'page'),
    readOtherCurrencies(periods, period, 'page'),
    rollups.readClicks({ dimension: 'page', periods: [...weeks, { from: middle, to }] }),
  ]);
  const titles = readSiteNames(site).pages;
  const counted = new Map(clicks.map((one) => [`${one.period} ${one.key[0]}`, one.clicks]));
  const pages = rows.flatMap(({ key, ranked }) => {
    const title = titles.get(key);
    if (title === undefined) return [];
    const series = weeks.map((_, week) => counted.get(`${week} ${key}`) ?? 0);
    const before = series.slice(EARLIER_WEEKS).reduce((sum, count) => sum + count, 0);
    const counts = { before, now: counted.get(`${USUAL_WEEKS} ${key}`) ?? 0 };
    const dispersion = estimateDispersion(series, FALL_PERIODS);
    // What a part of the money is worth says nothing of a click.
    const epc = others.has(key) ? null : (ranked?.mean ?? null);
    return [{ page: key, title, ...counts, epc, dispersion }];
  });
  return Promise.all(
    listFallenPages(pages, period.currency).map(async ({ page, ...task }) => {
      const { weeks, reasons } = await readPageChange(site, page);
      const reason = reasons[0]?.word === 'ruled out' ? undefined : reasons[0];
      const detail = reason === undefined ? task.detail : `${task.detail} Most likely: ${reason.text}`;
      return { ...task, detail, trend: weeks.map(({ clicks }) => clicks) };
    }),
  );
}

/** Adds the clicks by day, week or month. */
async function addSeries(
  rows: readonly RankedPage[],
  { query, counts }: MoneyPeriod,
): Promise<readonly PageRow[]> {
  const buckets = listBuckets(query, getBucketUnit(query));
  const series = await counts.readSeries('page', new Set(rows.map(({ key }) => key)), buckets);
  return rows.map((row) => ({ ...row, series: series.get(row.key) ?? [] }));
}

/** By click day alone: money by booking day does not belong to the clicks of the same days. */
async function readTrend(
  { periods, clock }: ConsoleSite,
  period: MoneyPeriod,
  page: string,
): Promise<readonly TrendPoint[]> {
  const byClick = await periods.selectByClick(period);
  const { query, curve } = byClick;
  const clicksByDay = await periods.readClicksByDay(query);
  if (clicksByDay === null) return [];
  // Some credit models give a page money of clicks on another one.
  const paths = await periods.findPaths(query, (path) => buildPageName(path.page) === buildPageName(page));
  const cells = await periods.readOwnCells(byClick, { by: 'path and day', paths });
  const earned = sumEarnedCells(cells, byClick.rates, ({ day }) => nameDay(day ?? 0));
  const days = new Map(
    [...new Set([...clicksByDay.keys(), ...earned.keys()])].map(
      (day) => [day, { ...NOTHING, ...earned.get(day), clicks: clicksByDay.get(day) ?? 0 }] as const,
    ),
  );
  const site = await periods.readSite(byClick, 'page');
  return buildPageTrend({ query, days, curve, site, now: clock.now() });
}

async function readPageDetail(site: ConsoleSite, period: MoneyPeriod) {
  const pages = period.query.filters.filter(({ dimension }) => dimension === 'page');
  const [only] = pages;
  if (only === undefined || only.isNot || pages.length > 1) return null;
  const [rows, trend] = await Promise.all([
    readPlacementRows(site, period),
    readTrend(site, period, only.value),
  ]);
  const verdict = await readWorthVerdict(site, 'page', only.value);
  const { from, to } = period.query;
  const page = site.content.read().pages.get(only.value);
  const outline = page === undefined ? [] : buildPageOutline(page);
  return {
    page: only.value,
    verdict,
    change: await readPageChange(site, only.value),
    booked: await readBookedMoney(site, period),
    /** In the order of the page where it is known, then by clicks. */
    placements: sortByPart(rows, outline),
    /** Whether the order of the page is known, which it is not in articles. */
    isInOrder: outline.length > 0,
    /** Earnings per click by click week; empty where they cannot be estimated. */
    trend,
    /** When the page was published or changed, in the period. */
    annotations: listPageChanges(site, only.value).filter(({ day }) => day >= from && day <= to),
    ...buildPageFlows(period.selection.cells, only.value),
  };
}
