import {
  CHANNELS,
  type Channel,
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
  readBreakdown,
} from '../reports/breakdown.ts';
import {
  buildListPage,
  type Column,
  exported,
  getSort,
  metric,
  parseListPage,
  sortRows,
} from '../reports/columns.ts';
import { buildMoneySeries, getBucketUnit, listBuckets, type MoneyBucket } from '../reports/period-figures.ts';
import type { MoneyPeriod } from '../reports/periods.ts';
import { readSiteNames } from '../reports/site-pages.ts';
import { readCrawlers } from './crawlers.ts';

/** A source with its visits, clicks and money. `views` are its visits: counts by source have no other page views. */
export interface SourceRow extends BreakdownRow {
  readonly source: VisitSource;
  /** Null where they cannot be counted for the filters. */
  readonly visits: number | null;
}

/** A channel with the sums of its sources. */
export interface ChannelRow extends Omit<SourceRow, 'source' | 'ranked' | 'rpm'> {
  readonly channel: Channel;
  /**
   * Whether the true figures are higher: apps of assistants and the AI results of search engines name no source, so
   * that a part of their visits counts as direct, unknown or search.
   */
  readonly isLowerBound: boolean;
  /** Its sources, most visits first. */
  readonly sources: readonly SourceRow[];
}

/** Visits and clicks without any source. */
export interface UnnamedShare {
  readonly visits: number;
  readonly clicks: number;
  /** Of all visits, from 0; null without visits. */
  readonly visitShare: number | null;
  /** Clicks of which nothing is known, as of all clicks; null without clicks. Direct visits are known to be direct. */
  readonly unknownClickShare: number | null;
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
    ...buildListPage(rows, parseListPage(parameters)),
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
  const isEpcKnown = (unnamed?.unknownClickShare ?? 0) <= MAX_UNKNOWN_CLICKS;
  const rows = breakdown.map(
    (row): SourceRow => ({
      ...row,
      ...(!isEpcKnown && { epc: null, ranked: null }),
      source: parseSourceName(row.key),
      visits: row.views,
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

function buildUnnamedShare(rows: readonly BreakdownRow[]): UnnamedShare | null {
  if (rows.some(({ clicks }) => clicks === null)) return null;
  const sum = (own: readonly BreakdownRow[], name: 'views' | 'clicks') =>
    own.reduce((total, row) => total + (row[name] ?? 0), 0);
  const unnamed = rows.filter(({ key }) => isUnnamedSource(parseSourceName(key)));
  const unknown = rows.filter(({ key }) => key === 'unknown');
  const [visits, clicks] = [sum(rows, 'views'), sum(rows, 'clicks')];
  return {
    visits: sum(unnamed, 'views'),
    clicks: sum(unnamed, 'clicks'),
    visitShare: visits === 0 ? null : sum(unnamed, 'views') / visits,
    unknownClickShare: clicks === 0 ? null : sum(unknown, 'clicks') / clicks,
  };
}

/** Sums sources by channel, in the order of the channels. */
function buildChannels(rows: readonly SourceRow[]): readonly ChannelRow[] {
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
    const areEpcsKnown = sources.every(({ epc, clicks: own }) => epc !== null || !own);
    return [
      {
        ...same,
        key: channel,
        channel,
        isLowerBound: channel === 'AI assistant',
        visits,
        views: visits,
        clicks,
        approved: add((row) => row.approved),
        paid: add((row) => row.paid),
        pending: add((row) => row.pending),
        reversed: add((row) => row.reversed),
        expected: add((row) => row.expected),
        conversions: add((row) => row.conversions),
        payments: add((row) => row.payments),
        clickRate: visits === null || clicks === null || visits === 0 ? null : clicks / visits,
        epc: !clicks || !areEpcsKnown ? null : add((row) => (row.epc ?? 0) * (row.clicks ?? 0)) / clicks,
        sources: [...sources].sort((one, other) => (other.visits ?? 0) - (one.visits ?? 0)),
      },
    ];
  });
}

/** A page with the visits that began on it, or the clicks from it. */
export interface ArrivalRow {
  /** Path; `(other)` for rare ones. */
  readonly page: string;
  /** Null for a path that is no page of the site any more. */
  readonly title: string | null;
  readonly count: number;
}

/** What is known of one source. */
export interface SourceDetail {
  readonly source: VisitSource;
  /** Where its visits began, most first. */
  readonly entryPages: readonly ArrivalRow[];
  /** Where its visitors clicked and the partner that they left for, most first. */
  readonly clicked: readonly (ArrivalRow & { readonly partner: string })[];
  /** Money and clicks by day, week or month. */
  readonly trend: readonly (MoneyBucket & { readonly visits: number })[];
}

const MAX_PAGES = 10;

/** Reads one source, when the filters of the period leave one; null otherwise, and for other filters beside it. */
async function readSource(site: ConsoleSite, period: MoneyPeriod): Promise<SourceDetail | null> {
  const { query, selection, curve } = period;
  const { settings, clock } = site;
  const { rollups } = site.money;
  const [only, ...others] = query.filters;
  if (only === undefined || only.dimension !== 'source' || only.isNot || others.length > 0) return null;
  const source = parseSourceName(only.value);
  const range = { from: query.from, to: query.to };
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
  const titles = readSiteNames(site).pages;
  const list = arrivals.map(({ key: [, , page = '', partner = ''], sessions, clicks }) => ({
    ...{ page, partner, sessions, clicks },
    title: titles.get(page) ?? null,
  }));
  const now = clock.now();
  const series = buildMoneySeries({
    ...{ query, curve, now, timeZone: settings.TIME_ZONE, entries: selection.entries },
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
      .map((row) => ({ page: row.page, title: row.title, partner: row.partner, count: get(row) }))
      .filter(({ count }) => count > 0)
      .sort((one, other) => other.count - one.count || (one.page < other.page ? -1 : 1))
      .slice(0, MAX_PAGES);
  return {
    source,
    entryPages: pick(({ sessions }) => sessions).map(({ partner: _, ...row }) => row),
    clicked: pick(({ clicks }) => clicks),
    trend: series.map((bucket, index) => ({ ...bucket, visits: visits[index] ?? 0 })),
  };
}
