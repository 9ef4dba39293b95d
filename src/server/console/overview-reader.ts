import { formatDecimalAmount } from '../../core/commissions/money.ts';
import { type BreakdownRow, sortBreakdown } from '../../core/console/build-breakdown.ts';
import { buildChartSvg } from '../../core/console/build-chart-svg.ts';
import { buildMoneyChart, buildMoneyFinding } from '../../core/console/build-money-chart.ts';
import { buildMoneySeries, getBucketUnit, getYoungShare } from '../../core/console/build-money-series.ts';
import { buildPeriodFigures, type PeriodFigures } from '../../core/console/build-period-figures.ts';
import { buildCommissionRow } from '../../core/console/commissions-model.ts';
import type { ConsoleQuery } from '../../core/console/console-query.ts';
import { buildComparedRange } from '../../core/console/console-range.ts';
import {
  buildSetupSteps,
  type ChartAnnotation,
  type OverviewModel,
} from '../../core/console/overview-model.ts';
import type { AlertReader } from './alert-reader.ts';
import type { PagesReader } from './pages-reader.ts';
import type { MoneyPeriod, PeriodReader, PeriodReaderOptions } from './period-reader.ts';
import type { PlacementsReader } from './placements-reader.ts';
import type { ExportTable, ViewReader, ViewRequest } from './view-reader.ts';

export interface OverviewReaderOptions extends Pick<PeriodReaderOptions, 'timeZone' | 'now'> {
  readonly periods: PeriodReader;
  readonly pages: PagesReader;
  readonly placements: PlacementsReader;
  /** What changed on the site from one day to another, oldest first. */
  readonly readAnnotations: (from: string, to: string) => readonly ChartAnnotation[];
  /** Names of partners whose links carry a sub-id, and of those whose links do not. */
  readonly tracked: readonly string[];
  readonly untracked: readonly string[];
  readonly hasLedger: () => boolean;
  readonly alerts: Pick<AlertReader, 'readAlerts'>;
}

const CHART_WIDTH = 1040;
const MAX_ROWS = 5;
const MAX_LATEST = 6;
const MAX_ANNOTATIONS = 4;

/** What earned, what will earn, what to do next. */
export class OverviewReader implements ViewReader<OverviewModel> {
  readonly #options: OverviewReaderOptions;

  constructor(options: OverviewReaderOptions) {
    this.#options = options;
  }

  async read({
    query,
    viewer,
  }: Pick<ViewRequest, 'query'> & Partial<Pick<ViewRequest, 'viewer'>>): Promise<OverviewModel> {
    const { alerts, periods, pages, placements, readAnnotations, timeZone, now } = this.#options;
    const period = await periods.readPeriod(query);
    const { currency, entries, curve } = period;
    const [clicksByDay, compared, league, places, campaigns] = await Promise.all([
      periods.readClicksByDay(query),
      this.#readCompared(period),
      pages.read({ query: { ...query, sort: null } }),
      placements.readRows(period),
      periods.readBreakdown(period, 'campaign'),
    ]);
    const buckets = buildMoneySeries({ query, entries, clicksByDay, curve, timeZone, now: now() });
    const all = [...league.rows, ...league.unknownRows];
    return {
      currency,
      figures: buildPeriodFigures(entries, sumClicks(clicksByDay), currency, period.rates),
      compared,
      unit: getBucketUnit(query),
      buckets,
      youngShare: getYoungShare(buckets),
      annotations: readAnnotations(query.from, query.to).slice(-MAX_ANNOTATIONS),
      pages: league.rows.slice(0, MAX_ROWS),
      pageCount: all.filter(isActive).length,
      unknownPages: league.unknownRows.filter(isActive).slice(0, 3),
      maxEpc: league.maxEpc,
      placements: sortBreakdown(places.filter(isActive), BY_MONEY).slice(0, MAX_ROWS),
      campaigns: sortBreakdown(campaigns.filter(isActive), BY_MONEY).slice(0, MAX_ROWS),
      latest: readLatest(period),
      alerts: viewer?.kind === 'operator' ? await alerts.readAlerts() : [],
      steps: period.all.length > 0 ? null : await this.#readSteps(query),
      now: now(),
    };
  }

  /** The bars of the chart, whole. */
  async exportTable({ query }: Pick<ViewRequest, 'query'>): Promise<ExportTable> {
    const { buckets, currency } = await this.read({ query });
    const money = (amount: number) => formatDecimalAmount(amount, currency);
    return {
      columns: ['from', 'to', 'currency', 'approved', 'pending', 'reversed', 'clicks', 'maturity'],
      rows: buckets.map(({ from, to, approved, pending, reversed, clicks, maturity }) => [
        from,
        to,
        currency,
        money(approved),
        money(pending),
        money(reversed),
        clicks,
        Number(maturity.toFixed(3)),
      ]),
    };
  }

  /** The chart of the money, on white. */
  async exportChart({ query }: Pick<ViewRequest, 'query'>): Promise<string> {
    const model = await this.read({ query });
    const layout = buildMoneyChart({ ...model, width: CHART_WIDTH });
    return buildChartSvg(layout, buildMoneyFinding(model.buckets, model));
  }

  async #readCompared(period: MoneyPeriod): Promise<OverviewModel['compared']> {
    const { periods } = this.#options;
    const range = buildComparedRange(period.query);
    if (range === null) return null;
    const query: ConsoleQuery = { ...period.query, ...range };
    const clicks = sumClicks(await periods.readClicksByDay(query));
    const entries = periods.selectEntries(period, query);
    const figures: PeriodFigures = buildPeriodFigures(entries, clicks, period.currency, period.rates);
    return { figures, range };
  }

  async #readSteps(query: ConsoleQuery): Promise<OverviewModel['steps']> {
    const { periods, tracked, untracked, hasLedger } = this.#options;
    const clicks = await periods.readClicksByDay({
      ...query,
      from: '2000-01-01',
      to: '2099-12-31',
      filters: [],
    });
    return buildSetupSteps({ tracked, untracked, clicks: sumClicks(clicks) ?? 0, hasLedger: hasLedger() });
  }
}

const BY_MONEY = { column: 'expected', isDescending: true } as const;

const isActive = ({ clicks, approved, pending, reversed }: BreakdownRow) =>
  (clicks ?? 0) > 0 || approved + pending + reversed !== 0;

function sumClicks(clicksByDay: ReadonlyMap<string, number> | null): number | null {
  return clicksByDay === null ? null : [...clicksByDay.values()].reduce((sum, clicks) => sum + clicks, 0);
}

/** The newest commissions of the period by booking. */
function readLatest({ entries }: MoneyPeriod): OverviewModel['latest'] {
  return [...entries]
    .sort((one, other) => other.commission.eventTime - one.commission.eventTime)
    .slice(0, MAX_LATEST)
    .map(buildCommissionRow);
}
