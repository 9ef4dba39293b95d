import { expect, it } from 'vitest';
import { listBuckets } from './period-figures.ts';

const period = { from: '2026-11-01', to: '2026-11-17' };

it.each([
  ['monday', ['2026-10-26', '2026-11-02', '2026-11-09', '2026-11-16']],
  ['sunday', ['2026-11-01', '2026-11-08', '2026-11-15']],
] as const)('weeks of a chart begin on the chosen day: %s', (weekStart, starts) => {
  const buckets = listBuckets({ ...period, weekStart }, 'week');
  expect(buckets.map(({ start }) => start)).toEqual(starts);
  expect([buckets[0]?.from, buckets.at(-1)?.to]).toEqual([period.from, period.to]);
});
