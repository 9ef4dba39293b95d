import { expect, it } from 'vitest';
import { MemoryExecutor, openMemoryDatabase } from '../../test/support/memory-executor.ts';
import { createMemoryClicks } from '../../test/support/memory-stores.ts';
import { buildSampleFact } from '../../test/support/sample-commissions.ts';
import { createTestLedger } from '../../test/support/test-ledger.ts';
import type { FactArrival, ReportedFact } from '../core/commissions/ledger/commission-fact.ts';
import type { ListedCommission } from '../core/commissions/ledger/stored-money.schema.ts';
import { Ledger } from './ledger.ts';

const DAY = Date.UTC(2025, 9, 1);
const CLICK = '0b3c5f1e-8d1a-4c2b-9e7f-2a6d4b8c0e12';

type Row = readonly [Partial<ReportedFact>, Partial<FactArrival>?];

async function build(rows: readonly Row[], source: 'csv' | null = null) {
  const store = new Ledger(new MemoryExecutor(openMemoryDatabase('commissions')));
  const readTerms = () => new Map([['highlevel', { source }]]);
  const { fold, table } = createTestLedger({ store, clicks: createMemoryClicks([]), readTerms });
  const facts = rows.map(([fields, arrival]) => buildSampleFact({ eventTime: DAY, ...fields }, arrival));
  await store.append({ facts });
  await fold.foldMarked();
  return (listed: readonly ListedCommission[] = []) => table.readDifferences(listed, -1);
}

const list = (id: string, amount: number, fields: Partial<ListedCommission> = {}) => ({
  partner: 'highlevel',
  id,
  amount,
  currency: 'USD',
  time: DAY + 3_600_000,
  ...fields,
});

it('names a commission whose other source reports another amount', async () => {
  const find = await build(
    [
      [{ nativeId: '1', amount: 100, changeTime: 1 }, { source: 'csv' }],
      [{ nativeId: '1', amount: 300, changeTime: 2 }],
      [{ nativeId: '2', amount: 50 }],
    ],
    'csv',
  );
  expect(await find()).toEqual([
    { partner: 'highlevel', id: '1', currency: 'USD', counted: 100, reported: 300 },
    { partner: 'highlevel', id: '2', currency: 'USD', counted: 0, reported: 50 },
  ]);
});

it('compares the total of a click with the sum of its commissions', async () => {
  const arrival = { clickId: CLICK };
  const find = await build([
    [{ nativeId: 'sub:a:1', amount: 100 }, arrival],
    [{ nativeId: 'sub:a:2', amount: 50 }, arrival],
    [{ nativeId: '1', amount: 90 }, arrival],
    [{ nativeId: '2', amount: 20 }, arrival],
  ]);
  expect(await find()).toEqual([
    { partner: 'highlevel', id: 'sub:a:1', currency: 'USD', counted: 110, reported: 150 },
  ]);
});

it('compares a list of a network by id where it can, else by the sum since its first day', async () => {
  const find = await build([
    [{ nativeId: '1', amount: 100 }],
    [{ nativeId: '2', amount: 100 }],
    [{ nativeId: 'sub:x:2025-10-01', amount: 70 }],
    [{ nativeId: 'sub:old', amount: 999, eventTime: DAY - 1 }],
  ]);
  const equal = [list('1', 100), list('2', 100), list('77', 70)];
  expect(await find(equal)).toEqual([]);
  expect(await find([list('1', 100), list('2', 0), list('77', 60), list('78', 30)])).toEqual([
    { partner: 'highlevel', id: '2', currency: 'USD', counted: 100, reported: 0 },
    { partner: 'highlevel', id: 'all since 2025-10-01', currency: 'USD', counted: 70, reported: 90 },
  ]);
});

it('lists what a network has and the ledger has not, for each partner and currency', async () => {
  const listed = [list('9', 10), list('10', 20, { currency: 'EUR' }), list('11', 5, { partner: 'kit' })];
  const find = await build([]);
  expect(
    (await find(listed)).map(({ partner, currency, counted, reported }) => [
      partner,
      currency,
      counted,
      reported,
    ]),
  ).toEqual([
    ['highlevel', 'USD', 0, 10],
    ['highlevel', 'EUR', 0, 20],
    ['kit', 'USD', 0, 5],
  ]);
});
