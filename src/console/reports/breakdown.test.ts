import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../test/support/for-all.ts';
import { buildSampleEntry } from '../../../test/support/sample-commissions.ts';
import { DAY_MS } from '../../core/clock.ts';
import { buildCommissionReport } from '../../core/commissions/credit/commission-report.ts';
import { CREDIT_MODELS } from '../../core/commissions/credit/credit.ts';
import type { LedgerEntry } from '../../core/commissions/ledger/build-ledger.ts';
import { COMMISSION_STATUSES } from '../../core/commissions/ledger/commission-fact.ts';
import type { MoneyTotals } from '../../core/commissions/metric-definitions.ts';
import { buildPageName } from '../../core/events/site-path.ts';
import { buildMoneyChart } from '../charts/money-chart.ts';
import { type BreakdownRow, buildBreakdown, getRangeOfViews, sortBreakdown } from './breakdown.ts';
import {
  buildApprovalRates,
  buildMoneySeries,
  buildPeriodFigures,
  buildPeriodMoney,
  NO_CREDIT,
  sumCreditedMoney,
} from './period-figures.ts';
import { buildCells } from './select-entries.ts';

const START = Date.parse('2026-10-24T00:00:00Z');
const PAGES = ['/pricing', '/review', '/case-studies'];

const anyEntry: fc.Arbitrary<LedgerEntry> = fc
  .record({
    status: fc.constantFrom(...COMMISSION_STATUSES),
    amount: fc.integer({ min: 1, max: 100_000 }),
    partner: fc.constantFrom('highlevel', 'kit'),
    day: fc.integer({ min: 0, max: 27 }),
    page: fc.option(fc.constantFrom(...PAGES)),
    nativeId: fc.uuid(),
  })
  .map(({ status, amount, partner, day, page, nativeId }) => {
    const eventTime = START + day * DAY_MS + 5_000;
    const fields = { nativeId, amount, eventTime };
    const reports = [
      { ...fields, changeTime: eventTime },
      { ...fields, status, changeTime: eventTime + 1 },
    ];
    const pages = { pages: ['home', buildPageName(page ?? '')], entryPage: 'home' };
    const journey = page === null ? null : { page, clickTime: eventTime, ...pages };
    return buildSampleEntry(reports, journey, { partner });
  });

const entryList = fc.array(anyEntry, { maxLength: 12 });

const listCells = (entries: readonly LedgerEntry[], clock: 'click' | 'booking' = 'click') =>
  buildCells(entries, 'UTC', clock);

function creditBoth(entries: readonly LedgerEntry[], model: (typeof CREDIT_MODELS)[number]) {
  const cells = listCells(entries);
  const money = sumCreditedMoney(cells, { by: 'page', model, rates: buildApprovalRates(cells, 'USD') });
  return { money, earned: money };
}

const breakdown = (entries: readonly LedgerEntry[], model: (typeof CREDIT_MODELS)[number] = 'clickPage') =>
  buildBreakdown({
    currency: 'USD',
    ...creditBoth(entries, model),
    counts: new Map(PAGES.map((page) => [page, { views: 100, clicks: 10 }])),
    ranking: new Map(),
  });

const sum = (rows: readonly BreakdownRow[], field: keyof MoneyTotals | 'conversions') =>
  rows.reduce((all, row) => all + row[field], 0);

it('under every model the rows of a breakdown sum to the matched money of the report', () =>
  forAll(4, [entryList, fc.constantFrom(...CREDIT_MODELS)], (entries, model) => {
    const matched = entries.filter(({ journey }) => journey !== null);
    const { total } = buildCommissionReport(matched, new Map(), {
      by: 'page',
      model,
      clock: 'booking',
      from: 0,
      to: Number.MAX_SAFE_INTEGER,
      timeZone: 'UTC',
      answerField: '',
    });
    const rows = breakdown(entries, model);
    for (const field of ['approved', 'paid', 'pending', 'reversed'] as const)
      expect(sum(rows, field)).toBe(total.currencies['USD']?.[field] ?? 0);
    expect(sum(rows, 'conversions')).toBe(total.conversions);
  }));

it('the bars of a chart sum to the figures of its period, and every bar is within the chart', () =>
  forAll(1, [entryList, fc.constantFrom('click', 'booking')], (entries, clock) => {
    const query = { from: '2026-10-24', to: '2026-11-20', clock, weekStart: 'monday' } as const;
    const cells = listCells(entries, clock);
    const figures = buildPeriodFigures(buildPeriodMoney(cells, buildApprovalRates(cells, 'USD')), 5);
    const buckets = buildMoneySeries({
      query,
      days: cells.map((cell) => ({ ...cell, day: cell.day ?? 0 })),
      clicksByDay: new Map([['2026-11-01', 5]]),
      curve: null,
      timeZone: 'UTC',
      now: START + 30 * DAY_MS,
    });
    expect(buckets).toHaveLength(28);
    for (const field of ['approved', 'paid', 'pending', 'reversed'] as const)
      expect(buckets.reduce((all, bucket) => all + bucket[field], 0)).toBe(figures[field]);
    const chart = buildMoneyChart({
      buckets,
      currency: 'USD',
      immatureShare: null,
      annotations: [],
      toHref: () => null,
      width: 400,
    });
    for (const shape of chart.shapes) {
      if (shape.kind !== 'rect') continue;
      expect(shape.y).toBeGreaterThanOrEqual(0);
      expect(shape.y + shape.height).toBeLessThanOrEqual(chart.height);
      expect(shape.x + shape.width).toBeLessThanOrEqual(chart.width);
    }
  }));

it('expected money is the approved, and the pending by the approval rate of its partner', () => {
  const build = (nativeId: string, status: 'approved' | 'pending' | 'reversed', amount: number) =>
    buildSampleEntry([
      { nativeId, amount, changeTime: 1 },
      { nativeId, status, amount, changeTime: 2 },
    ]);
  const entries = [
    build('1', 'approved', 9_000),
    build('2', 'reversed', 1_000),
    build('3', 'pending', 12_000),
  ];
  const rates = buildApprovalRates(listCells(entries), 'USD');
  expect(rates.get('highlevel')).toBe(0.9);
  expect(buildPeriodFigures(buildPeriodMoney(listCells(entries), rates), 100)).toMatchObject({
    approved: 9_000,
    pending: 12_000,
    reversed: 1_000,
    expected: 19_800,
    epc: 210,
    matchRate: 1,
  });
  expect(breakdown(entries).find(({ key }) => key === '/pricing')?.expected).toBe(19_800);
});

it('what is not known is last in either direction', () => {
  const row = (key: string, epc: number | null): BreakdownRow => ({
    ...(breakdown([])[0] as BreakdownRow),
    key,
    epc,
  });
  const rows = [row('/none', null), row('/low', 1), row('/high', 2)];
  const sort = (isDescending: boolean) =>
    sortBreakdown(rows, { column: 'epc', isDescending }).map(({ key }) => key);
  expect(sort(true)).toEqual(['/high', '/low', '/none']);
  expect(sort(false)).toEqual(['/low', '/high', '/none']);
});

it.each([
  ['in it', 150, true, false],
  ['below it', 99, true, true],
  ['above it', 301, true, true],
  ['in it, of a page that is not known well', 150, false, true],
])('a figure %s beside the range of 1,000 views', (_, rpm, isKnown, isAlone) => {
  const range = { low: 10, mean: 20, high: 30 };
  const known = { key: '/a', isKnown: true, clicksNeeded: 0, siteShare: 0, ...range } as const;
  const ranked = isKnown ? known : ({ key: '/a', isKnown: false, clicksNeeded: 9, mean: 20, range } as const);
  const row = { ...NO_CREDIT, key: '/a', currency: 'USD', clickRate: null, epc: null };
  expect(getRangeOfViews({ ...row, rpm, ranked, views: 100, clicks: 1 })).toEqual({
    low: 100,
    high: 300,
    isAlone,
  });
});
