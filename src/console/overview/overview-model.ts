import type { ConsoleViewKey } from '../../core/console/console-view.ts';
import type { ConsoleAlert } from '../alerts/alerts.ts';
import type { ChartAnnotation } from '../charts/chart-annotation.ts';
import type { CommissionRow } from '../commissions/commissions-model.ts';
import type { BreakdownRow } from '../figures/build-breakdown.ts';
import type { BucketUnit, MoneyBucket } from '../figures/build-money-series.ts';
import type { PeriodFigures } from '../figures/build-period-figures.ts';
import type { DayRange } from '../figures/console-range.ts';
import type { LeagueRow, PlacementRow } from '../pages/pages-model.ts';

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
  /** Share of the money of the young bars that has usually arrived; null without young bars. */
  readonly youngShare: number | null;
  readonly annotations: readonly ChartAnnotation[];
  readonly pages: readonly LeagueRow[];
  /** How many pages have clicks or money. */
  readonly pageCount: number;
  readonly unknownPages: readonly LeagueRow[];
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
  readonly page: LeagueRow;
  /** From 0 to 1. */
  readonly share: number;
}

/** Finds the page that earned most, with its share of the money of the period, also of what found no click. */
export function findBestPage(
  pages: readonly LeagueRow[],
  { approved, pending }: Pick<PeriodFigures, 'approved' | 'pending'>,
): BestPage | null {
  const getMoney = (page: LeagueRow) => page.approved + page.pending;
  const best = pages.reduce<LeagueRow | null>(
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
