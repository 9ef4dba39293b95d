import { expect, it } from 'vitest';
import { parseCostFile } from './cost-columns.ts';

/** Parses the lines of a file of Meta, of a campaign `A` unless a line names another. */
const parse = (lines: readonly Readonly<Record<string, string>>[]) =>
  parseCostFile(
    {
      titles: [],
      rows: lines.map((row, index) => ({
        line: index + 2,
        row: { 'Campaign name': 'A', ...row },
        extra: [],
      })),
    },
    { platform: 'meta', currency: 'USD', now: Date.parse('2026-12-01') },
  );

it.each([
  ['2026-11-01', '2026-11-01', '2026-11-01'],
  ['2026-11-01', '2026-11-30', '2026-11'],
  ['2026-02-01', '2026-02-28', '2026-02'],
  ['2028-02-01', '2028-02-28', null],
  ['2026-11-02', '2026-11-30', null],
  ['2026-11-01', '2026-11-29', null],
  ['2026-10-01', '2026-11-30', null],
])('a report from %s to %s is of %s', (from, to, period) => {
  const { costs, problems } = parse([
    { 'Reporting starts': from, 'Reporting ends': to, 'Amount spent': '5' },
  ]);
  expect(costs.map((cost) => cost.period)).toEqual(period === null ? [] : [period]);
  expect(problems).toHaveLength(period === null ? 1 : 0);
});

it('has no cost of a file with a problem, and names at most ten', () => {
  const good = { Day: '2026-11-01', Cost: '5.00' };
  expect(parse([good]).costs).toMatchObject([{ name: 'A', period: '2026-11-01', amount: 500 }]);
  const { costs, problems } = parse([good, ...Array.from({ length: 11 }, () => ({ ...good, Cost: 'much' }))]);
  expect([costs, problems.length]).toEqual([[], 10]);
  expect(problems[0]).toBe('Line 3: "much" is no amount.');
});

it('adds what lines of one campaign and day cost, and leaves out rows of totals', () => {
  const { costs, totals } = parse([
    { Day: '2026-11-01', Cost: '5.00' },
    { Day: '2026-11-01', Cost: '2.50' },
    { 'Campaign name': '--', Day: '--', Cost: '7.50' },
  ]);
  expect([costs.map(({ amount }) => amount), totals]).toEqual([[750], 1]);
});
