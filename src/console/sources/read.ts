import {
  CHANNELS,
  isUnnamedSource,
  parseSourceName,
  type VisitSource,
} from '../../core/events/visit-source.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import {
  BREAKDOWN_COLUMNS,
  type BreakdownRow,
  compareMoney,
  getCampaignModel,
  getMaxEpc,
  nameColumn,
  readBookedMoney,
  readBreakdown,
} from '../reports/breakdown.ts';
import { buildListPage, type Column, exported, getSort, metric, sortRows } from '../reports/columns.ts';
import { buildMoneySeries, getBucketUnit, listBuckets, sumMoney } from '../reports/period-figures.ts';
import { findVisits, type MoneyPeriod, type ValueCounts } from '../reports/periods.ts';
import { readWorthVerdict } from '../reports/verdicts.ts';
import { readCrawlers } from './crawlers.ts';

/** A source with its visits, clicks and money. `views` are its visits: counts by source have no other page views. */
export interface SourceRow extends BreakdownRow {
  readonly source: VisitSource;
  /** Null where they cannot be counted for the filters. */
  readonly visits: number | null;
  /** The visits with journey and their clicks, of which clicks per visit are computed: others may be counted twice. */
  readonly journeys: ValueCounts;
}

/** Beyond this share of clicks without a known source, what a click of a source earned is not computed. */
const MAX_UNKNOWN_CLICKS = 0.1;

const VISITS: Column<SourceRow> = metric('visits', 'Visits', ({ visits }) => visits);
const CLICK_RATE: Column<SourceRow> = metric(
  'visitClickRate',
  'Clicks per visit',
  ({ clickRate }) => clickRate,
  {
    exportName: 'clicks_per_visit',
    text: ({ clickRate }) => (clickRate === null ? null : Number(clickRate.toFixed(4))),
    format: 'share',
  },
);
/** Columns of breakdowns that refer to page views, which counts by source do not have. */
const OF_VIEWS = ['views', 'clickRate', 'rpm'];

export const SOURCE_COLUMNS: readonly Column<SourceRow>[] = [
  nameColumn('Source'),
  exported('source', ({ key }) => key),
  exported('channel', ({ source }) => source.channel),
  exported('name', ({ source }) => source.name),
  VISITS,
  CLICK_RATE,
  ...BREAKDOWN_COLUMNS.filter(({ key }) => !OF_VIEWS.includes(key)),
];

/** Reads sources and channels under a credit model, and one source when the filters leave one. */
export async function readSources(site: ConsoleSite, { query, parameters }: ViewRequest) {
  const period = await site.periods.readPeriod(query);
  const { rows, ...figures } = await readPeriodSources(site, period);
  return {
    ...figures,
    ...buildListPage(rows, parameters),
    model: getCampaignModel(query),
    channels: buildChannels(rows),
    /** The highest end of an interval, in minor units; the scale of all of them. */
    maxEpc: getMaxEpc(rows),
    detail: await readSource(site, period),
    crawlers: await readCrawlers(site, period),
  };
}

/** Reads every source in the order of a query. */
export async function readAllSources(site: ConsoleSite, { query }: ViewRequest) {
  return readPeriodSources(site, await site.periods.readPeriod(query));
}

async function readPeriodSources({ periods }: ConsoleSite, period: MoneyPeriod) {
  const breakdown = await readBreakdown(periods, period, 'source');
  const unnamed = buildUnnamedShare(breakdown);
  const known = await readClickRates(period);
  const isEpcKnown = (unnamed?.unknownClickShare ?? 0) <= MAX_UNKNOWN_CLICKS;
  const rows = breakdown.map(
    (row): SourceRow => ({
      ...row,
      ...(!isEpcKnown && { epc: null, ranked: null }),
      source: parseSourceName(row.key),
      visits: row.views,
      journeys: known.get(row.key) ?? NO_VISITS,
      clickRate: getClickRate(known.get(row.key) ?? NO_VISITS),
    }),
  );
  const sort = getSort(period.query.sort, SOURCE_COLUMNS, 'expected');
  return {
    currency: period.currency,
    rows: sortRows(rows, SOURCE_COLUMNS, sort, compareMoney),
    sort,
    areClicksCounted: breakdown.every(({ clicks }) => clicks !== null),
    /** Null where clicks are not counted. */
    unnamed,
    /** False when so many clicks have no known source that earnings per click would be too high. */
    isEpcKnown,
  };
}

const NO_VISITS: ValueCounts = { views: 0, clicks: 0 };
const getClickRate = ({ views, clicks }: ValueCounts) => (views === 0 ? null : clicks / views);

/** Reads the visits that clicks per visit are computed of: those with journey, unless the query names others. */
async function readClickRates({ query, counts }: MoneyPeriod): Promise<ReadonlyMap<string, ValueCounts>> {
  const own = findVisits(query) === undefined ? counts.ofJourneys() : counts;
  return (await own.readCounts('source')) ?? new Map();
}

/** Counts visits and clicks without any source; null where they are not counted. */
function buildUnnamedShare(rows: readonly BreakdownRow[]) {
  if (rows.some(({ clicks }) => clicks === null)) return null;
  const sum = (own: readonly BreakdownRow[], name: 'views' | 'clicks') =>
    own.reduce((total, row) => total + (row[name] ?? 0), 0);
  const unnamed = rows.filter(({ key }) => isUnnamedSource(parseSourceName(key)));
  const unknown = rows.filter(({ key }) => key === 'unknown');
  const [visits, clicks] = [sum(rows, 'views'), sum(rows, 'clicks')];
  return {
    visits: sum(unnamed, 'views'),
    clicks: sum(unnamed, 'clicks'),
    /** Of all visits, from 0; null without visits. */
    visitShare: visits === 0 ? null : sum(unnamed, 'views') / visits,
    /** Clicks of which nothing is known, as of all clicks; null without clicks. Direct visits are known to be direct. */
    unknownClickShare: clicks === 0 ? null : sum(unknown, 'clicks') / clicks,
  };
}

/** Sums sources by channel, in the order of the channels. */
function buildChannels(rows: readonly SourceRow[]) {
  const byChannel = Map.groupBy(rows, ({ source }) => source.channel);
  return CHANNELS.flatMap((channel) => {
    const sources = byChannel.get(channel) ?? [];
    const [first] = sources;
    if (first === undefined) return [];
    const add = (get: (row: SourceRow) => number) => sources.reduce((sum, row) => sum + get(row), 0);
    const count = (get: (row: SourceRow) => number | null) =>
      sources.some((row) => get(row) === null) ? null : add((row) => get(row) ?? 0);
    const { source: _, ranked: _ranked, rpm: _rpm, ...same } = first;
    const visits = count((row) => row.visits);
    const clicks = count((row) => row.clicks);
    const journeys = {
      views: add((row) => row.journeys.views),
      clicks: add((row) => row.journeys.clicks),
    };
    const areEpcsKnown = sources.every(({ epc, clicks: own }) => epc !== null || !own);
    return [
      {
        ...same,
        key: channel,
        channel,
        /**
         * Whether the true figures are higher: apps of assistants and the AI results of search engines name no source,
         * so that a part of their visits counts as direct, unknown or search.
         */
        isLowerBound: channel === 'AI assistant',
        visits,
        views: visits,
        clicks,
        ...sumMoney(sources),
        journeys,
        clickRate: getClickRate(journeys),
        epc: !clicks || !areEpcsKnown ? null : add((row) => (row.epc ?? 0) * (row.clicks ?? 0)) / clicks,
        /** Most visits first. */
        sources: [...sources].sort((one, other) => (other.visits ?? 0) - (one.visits ?? 0)),
      },
    ];
  });
}

/** What is known of one source. */
export type SourceDetail = NonNullable<Awaited<ReturnType<typeof readSource>>>;

const MAX_PAGES = 10;

/** Reads one source, when the filters of the period leave one; null otherwise, and for other filters beside it. */
async function readSource(site: ConsoleSite, period: MoneyPeriod) {
  const { query, curve } = period;
  const { settings, clock } = site;
  const { rollups } = site.money;
  const [only, ...others] = query.filters.filter(({ dimension }) => dimension !== 'journey');
  if (only === undefined || only.dimension !== 'source' || only.isNot || others.length > 0) return null;
  const source = parseSourceName(only.value);
  const range = { from: query.from, to: query.to, visits: findVisits(query) };
  const [days, arrivals] = await Promise.all([
    rollups.readByDay({ dimension: 'source', ...range, keys: [[source.channel, source.name]] }),
    rollups.readByKey({
      dimension: 'arrival',
      ...range,
      parts: [
        { index: 0, value: source.channel },
        { index: 1, value: source.name },
      ],
    }),
  ]);
  const list = arrivals.map(({ key: [, , page = '', partner = ''], sessions, clicks }) => {
    return { page, partner, sessions, clicks };
  });
  const now = clock.now();
  const series = buildMoneySeries({
    query,
    curve,
    now,
    timeZone: settings.TIME_ZONE,
    days: await site.periods.readDays(query),
    clicksByDay: new Map(days.map(({ key: [day = ''], clicks }) => [day, clicks])),
  });
  const buckets = listBuckets(query, getBucketUnit(query));
  const visits = buckets.map(({ from, to }) =>
    days
      .filter(({ key: [day = ''] }) => day >= from && day <= to)
      .reduce((sum, { sessions }) => sum + sessions, 0),
  );
  const pick = (get: (row: (typeof list)[number]) => number) =>
    list
      .map((row) => ({ page: row.page, partner: row.partner, count: get(row) }))
      .filter(({ count }) => count > 0)
      .sort((one, other) => other.count - one.count || (one.page < other.page ? -1 : 1))
      .slice(0, MAX_PAGES);
  const verdict = await readWorthVerdict(site, 'source', only.value);
  return {
    source,
    verdict,
    booked: await readBookedMoney(site, period),
    /** Where its visits began, most first; `(other)` for rare pages. */
    entryPages: pick(({ sessions }) => sessions).map(({ partner: _, ...row }) => row),
    /** Where its visitors clicked and the partner that they left for, most first. */
    clicked: pick(({ clicks }) => clicks),
    /** Money and clicks by day, week or month. */
    trend: series.map((bucket, index) => ({ ...bucket, visits: visits[index] ?? 0 })),
  };
}
