import { expect, it } from 'vitest';
import { NOTHING } from '../../core/commissions/ranges/build-ranking.ts';
import { buildPageTrend } from './trend-chart.ts';

const query = { from: '2026-10-19', to: '2026-11-15', weekStart: 'monday' } as const;
const build = (days: Parameters<typeof buildPageTrend>[0]['days'], changes = {}) =>
  buildPageTrend({ query, days, curve: MATURE, site: NO_SITE, now: Date.parse('2026-11-20'), ...changes });
const MATURE = { shares: [1], ranges: [], horizonWeeks: 0, spread: [] };
const NO_SITE = { ...NOTHING, clicks: 0, matureClicks: 0, clicksError: 0 };
/** So many customers of $40.00. */
const earn = (clicks: number, conversions: number) => ({
  clicks,
  conversions,
  amount: conversions * 4_000,
  squares: conversions * 4_000 ** 2,
  undecided: 0,
});

const WEEKS = new Map([
  ['2026-10-19', earn(100, 5)],
  ['2026-10-27', earn(400, 20)],
  ['2026-11-05', earn(10, 0)],
]);

it('the band of a week is around its mean and narrower with more clicks', () => {
  const points = build(WEEKS);
  expect(points.map(({ from, clicks }) => [from, clicks])).toEqual([
    ['2026-10-19', 100],
    ['2026-10-26', 400],
    ['2026-11-02', 10],
  ]);
  for (const { low, mean, high } of points) {
    expect(low).toBeGreaterThanOrEqual(0);
    expect(low).toBeLessThanOrEqual(mean + 1e-9);
    expect(mean).toBeLessThanOrEqual(high);
  }
  const [few, many] = points.map(({ low, high }) => high - low);
  expect(many).toBeLessThan(few ?? 0);
  // 5 % of the clicks convert, for $40.00.
  expect(points[1]?.mean).toBeCloseTo(200, 5);
});

it('clicks whose money has not arrived count less', () => {
  const curve = { ...MATURE, shares: [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 1] };
  expect(build(WEEKS, { curve })[1]?.mean).toBeCloseTo(400, 5);
});

it('shows no trend for one week, or without a conversion', () => {
  expect(build(new Map([...WEEKS].slice(0, 1)))).toEqual([]);
  expect(build(new Map([...WEEKS].map(([day, { clicks }]) => [day, earn(clicks, 0)])))).toEqual([]);
  expect(build(WEEKS, { curve: null })).toEqual([]);
});
