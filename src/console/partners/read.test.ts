import { expect, it, vi } from 'vitest';
import {
  buildPartner,
  buildViewRequest,
  CONSOLE_NOW,
  createConsoleLedger,
  createTestConsole,
  readAllCommissions,
} from '../../../test/support/console-ledger.ts';
import { buildSampleEntry } from '../../../test/support/sample-commissions.ts';
import { DAY_MS } from '../../core/clock.ts';
import type { LedgerEntry } from '../../core/commissions/ledger/build-ledger.ts';
import { DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import { buildSyncLogKey } from '../../server/commissions/sync-networks.ts';
import { buildTable } from '../reports/columns.ts';
import { PAYMENT_COLUMNS, readPaymentOutlook, readSchedule } from '../reports/payments.ts';
import { listPaymentTasks } from './overdue.ts';
import { readPartners, readPartnerTable, readPayments } from './read.ts';

async function read(log: string) {
  const counts = { views: 0, sessions: 0, actions: 0, clicks: 8 };
  vi.stubEnv('FIRSTPROMOTER_TOKEN', 'token');
  const site = await createConsoleLedger();
  Object.assign(site.money.rollups, { readByKey: async () => [{ ...counts, key: ['highlevel'] }] });
  await site.money.ledger.writeState(buildSyncLogKey('firstpromoter'), log);
  return readPartners(site, buildViewRequest());
}

it('shows clicks, rates and times of a partner', async () => {
  const log = { at: CONSOLE_NOW, state: 'done', stored: 2, matched: 1, problem: '' };
  const { rows, curves } = await read(JSON.stringify(log));
  expect(rows).toEqual([
    expect.objectContaining({
      key: 'highlevel',
      clicks: 8,
      // Both commissions are of one click: a customer who paid twice.
      conversions: 1,
      payments: 1,
      conversionRate: 0.125,
      approvalRate: 1,
      timeToConvert: { median: 2 * DAY_MS, p90: 2 * DAY_MS, count: 1 },
      timeToApprove: { median: 10 * DAY_MS, p90: 10 * DAY_MS, count: 1 },
      nextSyncAt: CONSOLE_NOW + 6 * 3_600_000,
    }),
  ]);
  // Five conversions are needed for a curve.
  expect(curves).toEqual([]);
});

it('a log that cannot be read is as if there was no run', async () => {
  for (const log of ['', '{', '{"at":"x"}']) {
    const { rows } = await read(log);
    expect(rows[0]?.nextSyncAt).toBeNull();
  }
});

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

it('shows when a partner pays how much, and leaves what is overdue out of what is expected', async () => {
  const { payments: lines } = await readPartners(await createKitConsole(), kitRequest());
  expect(lines.map(({ outlook }) => [outlook?.currency, outlook?.paid, outlook?.expected])).toEqual([
    ['USD', 9_000, 4_000],
    ['EUR', 0, 1_100],
  ]);
  const [dollars] = lines;
  expect(dollars?.terms).toEqual([
    'approves within 30 days',
    'pays on the 15th, for approvals of earlier months',
    'from $10.00',
    'by PayPal',
  ]);
  expect(dollars?.outlook?.dueDays.map(({ day, expected }) => [day, expected])).toEqual([
    ['2026-12-15', 3_000],
    ['2027-01-15', 1_000],
  ]);
  expect([...(dollars?.outlook?.others ?? [])]).toEqual([
    ['payment overdue', { approved: 4_000, pending: 0, partners: ['kit'] }],
    ['approval overdue', { approved: 0, pending: 700, partners: ['kit'] }],
  ]);
});

it('the overview, the view and the export have the same money in each currency', async () => {
  const site = await createKitConsole();
  const { rows } = await readPayments(site, kitRequest());
  const { query } = kitRequest();
  for (const currency of ['USD', 'EUR']) {
    const { outlook, otherCurrencies } = await readPaymentOutlook(site, { ...query, currency });
    expect(otherCurrencies).toHaveLength(1);
    const due = rows.filter((row) => row.currency === currency && row.state === 'due');
    expect(outlook.expected).toBe(due.reduce((sum, { expected }) => sum + expected, 0));
    const open = rows.filter((row) => row.currency === currency && row.state !== 'paid');
    const money = ENTRIES.filter(
      ({ commission }) => commission.currency === currency && commission.status !== 'paid',
    ).reduce((sum, { commission }) => sum + commission.amount, 0);
    expect(open.reduce((sum, { approved, pending }) => sum + approved + pending, 0)).toBe(money);
  }
  const exported = await readPartnerTable(site, kitRequest({ rest: ['payments'] }));
  expect([...exported.rows]).toEqual([...buildTable(rows, PAYMENT_COLUMNS).rows]);
  expect([...exported.rows][0]).toEqual([
    '2026-10-15',
    'payment overdue',
    'kit',
    'main',
    'USD',
    '0.00',
    '40.00',
    '0.00',
    '40.00',
    2,
  ]);
});

it('the outlook has all money in the reporting currency', async () => {
  const site = await createKitConsole();
  const days = Array.from({ length: 500 }, (_, day) =>
    new Date(NOW - day * DAY_MS).toISOString().slice(0, 10),
  );
  const typed = days.flatMap((day) =>
    ['USD', 'EUR'].map((base) => ({ day, base, origin: 'operator', rates: { GBP: '2' } }) as const),
  );
  await site.money.ledger.writeRates(typed, NOW);
  await site.money.ledger.writeReportingCurrency('GBP');
  const { outlook, otherCurrencies } = await readPaymentOutlook(site, kitRequest().query);
  expect([outlook.paid, outlook.expected, otherCurrencies]).toEqual([18_000, 10_200, []]);
});

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
      '- late: $25.00, booked August 24, 2026, payment due October 15, 2026',
      'Total: $40.00 (2)',
      '- undecided: $7.00, booked September 23, 2026, approval due October 23, 2026',
      'Account: main',
    ]),
  );
  const scheduled = await readSchedule(site);
  const tasks = listPaymentTasks(scheduled, new Map([['kit', 'Kit']]), '2026-11-22');
  expect(tasks.map(({ key, amount, currency, text }) => [key, amount, currency, text])).toEqual([
    ['overdue:kit:payment:USD:2026-10', 4_000, 'USD', 'Kit has not paid $40.00 that was due since Oct 15.'],
    [
      'overdue:kit:approval:USD:2026-10',
      700,
      'USD',
      'Kit has not decided $7.00 that should have been approved since Oct 23.',
    ],
  ]);
  expect(tasks[0]?.href).toBe('/console/partners?partner=kit#overdue');
});

it('a share link shows the payments of a partner without commissions and contact', async () => {
  const viewer = { kind: 'share', id: 's-1' } as const;
  const { overdue, payments: lines } = await readPartners(await createKitConsole(), kitRequest({ viewer }));
  expect(overdue).toBeNull();
  expect(lines).toHaveLength(2);
});
