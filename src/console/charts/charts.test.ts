import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../test/support/for-all.ts';
import { PAYMENT_STATES, type Payment } from '../../core/commissions/ledger/due-date.ts';
import { buildPaymentOutlook } from '../reports/payments.ts';
import { addDays } from '../reports/range.ts';
import { buildMoneyChart } from './money-chart.ts';

it.each([
  [10_000, -6_000],
  [-6_000, 10_000],
  [10_000, 5_000],
])('bars stay within the drawing with %d approved and %d pending', (approved, pending) => {
  const day = { from: '2026-03-02', to: '2026-03-02', paid: 700, reversed: 0, clicks: null, maturity: 1 };
  const { shapes, top } = buildMoneyChart({
    buckets: [{ ...day, approved, pending }],
    currency: 'USD',
    immatureShare: null,
    annotations: [],
    toHref: () => null,
    width: 800,
  });
  const bars = shapes.filter(({ variant }) =>
    ['chart-paid', 'chart-approved', 'chart-pending'].includes(variant),
  );
  expect(bars.length).toBeGreaterThan(0);
  for (const bar of bars) expect(bar.kind === 'rect' && bar.y).toBeGreaterThanOrEqual(top);
});

const TODAY = '2028-02-20';
const amounts = fc.integer({ min: -5_000, max: 90_000 });
const somePayments = fc.array(
  fc
    .record({
      state: fc.constantFrom(...PAYMENT_STATES),
      days: fc.integer({ min: -90, max: 90 }),
      amounts: fc.tuple(amounts, amounts, amounts),
    })
    .map(({ state, days, amounts: [paid, approved, pending] }): Payment => {
      const money = { paid, approved, pending, expected: approved + Math.round(pending / 2) };
      const day = state === 'no date' || state === 'carried over' ? null : addDays(TODAY, days);
      return { state, day, partner: 'kit', account: 'main', currency: 'USD', ...money, count: 1 };
    }),
  { maxLength: 20 },
);

it('payments of the days of an outlook sum up to its figures', () =>
  forAll(1, [somePayments], (payments) => {
    const outlook = buildPaymentOutlook(payments, 'USD', TODAY);
    const sum = (days: typeof outlook.dueDays, kind: 'paid' | 'expected') =>
      days.reduce((total, day) => total + day.payments.reduce((all, payment) => all + payment[kind], 0), 0);
    expect([sum(outlook.paidDays, 'paid'), sum(outlook.dueDays, 'expected')]).toEqual([
      outlook.paid,
      outlook.expected,
    ]);
    const shown = [...outlook.paidDays, ...outlook.dueDays].flatMap((day) => day.payments);
    const open = [...outlook.others.values()].reduce(
      (all, { approved, pending }) => all + approved + pending,
      0,
    );
    const all = payments.filter(({ state }) => state !== 'paid');
    const getOpen = (rows: readonly Payment[]) =>
      rows.reduce((total, { approved, pending }) => total + approved + pending, 0);
    expect(open + getOpen(shown.filter(({ state }) => state !== 'paid'))).toBe(getOpen(all));
  }));
