import { isYoung, MIN_CLICKS } from '../../core/commissions/earned.ts';
import { addDays, getLocalDay, nameDay } from '../../core/commissions/local-time.ts';
import { NOTHING } from '../../core/commissions/ranges/build-ranking.ts';
import {
  EARLIER_WEEKS,
  estimateDispersion,
  isChanceOfCounts,
} from '../../core/commissions/ranges/compare-periods.ts';
import { estimateEarnings } from '../../core/commissions/ranges/rank-by-earnings.ts';
import { buildSourceName, parseVisitSource } from '../../core/events/visit-source.ts';
import { splitPage } from '../../core/outbound/beside.schema.ts';
import { describePlacement, parsePlacement } from '../../core/outbound/placement.ts';
import { buildPageOutline, type PagePart } from '../../core/pages/page-outline.ts';
import { ASSESSMENT_PATH } from '../../core/paths.ts';
import { readAssessment } from '../assessment/read.ts';
import type { MonthBar } from '../charts/charts.tsx';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { buildListPage, column } from '../reports/columns.ts';
import {
  buildEarnedColumns,
  type Earned,
  type EarnedRow,
  type EarnedTable,
  readEarned,
  sortEarned,
  sumEarned,
  sumRows,
} from '../reports/earned.ts';
import { formatMoney, formatNumber } from '../reports/format.ts';
import { searchRows } from '../reports/list.ts';
import { getCreditedName } from '../reports/period-figures.ts';
import { type ConsoleQuery, DEFAULT_QUERY } from '../reports/query.ts';
import { addMonths, listMonths } from '../reports/range.ts';
import { listSitePages, readTitles } from '../reports/site-pages.ts';
import { leadsToPartner, readPageChange } from './change.ts';

/** With the site of each page, which is shown where there are several. */
export const PAGE_COLUMNS = [
  ...buildEarnedColumns('Page', 'Views'),
  column<EarnedRow>('site', 'Site', ({ key }) => splitPage(key).host),
];
const ROWS_PER_PAGE = 12;
const MAX_UNREAD = 6;
const MAX_SOURCES = 6;
/** The report of the assessment has its steps and answers too. */
const MAX_ASSESSED_SOURCES = 4;

const getPlace = (key: string) => key.slice(key.indexOf(' ') + 1);

/** The part that a link is in: the one with its position, else the first with its source. */
function findPart(outline: readonly PagePart[], place: string): PagePart | undefined {
  const { source, position } = parsePlacement(place);
  if (position === '') return outline.find(({ sources }) => sources.includes(source));
  return (
    outline.find((part) => part.position === position) ??
    outline.find((part) => position.startsWith(`${part.position}-`))
  );
}

/** Names a place by the heading of its part, with the place itself where other places are in the same part. */
export function namePlace(outline: readonly PagePart[], place: string, places: readonly string[]): string {
  const part = findPart(outline, place);
  if (part === undefined) return describePlacement(place);
  // The title of the first part is that of the page.
  const name = part.position === 'hero' ? 'Top of the page' : part.name;
  const isAlone = places.every((other) => other === place || findPart(outline, other) !== part);
  return isAlone ? name : `${name} (${describePlacement(place)})`;
}

/** Orders placements as the page has them, those of no part after them, by clicks. */
export function sortByPart(
  placements: readonly EarnedRow[],
  outline: readonly PagePart[],
): readonly EarnedRow[] {
  const getOrder = ({ key }: EarnedRow) => {
    const part = findPart(outline, getPlace(key));
    return part === undefined ? outline.length : outline.indexOf(part);
  };
  return [...placements].sort(
    (one, other) => getOrder(one) - getOrder(other) || (other.clicks ?? 0) - (one.clicks ?? 0),
  );
}

/** Whether clicks are fewer than chance explains in 99 of 100 cases, and than a fourth of what is usual. */
function isUnread({ views, clicks }: EarnedRow, rate: number): boolean {
  const [expected, own] = [(views ?? 0) * rate, clicks ?? 0];
  let [part, below] = [Math.exp(-expected), 0];
  for (let count = 0; count <= own; count++) {
    below += part;
    part *= expected / (count + 1);
  }
  return below < 0.01 && own <= expected / 4;
}

/** Pages that are read and hardly ever clicked, the most read first; `hasPartner`: whether a link to a partner was found on it. */
function listUnread(site: ConsoleSite, { rows, total }: EarnedTable) {
  const rate = total.views ? (total.clicks ?? 0) / total.views : 0;
  const files = new Map(listSitePages(site).map(({ path, file }) => [path, file]));
  return rows
    .filter((row) => files.has(row.key) && isUnread(row, rate))
    .sort((one, other) => (other.views ?? 0) - (one.views ?? 0))
    .slice(0, MAX_UNREAD)
    .map((row) => ({
      ...row,
      file: files.get(row.key) ?? '',
      hasPartner: leadsToPartner(site, files.get(row.key) ?? ''),
    }));
}

/** Reads the ranking of pages, one page of the list at a time, and the report of one when the filters leave one. */
export async function readPages(site: ConsoleSite, { query, parameters }: ViewRequest) {
  const table = await readEarned(site.periods, query, 'page');
  const titles = await readTitles(site);
  const byMoney = sortEarned(table.rows, PAGE_COLUMNS, query.sort);
  const {
    rows: found,
    search,
    sort,
  } = searchRows(
    byMoney.rows,
    byMoney.sort,
    { query, parameters },
    {
      title: ({ key }) => titles.get(key) ?? '',
      words: ({ key }) => key,
    },
  );
  const list = buildListPage(found, parameters, ROWS_PER_PAGE);
  const shown = new Set(list.rows);
  return {
    table,
    ...list,
    sort,
    search,
    /** The pages that are not on this page of the list, together. */
    more: {
      number: table.rows.length - list.rows.length,
      row: sumRows(
        table.rows.filter((row) => !shown.has(row)),
        table.currency,
      ),
    },
    /** The three with the most money. */
    best: table.rows.filter(({ earned }) => earned > 0).slice(0, 3),
    unread: listUnread(site, table),
    isYoung: isYoung(table.arrived),
    detail: await readPageDetail(site, query),
  };
}

/** Reads every page in the order of a query, for its table. */
export async function readPageTable(site: ConsoleSite, { query }: { readonly query: ViewRequest['query'] }) {
  const { rows } = await readEarned(site.periods, query, 'page');
  return { rows: sortEarned(rows, PAGE_COLUMNS, query.sort).rows };
}

/** The days of a query a year before. */
const goBack = (query: ConsoleQuery): ConsoleQuery => ({
  ...query,
  from: addMonths(query.from, -12),
  to: addMonths(query.to, -12),
});

/** Reads what clicks earned by month, as far as it is in a query; with the same months a year ago where there was money. */
export async function readMonths(
  site: ConsoleSite,
  query: ConsoleQuery,
  currency: string,
): Promise<readonly MonthBar[]> {
  const { periods } = site;
  const sum = async (asked: ConsoleQuery) => {
    const days = await periods.readClickDays(asked);
    return sumEarned(days, currency, ({ day }) => (day === null ? null : nameDay(day).slice(0, 7)));
  };
  const [now, before, clicks] = await Promise.all([
    sum(query),
    sum(goBack(query)),
    periods.readClicksByDay(query),
  ]);
  return listMonths(query).map((month) => {
    const own = now.get(month.month);
    const days = [...(clicks ?? [])].filter(([day]) => day >= month.from && day <= month.to);
    const last = before.get(addMonths(`${month.month}-01`, -12).slice(0, 7));
    return {
      ...month,
      solid: own?.confirmed ?? 0,
      hatched: own?.pending ?? 0,
      before: before.size === 0 ? null : (last?.earned ?? 0),
      clicks: clicks === null ? null : days.reduce((all, [, count]) => all + count, 0),
      customers: own?.customers ?? 0,
    };
  });
}

/** What the readers of a page came from, with the clicks of that page. */
async function readSources(site: ConsoleSite, query: ConsoleQuery, page: string, row: EarnedRow) {
  const { rollups } = site.money;
  const { from, to } = query;
  const [{ cells }, arrivals] = await Promise.all([
    site.periods.readCells(query),
    rollups.readByKey({ dimension: 'arrival', from, to, parts: [{ index: 2, value: page }] }),
  ]);
  const earned = sumEarned(cells, row.currency, ({ path }) =>
    path === null ? null : getCreditedName(path, 'source', 'last'),
  );
  const clicks = new Map<string, number>();
  for (const { key, clicks: count } of arrivals) {
    const name = buildSourceName(parseVisitSource(key[0], key[1]));
    clicks.set(name, (clicks.get(name) ?? 0) + count);
  }
  const names = new Set([...earned.keys(), ...clicks.keys()]);
  const rows = [...names].flatMap((key): EarnedRow[] => {
    const [own, count] = [earned.get(key), clicks.get(key) ?? 0];
    return own === undefined && count === 0 ? [] : [build(key, own, count, row)];
  });
  // Rare pairs of a source and a page are counted together.
  const rest = (row.clicks ?? 0) - rows.reduce((sum, one) => sum + (one.clicks ?? 0), 0);
  const all = rest > 0 ? [...rows, build('other', undefined, rest, row)] : rows;
  const sorted = sortEarned(all, PAGE_COLUMNS, null).rows;
  const most = page === ASSESSMENT_PATH ? MAX_ASSESSED_SOURCES : MAX_SOURCES;
  const more = sorted.slice(most);
  return {
    rows: sorted.slice(0, most),
    more: { number: more.length, row: sumRows(more, row.currency) },
  };
}

function build(key: string, earned: Earned | undefined, clicks: number, { currency }: EarnedRow): EarnedRow {
  const sum = sumRows([], currency, earned === undefined ? [] : [earned]);
  const click = clicks < MIN_CLICKS || sum.others.length > 0 ? null : Math.round(sum.earned / clicks);
  return { ...sum, key, views: null, clicks, click };
}

/** What is known of one page. */
export type PageDetail = NonNullable<Awaited<ReturnType<typeof readPageDetail>>>;

/** With fewer customers, nothing is said of what a click earns within 12 months. */
const MIN_CUSTOMERS = 5;

async function readPageDetail(site: ConsoleSite, query: ConsoleQuery) {
  const pages = query.filters.filter(({ dimension }) => dimension === 'page');
  const [only] = pages;
  if (only === undefined || only.isNot || pages.length > 1) return null;
  const page = only.value;
  const whole = { ...query, filters: query.filters.filter(({ dimension }) => dimension !== 'page') };
  const { counts } = await site.periods.readPeriod(query);
  const [own, all, placeTable] = await Promise.all([
    readEarned(site.periods, query, 'page', counts),
    readEarned(site.periods, whole, 'page', counts),
    readEarned(site.periods, query, 'placement', counts),
  ]);
  const row = own.rows.find(({ key }) => key === page) ?? own.total;
  const content = site.content.read().pages.get(page);
  const outline = content === undefined ? [] : buildPageOutline(content);
  const label = row.earned - placeTable.rows.reduce((sum, { earned }) => sum + earned, 0);
  // No place and no source has money by an id of the network: without it, a click would earn nothing.
  const hide = <Row extends EarnedRow>(own: Row) =>
    label !== 0 && own.earned === 0 ? { ...own, click: null } : own;
  const places = sortByPart(placeTable.rows, outline).map((place) => ({
    ...hide(place),
    key: getPlace(place.key),
  }));
  const keys = places.map(({ key }) => key);
  const [change, months, sources, range] = await Promise.all([
    readPageChange(site, page),
    readMonths(site, query, row.currency),
    readSources(site, query, page, row),
    readRange(own, page),
  ]);
  return {
    page,
    row,
    /** The place of the page among all, from 1, and its share of everything that was earned. */
    rank: all.rows.findIndex(({ key }) => key === page) + 1,
    share: all.total.earned === 0 ? null : row.earned / all.total.earned,
    places,
    placeNames: new Map(keys.map((key) => [key, namePlace(outline, key, keys)])),
    /** Money by an id of the network, which no place and no source has. */
    label,
    isInOrder: outline.length > 0,
    sources: { ...sources, rows: sources.rows.map(hide) },
    months,
    /** What such clicks earn on average within 12 months, in 8 of 10 cases; null where that is not known. */
    range: isYoung(own.arrived) || row.customers < MIN_CUSTOMERS ? null : range,
    changes: change.events.filter(({ day }) => day >= query.from && day <= query.to).toReversed(),
    reasons: change.reasons.filter(({ word }) => word !== 'ruled out'),
    file: change.file,
    arrived: own.arrived,
    isYoung: isYoung(own.arrived),
    assessment: page === ASSESSMENT_PATH ? await readAssessment(site, { query: whole }) : null,
  };
}

async function readRange({ period }: EarnedTable, page: string) {
  const { counts, selection } = period;
  const [clicks, all] = await Promise.all([
    counts.readMatureClicks('page'),
    counts.readMatureClicks('page', true),
  ]);
  const own = clicks.find(({ key }) => key === page);
  if (own === undefined || all.length === 0 || period.curve === null) return null;
  const earned = { ...own, ...(selection.getEarnings('page').get(page) ?? NOTHING) };
  return estimateEarnings(earned, earned);
}

/** Clicks of a page in the last days and in as many before them. */
interface PageClicks {
  readonly page: string;
  readonly title: string;
  readonly now: number;
  readonly before: number;
  /** What a click earned in 12 months, in minor units; null when that is not known. */
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
        epc === null || epc <= 0 ? '' : ` A click of it earned ${formatMoney(epc, currency)} in 12 months.`;
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
  const year = { ...DEFAULT_QUERY, from: addMonths(addDays(to, 1), -12), to };
  const [{ rows, currency }, clicks] = await Promise.all([
    readEarned(periods, year, 'page'),
    rollups.readClicks({ dimension: 'page', periods: [...weeks, { from: middle, to }] }),
  ]);
  const titles = await readTitles(site);
  const counted = new Map(clicks.map((one) => [`${one.period} ${one.key[0]}`, one.clicks]));
  const pages = rows.flatMap(({ key, click: epc }) => {
    const title = titles.get(key);
    if (title === undefined) return [];
    const series = weeks.map((_, week) => counted.get(`${week} ${key}`) ?? 0);
    const before = series.slice(EARLIER_WEEKS).reduce((sum, count) => sum + count, 0);
    const counts = { before, now: counted.get(`${USUAL_WEEKS} ${key}`) ?? 0 };
    const dispersion = estimateDispersion(series, FALL_PERIODS);
    return [{ page: key, title, ...counts, epc, dispersion }];
  });
  return Promise.all(
    listFallenPages(pages, currency).map(async ({ page, ...task }) => {
      const { weeks, reasons } = await readPageChange(site, page);
      const reason = reasons[0]?.word === 'ruled out' ? undefined : reasons[0];
      const detail = reason === undefined ? task.detail : `${task.detail} Most likely: ${reason.text}`;
      return { ...task, detail, trend: weeks.map(({ clicks }) => clicks) };
    }),
  );
}
