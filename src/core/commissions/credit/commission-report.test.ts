import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../../test/support/for-all.ts';
import { buildSampleJourney, buildStoredFact } from '../../../../test/support/sample-commissions.ts';
import type { VisitSource } from '../../events/visit-source.ts';
import { COMMISSION_STATUSES, type StoredFact } from '../ledger/commission-fact.ts';
import { foldCommission } from '../ledger/fold-commission.ts';
import { getApprovalRate, getEpc, getMatchRate, NO_MONEY } from '../metric-definitions.ts';
import {
  buildCommissionReport,
  REPORT_DIMENSIONS,
  type ReportedCommission,
  type ReportQuery,
} from './commission-report.ts';
import { CAMPAIGN_MODELS, type FrozenJourney } from './credit.ts';

const DAY = 86_400_000;

const options: ReportQuery = {
  by: 'page',
  model: 'last',
  from: 0,
  to: 400 * DAY,
  timeZone: 'UTC',
  answerField: 'businessType',
};

function createCommission(
  parts: Partial<StoredFact>,
  journey: Partial<FrozenJourney> | null,
): ReportedCommission {
  const times = { eventTime: 40 * DAY, changeTime: 40 * DAY, arrivedAt: 365 * DAY };
  const fact = buildStoredFact({ nativeId: '1', status: 'approved', source: 'api', ...times, ...parts });
  return {
    commission: foldCommission([fact]),
    journey:
      journey &&
      buildSampleJourney({
        clickTime: 5 * DAY,
        touches: [],
        pages: ['home', 'pricing'],
        entryPage: 'home',
        ...journey,
      }),
  };
}

const money = (approved: number, pending = 0, reversed = 0, unknown = 0) => ({
  approved,
  paid: 0,
  pending,
  reversed,
  unknown,
});

it('a report has the clicks and the money of every page, and of no page what is unmatched', () => {
  const report = buildCommissionReport(
    [createCommission({}, {}), createCommission({ status: 'pending', amount: 100, currency: 'EUR' }, null)],
    new Map([
      ['/pricing', 10],
      ['/blog', 3],
    ]),
    options,
  );
  expect(report.rows).toEqual([
    { key: '/pricing', clicks: 10, conversions: 1, payments: 0, currencies: { USD: money(4_000) } },
    { key: '/blog', clicks: 3, conversions: 0, payments: 0, currencies: {} },
  ]);
  expect(report.unmatched).toEqual({
    key: 'unmatched',
    clicks: 0,
    conversions: 0,
    payments: 0,
    currencies: { EUR: money(0, 100) },
  });
  expect(report.total).toEqual({
    key: 'total',
    clicks: 13,
    conversions: 1,
    payments: 0,
    currencies: { USD: money(4_000), EUR: money(0, 100) },
  });
});

it.each([
  ['placement', '/pricing hero'],
  ['answer', 'agency'],
  ['partner', 'highlevel'],
  ['month', '1970-01'],
  ['campaign', 'No campaign'],
] as const)('by %s the commission is in the row %j', (by, key) => {
  const report = buildCommissionReport([createCommission({}, {})], new Map(), {
    ...options,
    by,
    model: 'last',
  });
  expect(report.rows.map((row) => row.key)).toEqual([key]);
});

it('the day of the click decides the period and the month', () => {
  const january = { ...options, from: 0, to: 31 * DAY, by: 'month' } as const;
  const { rows } = buildCommissionReport([createCommission({}, {})], new Map(), january);
  expect(rows.map(({ key }) => key)).toEqual(['1970-01']);
});

it('months are in the order of time, whatever they earned', () => {
  const amounts = [50, 4_000, 9, 700];
  const commissions = amounts.map((amount, index) =>
    createCommission({ amount, eventTime: index * 31 * DAY }, { clickTime: index * 31 * DAY }),
  );
  const { rows } = buildCommissionReport(commissions.toReversed(), new Map(), { ...options, by: 'month' });
  expect(rows.map(({ key }) => key)).toEqual(['1970-01', '1970-02', '1970-03', '1970-04']);
});

const anySource = fc.constantFrom<VisitSource>(
  { channel: 'search', name: 'Google' },
  { channel: 'paid search', name: 'Google' },
  { channel: 'AI assistant', name: 'ChatGPT' },
  { channel: 'direct', name: '' },
);
const anyCommission = fc
  .record({
    status: fc.constantFrom(...COMMISSION_STATUSES),
    amount: fc.integer({ min: -(2 ** 40), max: 2 ** 40 }),
    currency: fc.constantFrom('USD', 'EUR'),
    eventTime: fc.integer({ min: 0, max: 60 * DAY }),
    journey: fc.option(
      fc.record({
        clickTime: fc.integer({ min: 0, max: 60 * DAY }),
        page: fc.constantFrom('/a', '/b'),
        pages: fc.array(fc.constantFrom('home', 'a', 'b'), { maxLength: 4 }),
        sources: fc.option(
          fc.record({
            first: anySource,
            last: anySource,
            between: fc.option(fc.array(anySource, { maxLength: 2 }), { nil: undefined }),
          }),
          { nil: undefined },
        ),
      }),
    ),
  })
  .map(({ journey, ...fact }) => createCommission(fact, journey));

it('for every dimension and model the rows and the unmatched money sum to the total', () =>
  forAll(
    1,
    [
      fc.array(anyCommission, { maxLength: 8 }),
      fc.constantFrom(...REPORT_DIMENSIONS),
      fc.constantFrom(...CAMPAIGN_MODELS),
    ],
    (commissions, by, model) => {
      const report = buildCommissionReport(commissions, new Map(), {
        ...options,
        by,
        model,
        to: 30 * DAY,
      });
      for (const currency of ['USD', 'EUR']) {
        for (const field of ['approved', 'paid', 'pending', 'reversed', 'unknown'] as const) {
          const sum = [...report.rows, report.unmatched].reduce(
            (all, row) => all + (row.currencies[currency]?.[field] ?? 0),
            0,
          );
          expect(sum).toBe(report.total.currencies[currency]?.[field] ?? 0);
        }
      }
    },
  ));

it('another commission never changes the rows that it does not touch', () =>
  forAll(4, [fc.array(anyCommission, { maxLength: 6 })], (commissions) => {
    const before = buildCommissionReport(commissions, new Map(), options);
    const extra = createCommission({ nativeId: '2' }, { page: '/other' });
    const after = buildCommissionReport([...commissions, extra], new Map(), options);
    expect(after.rows.filter(({ key }) => key !== '/other')).toEqual(before.rows);
  }));

it.each([
  ['EPC', getEpc({ approved: 10_000, paid: 30_000, pending: 8_000, reversed: 0 }, 1_200), 40],
  ['EPC without clicks', getEpc({ ...NO_MONEY, approved: 1 }, 0), null],
  ['approval rate', getApprovalRate({ approved: 20_000, paid: 70_000, pending: 5, reversed: 10_000 }), 0.9],
  ['approval rate of nothing', getApprovalRate({ ...NO_MONEY, pending: 5 }), null],
  ['match rate', getMatchRate(96_000, 4_000), 0.96],
  ['match rate of nothing', getMatchRate(0, 0), null],
])('%s is computed as defined', (_, value, expected) => expect(value).toBe(expected));
