import { expect, it } from 'vitest';
import {
  buildPartner,
  buildViewRequest,
  createConsoleLedger,
  readAllCommissions,
} from '../../../test/support/console-ledger.ts';
import { DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import { NO_MONEY } from '../../core/commissions/metric-definitions.ts';
import { buildTable } from '../reports/columns.ts';
import { COMMISSION_COLUMNS, readCommissions } from './read.ts';

const list = async (...change: Parameters<typeof buildViewRequest>) => {
  const model = await readCommissions(await createConsoleLedger(), buildViewRequest(...change));
  if (model?.kind !== 'list') throw new Error('expected a list');
  return model;
};

it('lists commissions with their click, newest booking first, and sums those that count', async () => {
  const model = await list();
  expect(model.rows.map(({ id, status, page }) => [id, status, page])).toEqual([
    ['1001', 'approved', '/pricing'],
    ['1002', 'pending', '/pricing'],
    ['1003', 'pending', null],
    ['1004', 'pending', null],
    ['1005', 'pending', null],
  ]);
  expect(model.sums).toEqual([
    {
      ...NO_MONEY,
      unknown: 0,
      currency: 'USD',
      approved: 4_000,
      pending: 1_600,
      count: 3,
      conversions: 1,
      payments: 0,
    },
    {
      ...NO_MONEY,
      unknown: 0,
      currency: 'EUR',
      pending: 2_500,
      count: 1,
      conversions: 0,
      payments: 1,
    },
  ]);
});

it('sorts by a column of the list, and ignores any other', async () => {
  const query = buildViewRequest().query;
  const sort = async (column: string, isDescending: boolean) =>
    (await list({ query: { ...query, sort: { column, isDescending } } })).rows.map(({ id }) => id);
  expect(await sort('amount', false)).toEqual(['1004', '1003', '1002', '1001', '1005']);
  expect(await sort('__proto__', false)).toEqual(['1001', '1002', '1003', '1004', '1005']);
});

it('a search finds ids and sub-ids of all time', async () => {
  const query = { ...buildViewRequest().query, from: '2020-01-01', to: '2020-01-02' };
  expect((await list({ query, search: 'q=1003' })).rows.map(({ id }) => id)).toEqual(['1003']);
  expect((await list({ query, search: 'q=7F0D2B' })).rows.map(({ id }) => id)).toEqual(['1003']);
  expect((await list({ query })).rows).toEqual([]);
});

it('shows one commission with its messages, the credit of every model and its siblings', async () => {
  const site = await createConsoleLedger();
  const model = await readCommissions(site, buildViewRequest({ rest: ['highlevel', '1001'] }));
  if (model?.kind !== 'one') throw new Error('expected a commission');
  expect(model.timeline.map(({ kind, status }) => [kind, status])).toEqual([
    ['click', null],
    ['message', 'pending'],
    ['message', 'approved'],
  ]);
  expect(model.messages.map(({ content }) => content)).toEqual(['{"id":"1001","note":"<b>"}']);
  expect(model.siblings.map(({ id }) => id)).toEqual(['1002']);
});

it('an unknown commission is no page', async () => {
  const site = await createConsoleLedger();
  for (const rest of [['highlevel', 'x'], ['x', '1001'], ['highlevel'], ['highlevel', '1001', 'x']]) {
    expect(await readCommissions(site, buildViewRequest({ rest }))).toBeNull();
  }
  expect(
    await readCommissions(site, buildViewRequest({ rest: ['highlevel', '1001'], search: 'account=x' })),
  ).toBeNull();
});

it('shows when the money of a commission is due', async () => {
  const payments = {
    ...DEFAULT_TERMS.payments,
    approvalDays: 60,
    payout: { rhythm: 'weekly', weekday: 5 },
  } as const;
  const partner = buildPartner('highlevel', { terms: { ...DEFAULT_TERMS, payments } });
  const site = await createConsoleLedger({ content: { partners: new Map([['highlevel', partner]]) } });
  const query = { ...buildViewRequest().query, sort: { column: 'due', isDescending: false } };
  const rows = await readAllCommissions(site, buildViewRequest({ query }));
  expect(rows.map(({ id, due, schedule }) => [id, due, schedule?.state ?? null])).toEqual([
    ['1001', '2025-12-05', 'not confirmed'],
    ['1002', '2026-01-23', 'due'],
    ['1003', '2026-01-23', 'due'],
    ['1004', '2026-01-23', 'due'],
    ['1005', null, null],
  ]);
  const one = await readCommissions(site, buildViewRequest({ rest: ['highlevel', '1002'] }));
  expect(one?.kind === 'one' && one.schedule?.approvalDay).toBe('2026-01-19');
});

it('exports all rows with decimal amounts', async () => {
  const listed = await readAllCommissions(await createConsoleLedger(), buildViewRequest());
  const { columns, rows } = buildTable(listed, COMMISSION_COLUMNS);
  const [first] = [...rows];
  expect(columns).toHaveLength(first?.length ?? 0);
  expect(first?.slice(0, 8)).toEqual('highlevel main 1001 sale approved 40.00 0.00 USD'.split(' '));
});
