import type { LedgerEntry } from '../../core/commissions/build-ledger.ts';
import { formatDecimalAmount } from '../../core/commissions/money.ts';
import type { ConsoleViewKey } from '../../core/console/console-view.ts';
import { memoizeByKey } from '../../core/text/memoize-by-key.ts';
import type { ConsoleAlert } from '../alerts/build-alerts.ts';
import type { AlertReader } from '../alerts/read-alerts.ts';
import type { ChartAnnotation } from '../charts/money-chart.ts';
import { buildCommissionRow, type CommissionRow } from '../commissions/read.ts';
import { type BreakdownRow, getPeriodMoney, readBreakdown, sortBreakdown } from '../figures/breakdown.ts';
import {
  type BucketUnit,
  buildMoneySeries,
  buildPeriodFigures,
  getBucketUnit,
  getImmatureShare,
  type MoneyBucket,
  type PeriodFigures,
} from '../figures/period-figures.ts';
import type { MoneyPeriod, PeriodReader, PeriodReaderOptions } from '../figures/periods.ts';
import type { ConsoleQuery } from '../figures/query.ts';
import { buildComparedRange, type DayRange } from '../figures/range.ts';
import type { PagesReader, PlacementRow, RankedPage } from '../pages/read.ts';
import type { PlacementsReader } from '../placements/read.ts';
import { buildTable, type ExportTable, type ViewReader, type ViewRequest } from '../views.ts';

/** One of the steps from a link to money, while there is no commission yet. */
export interface SetupStep {
  readonly title: string;
  /** What is there, or what to do. */
  readonly note: string;
  readonly isDone: boolean;
  /** The view in which the step is taken; null where it is taken outside the console. */
  readonly link: { readonly view: ConsoleViewKey; readonly text: string } | null;
}

/** The first view in the morning. Amounts are minor units of `currency`. */
export interface OverviewModel {
  readonly currency: string;
  readonly figures: PeriodFigures;
  /** The figures of the period that it is compared with. */
  readonly compared: { readonly figures: PeriodFigures; readonly range: DayRange } | null;
  readonly unit: BucketUnit;
  readonly buckets: readonly MoneyBucket[];
  /** Share of the money of the immature bars that has usually arrived; null without immature bars. */
  readonly immatureShare: number | null;
  readonly annotations: readonly ChartAnnotation[];
  readonly pages: readonly RankedPage[];
  /** How many pages have clicks or money. */
  readonly pageCount: number;
  readonly unknownPages: readonly RankedPage[];
  /** The page that earned most, with its share of all the money; null while nothing was earned. */
  readonly best: BestPage | null;
  readonly maxEpc: number;
  readonly placements: readonly PlacementRow[];
  readonly campaigns: readonly BreakdownRow[];
  readonly latest: readonly CommissionRow[];
  /** What needs attention; empty behind a share link. */
  readonly alerts: readonly ConsoleAlert[];
  /** Null once there is a commission. */
  readonly steps: readonly SetupStep[] | null;
  readonly now: number;
}

interface BestPage {
  readonly page: RankedPage;
  /** From 0 to 1. */
  readonly share: number;
}

/** Finds the page that earned most, with its share of the money of the period, also of what found no click. */
export function findBestPage(
  pages: readonly RankedPage[],
  { approved, pending }: Pick<PeriodFigures, 'approved' | 'pending'>,
): BestPage | null {
  const getMoney = (page: RankedPage) => page.approved + page.pending;
  const best = pages.reduce<RankedPage | null>(
    (one, other) => (one === null || getMoney(other) > getMoney(one) ? other : one),
    null,
  );
  const sum = approved + pending;
  if (best === null || getMoney(best) <= 0 || sum <= 0) return null;
  return { page: best, share: Math.min(1, getMoney(best) / sum) };
}

const NAMES = new Intl.ListFormat('en-US');

/** Builds the steps from a link to money. */
export function buildSetupSteps(state: {
  /** Names of partners whose links carry a sub-id, and of those whose links do not. */
  readonly tracked: readonly string[];
  readonly untracked: readonly string[];
  readonly clicks: number;
  readonly hasLedger: boolean;
}): readonly SetupStep[] {
  const { tracked, untracked, clicks, hasLedger } = state;
  const missing = untracked.length === 0 ? '' : ` Without one: ${NAMES.format(untracked)}.`;
  return [
    {
      title: 'Links carry a sub-id',
      note:
        tracked.length > 0
          ? `${NAMES.format(tracked)} ${tracked.length === 1 ? 'gets' : 'get'} the id of every click.${missing}`
          : 'Set subId in content/partners/*.yaml, so that a commission can name its click.',
      isDone: tracked.length > 0,
      link: null,
    },
    {
      title: 'Clicks are stored',
      note:
        clicks > 0
          ? `${clicks.toLocaleString('en-US')} so far. Bots and prefetches are left out.`
          : 'Open the site, follow a link to a partner, and the click shows here.',
      isDone: clicks > 0,
      link: { view: 'live', text: 'Watch it live' },
    },
    {
      title: 'A network can report',
      note: hasLedger
        ? 'No commission has been reported yet. Test the postback address, or import a report as CSV.'
        : 'Create a postback address, set the key of an API, or import a report as CSV.',
      isDone: hasLedger,
      link: { view: 'import', text: hasLedger ? 'Test it or import a report' : 'Connect a network' },
    },
    {
      title: 'Money finds its click',
      note: 'The first commission shows here with its page, its placement and its campaign.',
      isDone: false,
      link: null,
    },
  ];
}

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
    const { alerts, periods, pages, placements, readAnnotations, now } = this.#options;
    const period = await periods.readPeriod({ ...query, sort: null });
    const { currency } = period;
    const [buckets, compared, ranking, places, campaigns] = await Promise.all([
      this.#readBuckets(period),
      this.#readCompared(period),
      pages.readRanking(period),
      placements.readRows(period),
      readBreakdown(periods, period, 'campaign'),
    ]);
    const figures = buildPeriodFigures(getPeriodMoney(period), sumClicks(buckets));
    return {
      currency,
      figures,
      compared,
      unit: getBucketUnit(query),
      buckets,
      immatureShare: getImmatureShare(buckets),
      annotations: readAnnotations(query.from, query.to).slice(-MAX_ANNOTATIONS),
      pages: ranking.known.slice(0, MAX_ROWS),
      pageCount: [...ranking.known, ...ranking.unknown].filter(isActive).length,
      unknownPages: ranking.unknown.filter(isActive).slice(0, 3),
      best: findBestPage([...ranking.known, ...ranking.unknown], figures),
      maxEpc: ranking.maxEpc,
      placements: sortBreakdown(places.filter(isActive), BY_MONEY).slice(0, MAX_ROWS),
      campaigns: sortBreakdown(campaigns.filter(isActive), BY_MONEY).slice(0, MAX_ROWS),
      latest: listLatest(period.entries),
      alerts: viewer?.kind === 'operator' ? await alerts.readAlerts() : [],
      steps: period.all.length > 0 ? null : await this.#readSteps(query),
      now: now(),
    };
  }

  /** The bars of the chart, whole. */
  async exportTable({ query }: Pick<ViewRequest, 'query'>): Promise<ExportTable> {
    const period = await this.#options.periods.readPeriod(query);
    const { currency } = period;
    const buckets = await this.#readBuckets(period);
    const money = (amount: number) => formatDecimalAmount(amount, currency);
    return buildTable(buckets, {
      from: ({ from }) => from,
      to: ({ to }) => to,
      currency: () => currency,
      approved: ({ approved }) => money(approved),
      pending: ({ pending }) => money(pending),
      reversed: ({ reversed }) => money(reversed),
      clicks: ({ clicks }) => clicks,
      maturity: ({ maturity }) => Number(maturity.toFixed(3)),
    });
  }

  async #readBuckets({ query, entries, curve }: MoneyPeriod): Promise<OverviewModel['buckets']> {
    const { periods, timeZone, now } = this.#options;
    const clicksByDay = await periods.readClicksByDay(query);
    return buildMoneySeries({ query, entries, clicksByDay, curve, timeZone, now: now() });
  }

  async #readCompared(period: MoneyPeriod): Promise<OverviewModel['compared']> {
    const { periods } = this.#options;
    const range = buildComparedRange(period.query);
    if (range === null) return null;
    const query: ConsoleQuery = { ...period.query, ...range };
    const clicks = await periods.readClicksByDay(query);
    const entries = periods.selectEntries(period, query);
    return { figures: buildPeriodFigures(getPeriodMoney({ ...period, entries }), sumDays(clicks)), range };
  }

  async #readSteps(query: ConsoleQuery): Promise<OverviewModel['steps']> {
    const { periods, tracked, untracked, hasLedger } = this.#options;
    const clicks = await periods.readClicksByDay({
      ...query,
      from: '2000-01-01',
      to: '2099-12-31',
      filters: [],
    });
    return buildSetupSteps({ tracked, untracked, clicks: sumDays(clicks) ?? 0, hasLedger: hasLedger() });
  }
}

const BY_MONEY = { column: 'expected', isDescending: true } as const;

const isActive = ({ clicks, approved, pending, reversed }: BreakdownRow) =>
  (clicks ?? 0) > 0 || approved + pending + reversed !== 0;

function sumDays(clicksByDay: ReadonlyMap<string, number> | null): number | null {
  return clicksByDay === null ? null : [...clicksByDay.values()].reduce((sum, clicks) => sum + clicks, 0);
}

/** Null where clicks cannot be counted for the filters; then no bar has any. */
function sumClicks(buckets: OverviewModel['buckets']): number | null {
  return buckets.reduce<number | null>(
    (sum, { clicks }) => (sum === null || clicks === null ? null : sum + clicks),
    0,
  );
}

/** The newest commissions by booking; computed once for a list, which stays the same while nothing changes. */
const listLatest = memoizeByKey((entries: readonly LedgerEntry[]): OverviewModel['latest'] => {
  const latest: LedgerEntry[] = [];
  for (const entry of entries) {
    const place = latest.findIndex(({ commission }) => commission.eventTime < entry.commission.eventTime);
    latest.splice(place < 0 ? latest.length : place, 0, entry);
    if (latest.length > MAX_LATEST) latest.pop();
  }
  return latest.map(buildCommissionRow);
});
