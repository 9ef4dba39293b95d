import type { RollupDimension } from '../../core/events/rollup.ts';
import type { ConsoleQuery } from './console-query.ts';

/** Dimensions of counted clicks that filters of the console can be applied to. */
export type CountedDimension = Extract<RollupDimension, 'page' | 'placement' | 'campaign' | 'partner'>;

/**
 * The dimension whose counts answer a query by a dimension: counts are by one dimension each, so that campaigns cannot
 * be combined with pages, places and partners. Null when no dimension has all filters; the status belongs to
 * commissions alone.
 */
export function findCountedDimension(
  { filters }: Pick<ConsoleQuery, 'filters'>,
  by: CountedDimension,
): CountedDimension | null {
  const used = filters.map(({ dimension }) => dimension).filter((dimension) => dimension !== 'status');
  if (used.length === 0) return by;
  const isWithin = (...known: readonly string[]) => used.every((dimension) => known.includes(dimension));
  if (by === 'campaign') return isWithin('campaign') ? 'campaign' : null;
  if (isWithin(by) && by !== 'placement') return by;
  if (isWithin('page') && by !== 'placement') return 'page';
  return isWithin('page', 'placement', 'partner') ? 'placement' : null;
}
