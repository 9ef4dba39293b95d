import { expect, it } from 'vitest';
import {
  buildPartner,
  buildViewRequest,
  createTestConsole,
  readAllCommissions,
} from '../../../test/support/console-ledger.ts';
import { buildSampleEntry } from '../../../test/support/sample-commissions.ts';
import { DAY_MS } from '../../core/clock.ts';
import type { LedgerEntry } from '../../core/commissions/ledger/build-ledger.ts';
import { DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import { readSchedule } from '../reports/payments.ts';
import { listPaymentTasks } from './overdue.ts';
import { readPartners, readPayments } from './read.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');

/** A commission of Kit that was booked and changed some days before now. */
function buildEntry(
  id: string,
  status: LedgerEntry['commission']['status'],
  [booked, changed]: readonly [number, number],
  amount = 4_000,
  currency = 'USD',
): LedgerEntry {
  const at = (days: number) => NOW - days * DAY_MS;
  const fields = { nativeId: id, amount, currency, eventTime: at(booked) };
  const reports = [
    { ...fields, changeTime: at(booked) },
    { ...fields, status, changeTime: at(changed) },
  ];
  return buildSampleEntry(reports, null, { partner: 'kit' });
}

const ENTRIES = [
  buildEntry('paid', 'paid', [100, 37], 9_000),
  buildEntry('late', 'approved', [90, 60], 2_500),
  buildEntry('later', 'approved', [88, 60], 1_500),
  buildEntry('undecided', 'pending', [60, 60], 700),
  buildEntry('soon', 'approved', [30, 2], 3_000),
  buildEntry('waiting', 'pending', [5, 5], 1_000),
  buildEntry('euro', 'approved', [30, 2], 1_100, 'EUR'),
];
const payments = {
  approvalDays: 30,
  payout: { rhythm: 'month-day', day: 15, by: 'approval' },
  minimum: { amount: 1_000, currency: 'USD' },
  afterEnd: null,
  method: 'PayPal',
  contact: 'ada@kit.example',
} as const;
const KIT = buildPartner('kit', { name: 'Kit', terms: { ...DEFAULT_TERMS, payments } });
const createKitConsole = () =>
  createTestConsole({ entries: ENTRIES, now: () => NOW, content: { partners: new Map([['kit', KIT]]) } });
const kitRequest = (change: Parameters<typeof buildViewRequest>[0] = {}) => {
  const request = buildViewRequest(change);
  const filters = [{ dimension: 'partner', value: 'kit', isNot: false }] as const;
  return { ...request, query: { ...request.query, filters } };
};

it('the commissions of each payment sum to it, and those of another account or day are left out', async () => {
  const site = await createKitConsole();
  const { rows } = await readPayments(site, kitRequest());
  expect(rows.length).toBeGreaterThan(5);
  for (const { state, day, account, currency, count, paid, approved, pending } of rows) {
    const search = `payment=${state}&account=${account}${day === null ? '' : `&due=${day}`}`;
    const request = kitRequest({ parameters: new URLSearchParams(search) });
    const query = { ...request.query, currency, from: '2020-01-01', to: '2020-01-02' };
    const listed = await readAllCommissions(site, { ...request, query });
    expect(listed).toHaveLength(count);
    expect(listed.reduce((sum, { amount }) => sum + amount, 0)).toBe(paid + approved + pending);
    for (const other of ['account=second', 'due=2020-01-01']) {
      const parameters = new URLSearchParams(`payment=${state}&${other}`);
      expect(await readAllCommissions(site, { ...request, query, parameters })).toEqual([]);
    }
  }
});

it('writes a message about what is overdue with ids, days and amounts, and lists it as tasks', async () => {
  const site = await createKitConsole();
  const { overdue } = await readPartners(site, kitRequest());
  expect(overdue?.message.subject).toMatch(/: \$47\.00 open since October 15, 2026$/);
  expect(overdue?.message.body.split('\n')).toEqual(
    expect.arrayContaining([
      '- late: $25.00, reported August 24, 2026, payment due October 15, 2026',
      'Total: $40.00 (2)',
      '- undecided: $7.00, reported September 23, 2026, approval due October 23, 2026',
      'Account: main',
    ]),
  );
  const scheduled = await readSchedule(site);
  const tasks = listPaymentTasks(scheduled, new Map([['kit', 'Kit']]), '2026-11-22');
  expect(tasks.map(({ key, amount, currency, text }) => [key, amount, currency, text])).toEqual([
    ['overdue:kit:payment:USD:2026-10', 4_000, 'USD', 'Kit has not paid $40.00, due since Oct 15.'],
    [
      'overdue:kit:approval:USD:2026-10',
      700,
      'USD',
      'Kit has not decided $7.00 that should have been approved since Oct 23.',
    ],
  ]);
  expect(tasks[0]?.href).toBe('/console/partners?partner=kit#overdue');
});
