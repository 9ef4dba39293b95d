import { expect, it } from 'vitest';
import { buildRanking, sumEarnings } from '../../../../test/support/build-ranking.ts';
import { buildSampleEntry } from '../../../../test/support/sample-commissions.ts';
import type { ReportedCommission } from '../credit/commission-report.ts';

const WEEK = 7 * 86_400_000;
const NOW = 100 * WEEK;

let clicks = 0;

/** A commission of a page whose click was some weeks ago and which arose some weeks after the click. */
function createCommission(page: string, weeksAgo: number, delay: number, amount = 1_000): ReportedCommission {
  const clickTime = NOW - weeksAgo * WEEK;
  const report = { status: 'approved', amount, eventTime: clickTime + delay * WEEK } as const;
  return buildSampleEntry([report], { page, clickTime, clickId: `click-${clicks++}` });
}

const rank = (commissions: readonly ReportedCommission[], clicks: readonly [string, number, number][]) =>
  buildRanking({
    by: 'page',
    currency: 'USD',
    commissions,
    clicks: clicks.map(([key, weeksAgo, count]) => ({ key, week: NOW - weeksAgo * WEEK, clicks: count })),
    now: NOW,
  });

const many = (count: number, page: string, weeksAgo: number, delay: number) =>
  Array.from({ length: count }, () => createCommission(page, weeksAgo, delay));

it('ranks the page whose clicks earn more first, with an interval around the mean', () => {
  const { rows } = rank(
    [...many(40, '/good', 30, 0), ...many(40, '/fair', 30, 0)],
    [
      ['/good', 30, 400],
      ['/fair', 30, 1_600],
    ],
  );
  expect(rows.map(({ key, isKnown, clicks, conversions }) => [key, isKnown, clicks, conversions])).toEqual([
    ['/good', true, 400, 40],
    ['/fair', true, 1_600, 40],
  ]);
  for (const row of rows) expect(row.isKnown && row.low < row.mean && row.mean < row.high).toBe(true);
});

it('ranks immature clicks like old ones although most of their commissions are still to come', () => {
  // Half of the money comes in the week of the click and half ten weeks later.
  const old = [20, 30, 40].flatMap((weeksAgo) => [
    ...many(20, '/old', weeksAgo, 0),
    ...many(20, '/old', weeksAgo, 10),
  ]);
  const young = many(20, '/young', 2, 0);
  const { rows, curve } = rank(
    [...old, ...young],
    [
      ['/old', 20, 400],
      ['/old', 30, 400],
      ['/old', 40, 400],
      ['/young', 2, 400],
    ],
  );
  expect(curve?.shares[0]).toBeCloseTo(0.5, 1);
  const means = new Map(rows.map(({ key, mean }) => [key, mean]));
  const ratio = Number(means.get('/young')) / Number(means.get('/old'));
  expect(ratio).toBeGreaterThan(0.9);
  expect(ratio).toBeLessThan(1.1);
});

it('leaves out other currencies and money without a click', () => {
  const unmatched = { ...createCommission('/a', 3, 0), journey: null };
  expect(rank([unmatched], [])).toEqual({ curve: null, maturities: new Map(), rows: [] });
});

it('later payments of a click are of one customer, whose square they are', () => {
  const one = createCommission('/a', 30, 0);
  const later = createCommission('/a', 30, 4, 500);
  const other = createCommission('/a', 30, 4, 2_000);
  const sums = sumEarnings([one, { ...later, journey: one.journey, isLaterPayment: true }, other], 'page');
  expect(sums.get('/a')).toEqual({
    conversions: 2,
    amount: 3_500,
    undecided: 0,
    squares: 1_500 ** 2 + 2_000 ** 2,
  });
  // A half is approved: it will be paid in full or not at all.
  const half = sumEarnings(
    [other],
    () => 'a',
    () => 1_000,
  ).get('a');
  expect(half).toEqual({ conversions: 1, amount: 1_000, squares: 1_000 ** 2, undecided: 1_000 * 1_000 });
});
