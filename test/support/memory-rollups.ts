import type { RollupFilter, RollupReader } from '../../src/stores/rollup-reader.ts';
import type { RollupRow } from './build-rollup-rows.ts';

/** Counts of one day, as `buildRollupRows` builds those of an event. */
export interface DayRow extends RollupRow {
  readonly day: string;
}

/** Creates a reader of counts that adds up single rows in the plainest way. */
export function createMemoryRollups(rows: readonly DayRow[]): RollupReader {
  const select = ({ dimension, from = '', to = '9999', keys }: RollupFilter) =>
    rows.filter(
      (row) =>
        row.dimension === dimension &&
        row.day >= from &&
        row.day <= to &&
        (keys === undefined || keys.some((key) => String(key) === String(row.key))),
    );
  const group = (selected: readonly DayRow[], getKey: (row: DayRow) => readonly string[]) =>
    [...Map.groupBy(selected, (row) => JSON.stringify(getKey(row))).values()].flatMap((own) => {
      const [first] = own;
      const sum = (counter: 'views' | 'sessions' | 'actions' | 'clicks') =>
        own.reduce((total, row) => total + row[counter], 0);
      const counts = {
        views: sum('views'),
        sessions: sum('sessions'),
        actions: sum('actions'),
        clicks: sum('clicks'),
      };
      return first === undefined ? [] : [{ key: getKey(first), day: first.day, ...counts }];
    });
  return {
    readByKey: async (filter) => group(select(filter), ({ key }) => key),
    readByDay: async (filter) => group(select(filter), ({ day }) => [day]),
    readByDayAndKey: async (filter) => group(select(filter), ({ day, key }) => [day, ...key]),
    readWeighted: async ({ dimension, days }) => {
      const weights = new Map<string, number>();
      const all = days.flatMap(({ weight, ...range }) => {
        const own = select({ dimension, ...range });
        for (const { key, clicks } of own) {
          weights.set(String(key), (weights.get(String(key)) ?? 0) + clicks * weight);
        }
        return own;
      });
      return group(all, ({ key }) => key).map((one) => ({
        ...one,
        weightedClicks: weights.get(String(one.key)) ?? 0,
      }));
    },
    readClicks: async ({ dimension, keys, periods }) =>
      periods.flatMap((range, period) =>
        group(select({ dimension, keys, ...range }), ({ key }) => key)
          .filter(({ clicks }) => clicks > 0)
          .map(({ key, clicks }) => ({ key, period, clicks })),
      ),
  };
}
