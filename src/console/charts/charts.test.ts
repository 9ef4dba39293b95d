import { expect, it } from 'vitest';
import { describeYear, type MonthBar } from './charts.tsx';

const buildBar = (from: string, to: string, earned: number, before: number | null): MonthBar => ({
  month: from.slice(0, 7),
  from,
  to,
  solid: earned,
  hatched: 0,
  before,
  clicks: null,
  customers: null,
});
const NOVEMBER = buildBar('2026-11-01', '2026-11-30', 190_000, 990_000);

it.each([
  ['2026-12-13', 'November: $1,900 so far, down from $9,900 last November.'],
  ['2026-12-14', 'December: $20 so far, up from $10 last December.'],
])('says how the last month of at least 14 days does, on %s', (today, words) => {
  const december = buildBar('2026-12-01', today, 2_000, 1_000);
  expect(describeYear([NOVEMBER, december], 'USD')).toBe(`By the day of the click. ${words}`);
});

it('compares with no year that had no money, and with no month of a few days', () => {
  const without = 'By the day of the click. Recent months still grow.';
  expect(describeYear([{ ...NOVEMBER, before: null }], 'USD')).toBe(without);
  expect(describeYear([{ ...NOVEMBER, before: 0 }], 'USD')).toBe(without);
  expect(describeYear([buildBar('2026-12-01', '2026-12-13', 1, 1)], 'USD')).toBe(without);
});
