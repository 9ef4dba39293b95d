import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../../test/support/for-all.ts';
import { NOTHING } from '../ranges/build-ranking.ts';
import { estimateEarnings } from '../ranges/rank-by-earnings.ts';
import { isCostPeriod, listCostDays, matchCampaign } from './campaign-cost.ts';

const EVER = { from: '2000-01-01', to: '2099-12-31' };
const anyDay = fc.date({ min: new Date('2024-01-01'), max: new Date('2027-12-31'), noInvalidDate: true });
const toDay = (date: Date) => date.toISOString().slice(0, 10);
const anyCost = fc.record({
  period: fc.tuple(anyDay, fc.boolean()).map(([date, isDay]) => toDay(date).slice(0, isDay ? 10 : 7)),
  amount: fc.integer({ min: -(10 ** 6), max: 10 ** 9 }),
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

it('the days of a cost, over any division of the time, sum to it', () =>
  forAll(1, [anyCost, anyDay], (cost, cut) => {
    const [before, after] = [toDay(cut), toDay(new Date(cut.getTime() + 86_400_000))];
    const ranges = [
      { ...EVER, to: before },
      { ...EVER, from: after },
    ];
    const days = ranges.flatMap((range) => listCostDays(cost, range));
    expect(days.reduce((sum, { amount }) => sum + amount, 0)).toBe(cost.amount);
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
  const { low = 1, mean = 0, high = 0 } = estimateEarnings(none, site) ?? {};
  expect(low).toBeGreaterThan(0);
  expect([low < mean, mean < high, high < 40]).toEqual([true, true, true]);
  expect(estimateEarnings(none, none)).toBeNull();
});
