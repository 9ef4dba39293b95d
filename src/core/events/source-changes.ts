import { getBetaCdf } from '../commissions/ranges/beta-distribution.ts';

/** Visits of one source in two periods. */
export interface SourceVisits {
  /** `channel / name`, or the channel alone. */
  readonly source: string;
  readonly visits: number;
  /** Visits in the period that it is compared with. */
  readonly before: number;
  /** Whether it sent a visit before the period, as far back as was looked. */
  readonly isKnown: boolean;
}

/** A source that is new, or whose visits have changed by more than chance explains. */
export interface SourceChange extends Pick<SourceVisits, 'source' | 'visits' | 'before'> {
  readonly kind: 'new' | 'more' | 'fewer';
}

/** Fewer visits of a new source are no news. */
const MIN_NEW_VISITS = 10;
/** Visits of both periods together from which on a source is compared. */
const MIN_VISITS = 20;
/** The probability that any of the sources is named although nothing has changed. */
const MAX_ERROR = 0.01;
/** With many visits, small changes are certain and still no news. */
const MIN_RATIO = 1.25;

/**
 * Finds sources that are new or have changed for real, the largest difference first. A change is named when it is at least
 * a quarter, and when a two-sided comparison of two Poisson rates would find it by chance in at most 1% of the cases,
 * over all sources together (Bonferroni). `share`: the days of the period as a share of the days of both, 0.5 for two
 * periods of the same length.
 */
export function findSourceChanges(sources: readonly SourceVisits[], share = 0.5): readonly SourceChange[] {
  const compared = sources.filter(({ isKnown, visits, before }) => isKnown && visits + before >= MIN_VISITS);
  const limit = MAX_ERROR / Math.max(1, compared.length);
  const odds = share / (1 - share);
  const changed = compared.flatMap(({ source, visits, before }): SourceChange[] => {
    const ratio = visits / (before * odds);
    const isLarge = ratio >= MIN_RATIO || ratio <= 1 / MIN_RATIO;
    if (!isLarge || getChanceOfDifference(visits, before, share) > limit) return [];
    return [{ source, visits, before, kind: ratio > 1 ? 'more' : 'fewer' }];
  });
  const added = sources
    .filter(({ isKnown, visits }) => !isKnown && visits >= MIN_NEW_VISITS)
    .map(({ source, visits, before }): SourceChange => ({ source, visits, before, kind: 'new' }));
  const getDifference = ({ visits, before }: SourceChange) => Math.abs(visits - before * odds);
  return [...added, ...changed].sort((one, other) => getDifference(other) - getDifference(one));
}

/**
 * The probability of counts that differ at least as much when both periods have the same rate: given their sum, the first
 * is binomial (Przyborowski and Wilenski 1940). Two-sided: twice the smaller tail.
 */
export function getChanceOfDifference(count: number, before: number, share = 0.5): number {
  const atLeast = count === 0 ? 1 : getBetaCdf(share, count, before + 1);
  const atMost = before === 0 ? 1 : 1 - getBetaCdf(share, count + 1, before);
  return Math.min(1, 2 * Math.min(atLeast, atMost));
}

/** Says what has changed: `AI assistant / ChatGPT is new, with 34 visits.` */
export function describeSourceChange({ source, kind, visits, before }: SourceChange): string {
  const count = visits.toLocaleString('en-US');
  const counted = `${count} ${visits === 1 ? 'visit' : 'visits'}`;
  if (kind === 'new') return `${source} is new, with ${counted}.`;
  return `${source} sent ${kind} visitors: ${counted}, ${before.toLocaleString('en-US')} before.`;
}
