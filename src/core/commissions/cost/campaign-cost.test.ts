import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../../test/support/for-all.ts';
import { NOTHING } from '../ranges/build-ranking.ts';
import { estimateEarnings } from '../ranges/rank-by-earnings.ts';
import {
  buildCampaignProfit,
  type CostFacts,
  isCostPeriod,
  listCostDays,
  matchCampaign,
  sumCosts,
  sumProfits,
} from './campaign-cost.ts';

const EVER = { from: '2000-01-01', to: '2099-12-31' };
const anyDay = fc.date({ min: new Date('2024-01-01'), max: new Date('2027-12-31'), noInvalidDate: true });
const toDay = (date: Date) => date.toISOString().slice(0, 10);
const anyCost = fc.record({
  platform: fc.constantFrom('google', 'microsoft', 'typed' as const),
  name: fc.constantFrom('a', 'b', 'c'),
  period: fc.tuple(anyDay, fc.boolean()).map(([date, isDay]) => toDay(date).slice(0, isDay ? 10 : 7)),
  amount: fc.integer({ min: -(10 ** 6), max: 10 ** 9 }),
  currency: fc.constantFrom('USD', 'EUR', 'JPY'),
});

it.each([
  [{ name: 'Spring  Sale' }, ['google / cpc / spring sale'], 'google / cpc / spring sale'],
  [{ name: 'Spring', id: '77' }, ['google / cpc / 77'], 'google / cpc / 77'],
  [{ name: 'Spring', id: '' }, ['google / cpc / '], null],
  [{ name: 'Spring', tagged: 'a / b / c' }, ['google / cpc / spring'], 'a / b / c'],
  [{ name: 'Spring' }, ['google / cpc / spring', 'bing / cpc / spring'], 'google / cpc / spring'],
  [{ name: 'Spring' }, ['google / cpc / spring', 'youtube / cpv / spring'], null],
  [{ name: 'Spring' }, ['mail / email / spring'], 'mail / email / spring'],
  [{ name: 'Spring' }, ['spring'], null],
])('%j among %j is %s', (change, reported, expected) => {
  expect(matchCampaign({ platform: 'google', id: '', tagged: null, ...change }, reported)).toBe(expected);
});

it('sums of costs by any key, over any division of the time, are the sum of the costs', () =>
  forAll(1, [fc.array(anyCost, { maxLength: 20 }), fc.array(anyDay, { maxLength: 4 })], (costs, cuts) => {
    const sum = (range: typeof EVER, getKey: (cost: (typeof costs)[number]) => string) =>
      [...sumCosts(costs, range, getKey).values()].reduce<Record<string, number>>((all, own) => {
        for (const [currency, amount] of Object.entries(own)) all[currency] = (all[currency] ?? 0) + amount;
        return all;
      }, {});
    const expected: Record<string, number> = {};
    for (const { currency, amount } of costs) expected[currency] = (expected[currency] ?? 0) + amount;
    expect(sum(EVER, ({ name }) => name)).toEqual(expected);
    expect(sum(EVER, ({ platform }) => platform)).toEqual(expected);
    const ends = [...cuts.map(toDay).sort(), EVER.to];
    const parts: Record<string, number> = {};
    let from = EVER.from;
    for (const to of ends) {
      if (to >= from)
        for (const [currency, amount] of Object.entries(sum({ from, to }, () => '')))
          parts[currency] = (parts[currency] ?? 0) + amount;
      const next = toDay(new Date(Date.parse(to) + 86_400_000));
      if (next > from) from = next;
    }
    expect(parts).toEqual(expected);
  }));

it('divides a month among its days, with what cannot be divided on the first ones', () => {
  const days = listCostDays({ period: '2026-02', amount: 100 }, EVER);
  expect(days).toHaveLength(28);
  expect([days[0], days[15], days[16]]).toEqual([
    { day: '2026-02-01', amount: 4 },
    { day: '2026-02-16', amount: 4 },
    { day: '2026-02-17', amount: 3 },
  ]);
});

it.each([
  ['2026-11', true],
  ['2026-11-30', true],
  ['2024-02-29', true],
  ['2026-02-29', false],
  ['2026-13', false],
  ['2026-1', false],
  ['26-11-01', false],
  ['', false],
])('takes %j for a period: %s', (text, isPeriod) => expect(isCostPeriod(text)).toBe(isPeriod));

/** What is still to come, with its standard error. */
const comes = (mean: number, error: number) => ({
  mean,
  variance: error ** 2,
  shareError: 0,
  undecided: 0,
  logNothing: -99,
});

const build = (change: Partial<CostFacts> = {}) =>
  buildCampaignProfit({
    campaign: 'google / cpc / brand',
    currency: 'USD',
    cost: 10_000,
    costSince: '2026-11-01',
    expected: 4_000,
    otherMoney: {},
    visits: 500,
    clicks: 100,
    perClick: { low: 50, mean: 80, high: 120, siteShare: null },
    coming: comes(3_200, 1_000),
    arrived: 1,
    ...change,
  });

it('builds profit, return and break-even cost per click from what has come and what is still to come', () =>
  expect(build()).toMatchObject({
    profit: -6_000,
    returnOnSpend: 0.4,
    finalProfit: { low: expect.closeTo(-3_995.4, 1), mean: -2_800, high: expect.closeTo(-1_472.3, 1) },
    costPerVisit: 20,
    breakEven: { low: 10, mean: 16, high: 24 },
  }));

it.each([
  [
    'without clicks that can be counted',
    { clicks: null, visits: null, coming: null },
    { finalProfit: null, breakEven: null, costPerVisit: null },
  ],
  [
    'by booking day',
    { perClick: null, coming: null },
    { finalProfit: null, breakEven: null, costPerVisit: 20 },
  ],
  ['without visits', { visits: 0 }, { breakEven: null, costPerVisit: null }],
  ['without a cost', { cost: 0 }, { returnOnSpend: null, profit: 4_000 }],
])('says what is not known %s', (_, facts, expected) => expect(build(facts)).toMatchObject(expected));

it('sums campaigns under the names of their sources, with what is known of all of them', () => {
  const [google, bing] = sumProfits(
    [
      build(),
      build({
        campaign: 'google / cpc / crm',
        clicks: 300,
        perClick: { low: 10, mean: 20, high: 40, siteShare: 0.1 },
        coming: { mean: 400, variance: 2_000 ** 2, shareError: 30, undecided: 7, logNothing: -1 },
      }),
      build({ campaign: 'google / cpc / new', clicks: 0, perClick: null, coming: null }),
      build({ campaign: 'bing / cpc / crm', visits: null, coming: null }),
    ],
    (campaign) => campaign.split(' / ')[0] ?? '',
  );
  expect(google).toMatchObject({
    campaign: 'google',
    cost: 30_000,
    expected: 12_000,
    profit: -18_000,
    visits: 1_500,
  });
  expect(google).toMatchObject({ clicks: 400, perClick: { low: 20, mean: 35, high: 60 } });
  // Chance is that of both: it adds by its squares, and what is not known of the shares adds as it is.
  const variance = 1_000 ** 2 + 2_000 ** 2;
  expect(google?.coming).toEqual({ mean: 3_600, variance, shareError: 30, undecided: 7, logNothing: -100 });
  expect(bing).toMatchObject({ campaign: 'bing', visits: null, breakEven: null, finalProfit: null });
});

it.each([
  [0.49, { profit: null, returnOnSpend: null }],
  [null, { profit: null, returnOnSpend: null }],
  [0.5, { profit: -6_000, returnOnSpend: 0.4 }],
])('with %s of the money arrived there is a single figure or none', (arrived, expected) => {
  expect(build({ arrived })).toMatchObject({ ...expected, finalProfit: { mean: -2_800 } });
  const [sum] = sumProfits([build({ arrived }), build({ arrived, campaign: 'other' })], () => 'all');
  expect(sum?.profit === null).toBe(expected.profit === null);
});

it('estimates clicks without any conversion from the site, and none where nothing can be said', () => {
  const none = { ...NOTHING, clicks: 1_000, matureClicks: 1_000, clicksError: 0 };
  const site = {
    ...none,
    clicks: 6_000,
    matureClicks: 6_000,
    conversions: 100,
    amount: 200_000,
    squares: 4e8,
  };
  const { low = 1, mean = 0, high = 0, siteShare = 0 } = estimateEarnings(none, site) ?? {};
  expect(low).toBeGreaterThan(0);
  expect([low < mean, mean < high, high < 40]).toEqual([true, true, true]);
  // Three of 100 customers from the 5,000 other clicks.
  expect(siteShare).toBeCloseTo(150 / 1_150, 9);
  expect(estimateEarnings(none, none)).toBeNull();
});
