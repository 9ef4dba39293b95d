import { expect, it } from 'vitest';
import { getBetaCdf, getBetaQuantile, getLogGamma, getWilsonInterval } from './beta-distribution.ts';
import { buildMaturityCurve, getMatureShare } from './maturity.ts';
import { fitRatePrior, rankByEarnings } from './rank-by-earnings.ts';

it.each([
  [1, 0],
  [2, 0],
  [5, Math.log(24)],
  [0.5, Math.log(Math.sqrt(Math.PI))],
  [100.5, 361.4355407],
])('ln gamma(%d) is %d', (x, value) => expect(getLogGamma(x)).toBeCloseTo(value, 5));

// Abramowitz and Stegun, table 26.5, and closed forms.
it.each([
  [0.5, 2, 2, 0.5],
  [0.25, 1, 1, 0.25],
  [0.3, 1, 3, 1 - 0.7 ** 3],
  [0.8, 3, 1, 0.8 ** 3],
  [0.1, 5, 95, 0.974_9],
])('the probability of at most %d under Beta(%d, %d) is %d', (x, a, b, probability) => {
  expect(getBetaCdf(x, a, b)).toBeCloseTo(probability, 2);
});

it('the 90 % quantile of Beta(1, 21) is 1 - 0.1^(1/21)', () =>
  expect(getBetaQuantile(0.9, 1, 21)).toBeCloseTo(1 - 0.1 ** (1 / 21), 10));

it('the quantile inverts the distribution', () => {
  for (const [a, b] of [
    [0.5, 0.5],
    [1, 30],
    [12, 400],
    [300, 300],
    [0.9, 9_000],
    [2.5, 1_200_000],
  ] as const) {
    for (const probability of [0.01, 0.1, 0.5, 0.9, 0.99]) {
      expect(getBetaCdf(getBetaQuantile(probability, a, b), a, b)).toBeCloseTo(probability, 9);
    }
  }
});

it('the 95 % Wilson interval of 1 in 10 is 0.0179 to 0.4042', () => {
  const [low, high] = getWilsonInterval(1, 10, 1.96);
  expect(low).toBeCloseTo(0.0179, 4);
  expect(high).toBeCloseTo(0.4042, 4);
  expect(getWilsonInterval(0, 0, 1.96)).toEqual([0, 1]);
});

const pages = Array.from({ length: 8 }, (_, index) => ({
  key: `page-${index}`,
  matureClicks: 1_000,
  conversions: 20 + index,
  amount: (20 + index) * 4_000,
}));

it('the prior has the mean of all pages and a strength within its limits', () => {
  const { a, b } = fitRatePrior(pages);
  expect(a / (a + b)).toBeCloseTo(pages.reduce((sum, page) => sum + page.conversions, 0) / 8_000, 6);
  expect(a + b).toBeGreaterThanOrEqual(10);
  expect(a + b).toBeLessThanOrEqual(10_001);
});

it('a page with one lucky conversion in three clicks does not lead', () => {
  const lucky = { key: 'lucky', matureClicks: 3, conversions: 1, amount: 4_000 };
  const ranked = rankByEarnings([...pages, lucky]);
  expect(ranked[0]?.key).not.toBe('lucky');
  const own = ranked.find(({ key }) => key === 'lucky');
  expect(own?.mean).toBeLessThan(4_000 / 3);
  expect([own?.isKnown, (own?.clicksNeeded ?? 0) > 0]).toEqual([false, true]);
});

it('a page without conversions is not known yet and needs more clicks', () => {
  const ranked = rankByEarnings([{ key: 'new', matureClicks: 12, conversions: 0, amount: 0 }]);
  expect(ranked).toMatchObject([{ key: 'new', isKnown: false, mean: 0 }]);
  expect(ranked[0]?.clicksNeeded).toBeGreaterThan(0);
});

it('a page whose clicks do not earn needs many more, however many it has', () => {
  const ranked = rankByEarnings([...pages, { key: 'poor', matureClicks: 2_000, conversions: 0, amount: 0 }]);
  const poor = ranked.find(({ key }) => key === 'poor');
  // All pages together have 1 conversion in 43 clicks, so two more of them are about 86 clicks away at least.
  expect(poor).toMatchObject({ isKnown: false });
  expect(poor?.clicksNeeded).toBeGreaterThan(86);
});

it('immature clicks that a page already has are not asked for again', () => {
  const need = (clicks: number) => {
    const ranked = rankByEarnings([
      ...pages,
      { key: 'young', matureClicks: 10, clicks, conversions: 0, amount: 0 },
    ]);
    return ranked.find(({ key }) => key === 'young')?.clicksNeeded ?? Number.NaN;
  };
  expect(need(10)).toBeGreaterThan(50);
  expect(need(40)).toBe(need(10) - 30);
  expect(need(10_000)).toBe(0);
});

it('known pages come in the order of their pessimistic earnings, each within its interval', () => {
  const known = rankByEarnings(pages).filter((page) => page.isKnown);
  expect(known.length).toBe(8);
  for (const { low, mean, high } of known) {
    expect(low).toBeLessThan(mean);
    expect(mean).toBeLessThan(high);
  }
  expect(known.map(({ low }) => low)).toEqual(known.map(({ low }) => low).sort((one, other) => other - one));
});

it('the chain ladder of a printed triangle gives its factors', () => {
  const cohorts = [
    { week: 0, cumulative: [100, 150, 165] },
    { week: 1, cumulative: [120, 180] },
    { week: 2, cumulative: [90] },
  ];
  const curve = buildMaturityCurve(cohorts, 52);
  expect(curve?.horizonWeeks).toBe(2);
  // Factors 330 / 220 = 1.5 and 165 / 150 = 1.1.
  expect(curve?.shares.map((share) => Number(share.toFixed(4)))).toEqual([
    Number((1 / 1.65).toFixed(4)),
    Number((1 / 1.1).toFixed(4)),
    1,
  ]);
});

it('reversals make the share larger than 1 before they happen, and it counts as 1', () => {
  const curve = buildMaturityCurve([{ week: 0, cumulative: [100, 80] }], 52);
  expect(curve?.shares).toEqual([1.25, 1]);
  expect(curve && getMatureShare(curve, 0)).toBe(1);
});

it('ages at which nothing has ever arrived have a share and an interval of 0', () => {
  const curve = buildMaturityCurve([{ week: 0, cumulative: [0, 0, 50, 100] }], 52);
  expect(curve?.shares).toEqual([0, 0, 0.5, 1]);
  expect(curve?.ranges.slice(0, 2)).toEqual([0, 0].map(() => ({ low: 0, high: 0 })));
  expect(curve && getMatureShare(curve, 2 * 7 * 86_400_000 + 1)).toBe(0.5);
  expect(curve && getMatureShare(curve, 99 * 7 * 86_400_000)).toBe(1);
});

it('no commission gives no curve', () => {
  expect(buildMaturityCurve([], 52)).toBeNull();
  expect(buildMaturityCurve([{ week: 0, cumulative: [0, 0] }], 52)).toBeNull();
});

it('a prior is never stronger than the clicks that it was fitted from', () => {
  const pages = [3, 4, 5, 6, 4].map((conversions, index) => ({
    key: `/${index}`,
    matureClicks: 28,
    conversions,
    amount: conversions * 3_880,
  }));
  const { a, b } = fitRatePrior(pages);
  expect(a + b).toBeCloseTo(140);
  const [best] = rankByEarnings(pages);
  // 22 conversions of 140 clicks are known to about a quarter, so no page is known better than to a fifth.
  if (!best?.isKnown) throw new Error('the best page is not known');
  expect((best.high - best.low) / best.mean).toBeGreaterThan(0.4);
});
