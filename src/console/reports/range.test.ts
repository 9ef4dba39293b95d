import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../test/support/for-all.ts';
import { listBuckets } from './period-figures.ts';
import {
  addDays,
  addMonths,
  buildComparedRange,
  buildNeighborRange,
  buildPresetRange,
  countDays,
  getWeekStart,
  RANGE_PRESETS,
} from './range.ts';
import { getPeriod } from './select-entries.ts';

const day = fc.integer({ min: 0, max: 9_500 }).map((days) => addDays('2004-01-01', days));
const anyDays = fc
  .tuple(day, fc.integer({ min: 1, max: 800 }))
  .map(([from, days]) => ({ range: 'custom', from, to: addDays(from, days - 1) }));
const anyPreset = fc
  .tuple(day, fc.constantFrom(...RANGE_PRESETS.map(({ key }) => key)))
  .map(([today, range]) => ({
    range,
    ...(buildPresetRange(range, { today, allTime: null, weekStart: 'monday' }) ?? { from: '', to: '' }),
  }));
const anyPeriod = fc.oneof(anyDays, anyPreset);
const isMonthStart = (text: string) => text.endsWith('-01');
const isWhole = ({ from, to }: { from: string; to: string }) =>
  isMonthStart(from) && isMonthStart(addDays(to, 1));

it.each([
  ['this month, the first 20 days', 'month', '2026-11-01', '2026-11-20', '2026-10-01', '2026-10-20'],
  ['the same days chosen by hand', 'custom', '2026-11-01', '2026-11-20', '2026-10-01', '2026-10-20'],
  ['a month of 31 days before one of 28', 'month', '2026-03-01', '2026-03-30', '2026-02-01', '2026-02-28'],
  ['last month', 'last-month', '2026-10-01', '2026-10-31', '2026-09-01', '2026-09-30'],
  ['March after February of a leap year', 'custom', '2024-03-01', '2024-03-31', '2024-02-01', '2024-02-29'],
  ['this quarter', 'quarter', '2026-10-01', '2026-11-20', '2026-07-01', '2026-08-20'],
  ['last quarter', 'last-quarter', '2026-07-01', '2026-09-30', '2026-04-01', '2026-06-30'],
  ['this year', 'year', '2026-01-01', '2026-11-20', '2025-01-01', '2025-11-20'],
  ['this year in January', 'year', '2026-01-01', '2026-01-20', '2025-01-01', '2025-01-20'],
  ['last year', 'last-year', '2025-01-01', '2025-12-31', '2024-01-01', '2024-12-31'],
  ['12 months', '12mo', '2025-11-21', '2026-11-20', '2024-11-21', '2025-11-20'],
  ['28 days that are a February', '28d', '2026-02-01', '2026-02-28', '2026-01-04', '2026-01-31'],
  ['30 days', '30d', '2026-10-22', '2026-11-20', '2026-09-22', '2026-10-21'],
  ['a day, with its weekday', 'yesterday', '2026-11-19', '2026-11-19', '2026-11-12', '2026-11-12'],
])('%s: what %s from %s to %s is compared with', (_, range, from, to, first, last) => {
  expect(buildComparedRange({ range, from, to, compare: 'previous' })).toEqual({ from: first, to: last });
});

it('the year before has the same dates, and whole months stay whole', () => {
  const compare = (from: string, to: string) => buildComparedRange({ from, to, compare: 'year' });
  expect(compare('2024-02-29', '2024-02-29')).toEqual({ from: '2023-02-28', to: '2023-02-28' });
  expect(compare('2025-02-01', '2025-02-28')).toEqual({ from: '2024-02-01', to: '2024-02-29' });
  expect(compare('2026-10-24', '2026-11-20')).toEqual({ from: '2025-10-24', to: '2025-11-20' });
  expect(buildComparedRange({ from: '2026-11-01', to: '2026-11-20', compare: 'none' })).toBeNull();
});

const compare = (period: { readonly range: string; readonly from: string; readonly to: string }) =>
  buildComparedRange({ ...period, compare: 'previous' }) ?? { from: '', to: '' };

it('a period is compared with one that is over before it begins', () =>
  forAll(1, [anyPeriod], (period) => {
    const { from, to } = compare(period);
    expect(from <= to && to < period.from).toBe(true);
  }));

it('whole months are compared with as many whole months right before them', async () => {
  const anyMonths = fc.tuple(day, fc.integer({ min: 1, max: 30 })).map(([some, months]) => {
    const from = `${some.slice(0, 8)}01`;
    return { months, range: 'custom', from, to: addDays(addMonths(from, months), -1) };
  });
  await forAll(1, [anyMonths], ({ months, ...period }) => {
    const compared = compare(period);
    expect(compared).toEqual({ from: addMonths(period.from, -months), to: addDays(period.from, -1) });
    expect(isWhole(compared)).toBe(true);
  });
});

it('a month, quarter or year that is not over is compared with the same days of the one before', () =>
  forAll(1, [day, fc.constantFrom('month', 'quarter', 'year')], (today, range) => {
    const days = buildPresetRange(range, { today, allTime: null, weekStart: 'monday' });
    const period = { range, from: days?.from ?? '', to: days?.to ?? '' };
    const months = RANGE_PRESETS.find(({ key }) => key === range)?.months ?? 0;
    const compared = compare(period);
    expect(compared.from).toBe(addMonths(period.from, -months));
    if (isWhole(period)) expect(isWhole(compared)).toBe(true);
    else expect(compared.to).toBe(addMonths(today, -months));
  }));

it('other periods are compared with as many days right before them, or the same weekdays of the week before', () =>
  forAll(1, [anyDays], ({ from, to }) => {
    fc.pre(!isMonthStart(from));
    const days = countDays(from, to);
    const compared = compare({ range: 'custom', from, to });
    expect(countDays(compared.from, compared.to)).toBe(days);
    expect(addDays(compared.to, Math.max(7, days))).toBe(to);
  }));

it('the steps back from any period have every day of the calendar once, also where clocks change', () =>
  forAll(
    1,
    [anyPeriod, fc.constantFrom('UTC', 'America/New_York', 'Pacific/Auckland')],
    (period, timeZone) => {
      let later = period;
      for (let step = 0; step < 6; step++) {
        const earlier = { range: 'custom', ...buildNeighborRange(later, -1) };
        expect(addDays(earlier.to, 1)).toBe(later.from);
        expect(getPeriod(earlier, timeZone).to).toBe(getPeriod(later, timeZone).from);
        later = earlier;
      }
    },
  ));

it('a step ahead returns from a step back, to the whole month of one that was not over', () =>
  forAll(2, [anyPeriod], ({ range, ...period }) => {
    const earlier = buildNeighborRange({ range, ...period }, -1);
    const returned = buildNeighborRange(earlier, 1);
    expect(returned.from).toBe(period.from);
    const months = RANGE_PRESETS.find(({ key }) => key === range)?.months ?? null;
    if (months === null && !isWhole(earlier)) expect(returned.to).toBe(period.to);
    else if (isMonthStart(period.from)) expect(isWhole(returned)).toBe(true);
  }));

it.each(['monday', 'sunday'] as const)('bars have each day once, with weeks from %s', async (weekStart) => {
  await forAll(1, [anyDays, fc.constantFrom('day', 'week', 'month')], (period, unit) => {
    const buckets = listBuckets({ ...period, weekStart }, unit);
    expect([buckets[0]?.from, buckets.at(-1)?.to]).toEqual([period.from, period.to]);
    for (const [index, { from, start }] of buckets.entries()) {
      if (index > 0) expect(from).toBe(addDays(buckets[index - 1]?.to ?? '', 1));
      if (unit === 'week') expect(start).toBe(getWeekStart(from, weekStart));
    }
  });
});
