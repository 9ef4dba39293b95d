import { buildCampaignName } from '../../core/commissions/credit.ts';
import type { RollupDimension } from '../../core/events/rollup.ts';
import type { ConsoleFilter } from './console-query.ts';
import { passesValues } from './passes-values.ts';

/**
 * Whether counted events with a key of a dimension pass the filters, as far as the key says it. The status belongs to
 * commissions alone.
 */
export function passesCounts(
  key: readonly string[],
  dimension: RollupDimension,
  filters: readonly ConsoleFilter[],
): boolean {
  const values = listValues(key, dimension);
  const known = filters.filter((filter) => values[filter.dimension] !== undefined);
  return passesValues(known, (filter) => values[filter.dimension] === filter.value);
}

function listValues(
  [first = '', second = '', third = '']: readonly string[],
  dimension: RollupDimension,
): Partial<Record<ConsoleFilter['dimension'], string>> {
  switch (dimension) {
    case 'page':
      return { page: first };
    case 'placement':
      return { page: first, placement: `${first} ${second || '(none)'}`, partner: third };
    case 'campaign':
      return {
        campaign: buildCampaignName({ utm_source: first, utm_medium: second, utm_campaign: third }),
      };
    case 'partner':
      return { partner: first };
    default:
      return {};
  }
}
