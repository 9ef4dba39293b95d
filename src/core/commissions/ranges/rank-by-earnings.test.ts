import { expect, it } from 'vitest';
import { getBetaCdf, getLogGamma } from './beta-distribution.ts';
import { buildMaturityCurve, getMatureShare, type MaturityCurve } from './maturity.ts';
import {
  buildComingRange,
  buildRange,
  type EarnedClicks,
  estimateEarnings,
  predictComing,
} from './rank-by-earnings.ts';

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

/** Clicks whose money has arrived, and customers who each paid so much. */
const earn = (_key: string, clicks: number, conversions: number, value = 4_000): EarnedClicks => ({
  clicks,
  matureClicks: clicks,
  clicksError: 0,
  conversions,
  amount: conversions * value,
  squares: conversions * value ** 2,
  undecided: 0,
});

const sumOf = (entries: readonly EarnedClicks[]): EarnedClicks => {
  const sum = (get: (entry: EarnedClicks) => number) => entries.reduce((all, entry) => all + get(entry), 0);
  return {
    clicks: sum(({ clicks }) => clicks),
    matureClicks: sum(({ matureClicks }) => matureClicks),
    clicksError: sum(({ clicksError }) => clicksError),
    conversions: sum(({ conversions }) => conversions),
    amount: sum(({ amount }) => amount),
    squares: sum(({ squares }) => squares),
    undecided: 0,
  };
};

// Quantiles of the chi-square distribution with 10 and 40 degrees of freedom, by two (printed tables).
it.each([
  [5, 2.433, 7.994],
  [20, 14.525, 25.903],
])('the 80 %% range of a gamma variable with mean and variance %d is %d to %d', (mean, low, high) => {
  const range = buildRange(mean, mean);
  expect(range.low).toBeCloseTo(low, 1);
  expect(range.high).toBeCloseTo(high, 1);
});

it('a range is never below 0, and one of nothing is a point', () => {
  expect(buildRange(1, 100).low).toBe(0);
  expect(buildRange(0, 0)).toEqual({ low: 0, mean: 0, high: 0 });
});

it('the site counts as three customers, so that it hardly moves what has ten times as many', () => {
  // The other pages earn 100 for a click, this one 50 and 200.
  const others = earn('others', 4_000, 100);
  const estimate = (own: EarnedClicks) => estimateEarnings(own, sumOf([own, others]));
  // 3 customers of the others came from 120 clicks.
  expect(estimate(earn('few', 400, 5))?.mean).toBeCloseTo(((5 + 3) * 4_000) / (400 + 120), 9);
  expect(estimate(earn('many', 2_400, 120))?.mean).toBeCloseTo(((120 + 3) * 4_000) / (2_400 + 120), 9);
});

it('a site that is one page adds nothing to what that says', () => {
  const only = earn('only', 1_000, 25);
  expect(estimateEarnings(only, sumOf([only]))).toMatchObject({ mean: 100 });
  expect(estimateEarnings(earn('none', 50, 0), sumOf([earn('none', 50, 0)]))).toBeNull();
});

it('amounts that vary and shares that are not known make the range wider', () => {
  const width = (own: EarnedClicks) => {
    const { low = 0, high = 0 } = estimateEarnings(own, sumOf([own])) ?? {};
    return high - low;
  };
  const equal = earn('equal', 1_000, 100);
  expect(width({ ...equal, squares: 2 * equal.squares }) / width(equal)).toBeCloseTo(Math.sqrt(1.9 / 0.9), 1);
  // Errors of 10 % each, of the customers and of the share.
  expect(width({ ...equal, clicksError: 100 }) / width(equal)).toBeCloseTo(Math.sqrt(1.9 / 0.9), 1);
});

const WEEK = 7 * 86_400_000;
/** Half of the money comes in the week of the click, the rest five weeks later; each customer brings two units. */
const CURVE: MaturityCurve = {
  shares: [...Array.from({ length: 5 }, () => 0.5), ...Array.from({ length: 25 }, () => 1)],
  ranges: [],
  horizonWeeks: 29,
  spread: Array.from({ length: 27 }, (_, age) =>
    age < 5 ? { seen: 2_000, later: 2_000 } : { seen: 4_000, later: 0 },
  ),
};
const NOW = 100 * WEEK;

it('predicts what comes within 12 months as a spread of what comes, not of its mean', () => {
  const own = { ...earn('own', 1_000, 50), matureClicks: 500 };
  const predict = (weeksAgo: number, curve: MaturityCurve | null = CURVE) =>
    predictComing(own, sumOf([own]), [{ week: NOW - weeksAgo * WEEK, clicks: 1_000 }], { curve, now: NOW });
  // A click earns 400: 1,000 young ones bring half of it, as customers of 4,000 who came or did not.
  expect(predict(2)).toMatchObject({ mean: 200_000, shareError: 0, logNothing: -50 });
  expect(predict(2)?.variance).toBeCloseTo(400 * 1_000 * (2_000 + 2_000), 3);
  expect(predict(30)).toMatchObject({ mean: 0, variance: 0 });
  expect(predict(2, null)).toBeNull();
  expect(predict(2, { ...CURVE, spread: [] })).toBeNull();
});

it('what is pending may be reversed, also when nothing else comes', () => {
  const own = { ...earn('own', 1_000, 50), undecided: 1_000_000 };
  const weeks = [{ week: NOW - 30 * WEEK, clicks: 1_000 }];
  const coming = predictComing(own, sumOf([own]), weeks, { curve: CURVE, now: NOW });
  expect(coming).toMatchObject({ mean: 0, variance: 0, undecided: 1_000_000 });
  const range = coming && buildComingRange(coming);
  expect([Math.round(range?.low ?? 0), Math.round(range?.high ?? 0)]).toEqual([-1_282, 1_282]);
});

it('later payments of known customers vary less than new customers do', () => {
  const own = { ...earn('own', 1_000, 50), matureClicks: 500 };
  const weeks = [{ week: NOW - 2 * WEEK, clicks: 1_000 }];
  // Every customer pays the same twice: what comes is known from what has come.
  const spread = CURVE.spread.map((_, age) =>
    age < 5 ? { seen: 1_000, later: 1_000 } : { seen: 4_000, later: 0 },
  );
  expect(
    predictComing(own, sumOf([own]), weeks, { curve: { ...CURVE, spread }, now: NOW })?.variance,
  ).toBeCloseTo(0, 6);
});

it.each([
  [-2, true],
  [-2.4, false],
])(
  'what comes begins with nothing where nothing comes in more than one case of ten (e^%d)',
  (logNothing, isZero) => {
    const { low } = buildComingRange({
      mean: 10_000,
      variance: 10_000 ** 2 / 3,
      shareError: 0,
      undecided: 0,
      logNothing,
    });
    expect(low === 0).toBe(isZero);
  },
);

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
  expect(curve && getMatureShare(curve, 0.5 * WEEK)).toBe(1);
});

it('what is still to come shrinks evenly between the ends of two weeks, and from the click to the end of the first', () => {
  const curve = { shares: [0.2, 0.8, 0.95, 1], ranges: [], horizonWeeks: 3, spread: [] };
  const at = (weeks: number) => Number(getMatureShare(curve, weeks * WEEK).toFixed(6));
  expect([0, 0.25, 0.5, 1, 1.5, 2, 3, 3.5].map(at)).toEqual([0, 0.1, 0.2, 0.6, 0.8, 0.9, 0.975, 1]);
});

it('ages at which nothing has ever arrived have a share and an interval of 0', () => {
  const curve = buildMaturityCurve([{ week: 0, cumulative: [0, 0, 50, 100] }], 52);
  expect(curve?.shares).toEqual([0, 0, 0.5, 1]);
  expect(curve?.ranges.slice(0, 2)).toEqual([0, 0].map(() => ({ low: 0, high: 0 })));
  // Clicks of a week are half a week old at its end on average.
  expect(curve && getMatureShare(curve, 2.5 * WEEK)).toBe(0.5);
  expect(curve && getMatureShare(curve, 99 * WEEK)).toBe(1);
});

it('no commission gives no curve', () => {
  expect(buildMaturityCurve([], 52)).toBeNull();
  expect(buildMaturityCurve([{ week: 0, cumulative: [0, 0] }], 52)).toBeNull();
});
