import type { ConsoleDimension, ConsoleFilter } from './console-query.ts';

/**
 * Whether something passes filters: in each dimension it has one of the values that are asked for, if any are, and
 * none of the excluded ones. `has` says whether it has the value of a filter.
 */
export function passesValues(
  filters: readonly ConsoleFilter[],
  has: (filter: ConsoleFilter) => boolean,
): boolean {
  const wanted = new Map<ConsoleDimension, boolean>();
  for (const filter of filters) {
    const isFound = has(filter);
    if (filter.isNot && isFound) return false;
    if (!filter.isNot) wanted.set(filter.dimension, isFound || wanted.get(filter.dimension) === true);
  }
  return [...wanted.values()].every((isFound) => isFound);
}
