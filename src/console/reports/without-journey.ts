import type { ReportDimension } from '../../core/commissions/credit/commission-report.ts';
import type { ConsoleViewKey } from '../../core/console/console-view.ts';
import type { ConsoleSite } from '../console-site.ts';
import { formatCount, formatShare } from './format.ts';
import { findVisits } from './periods.ts';
import type { ConsoleQuery } from './query.ts';

/** Views whose figures depend on what is known of visits besides the click. */
export const JOURNEY_VIEWS: readonly ConsoleViewKey[] = ['pages', 'campaigns', 'sources'];

/** How many visits of a period, and how much money of its clicks, are without journey; minor units. */
export type WithoutJourney = Awaited<ReturnType<typeof readWithoutJourney>>;

/** Reads what is without journey, whichever visits a query names. Visits are those of the site: filters leave none of them. */
export async function readWithoutJourney({ periods, money: { rollups } }: ConsoleSite, query: ConsoleQuery) {
  const filters = query.filters.filter(({ dimension }) => dimension !== 'journey');
  const [{ cells, currency }, { visits }] = await Promise.all([
    periods.readCells({ ...query, filters }),
    rollups.readShares(query),
  ]);
  const sum = (isOwn: (isFree: boolean) => boolean) =>
    cells.reduce((total, { path, status, amount, ...cell }) => {
      const isCounted =
        cell.currency === currency && status !== 'unknown' && path !== null && isOwn(path.isFree);
      return total + (isCounted ? amount : 0);
    }, 0);
  return {
    visits: filters.length === 0 ? visits : null,
    money: { all: sum(() => true), without: sum((isFree) => isFree) },
  };
}

/** Says what of the figures of a view is without journey, in sentences; empty where all have one. */
export function describeWithoutJourney(
  { visits, money }: WithoutJourney,
  view: ConsoleViewKey,
  query: ConsoleQuery,
): string {
  const shown = findVisits(query);
  const { all, without } = visits ?? { all: 0, without: 0 };
  const count = (own: 'with' | 'without') => {
    const part = own === 'with' ? all - without : without;
    return `${formatCount(part, 'visit')} ${own} journey (${formatShare(part / all)})`;
  };
  const sentences: string[] = [];
  if (without > 0 && (shown === 'with' || shown === 'without')) sentences.push(`Of ${count(shown)}.`);
  if (without > 0 && shown === undefined) {
    sentences.push(
      `${formatShare(without / all)} of ${formatCount(all, 'visit')} came without journey: nothing was stored in the browser, so a typed address counts as another visit.`,
      ...(view === 'sources' ? [`Clicks per visit: of ${count('with')}.`] : []),
    );
  }
  if (money.without !== 0 && money.all !== 0) {
    const share = money.without / money.all;
    const by = view === 'pages' ? 'page' : view === 'campaigns' || view === 'sources' ? 'campaign' : null;
    const [name, own] = shown === undefined ? (['this money', by] as const) : (['the money', null] as const);
    sentences.push(`${describeMoneyWithout(name, share, own)}.`);
  }
  return sentences.join(' ');
}

/** Says what share of some money is without journey, and whether models differ there; `by`: what it is credited to. */
export function describeMoneyWithout(money: string, share: number, by: ReportDimension | null): string {
  const lead = `${formatShare(share)} of ${money} is without journey`;
  if (by === 'campaign' || by === 'source') return `${lead}: the models agree there by construction`;
  return lead;
}
