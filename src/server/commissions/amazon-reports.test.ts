import { expect, it } from 'vitest';
import { createMemoryClicks, createMemoryLedger } from '../../../test/support/memory-stores.ts';
import { createTestLedger, readEntries } from '../../../test/support/test-ledger.ts';
import { readShippedNetworks } from '../../content-files/networks.ts';
import { DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import { detectCsvFormat, readCsvRows } from '../../sources/networks/csv.ts';
import { commitImport } from './csv-import.ts';

const networks = readShippedNetworks();
const terms = { ...DEFAULT_TERMS, network: 'amazon' };

async function createAccount() {
  const store = createMemoryLedger();
  const ledger = createTestLedger({ store, clicks: createMemoryClicks([]) });
  const take = async (text: string) => {
    const open = async function* () {
      yield Buffer.from(text);
    };
    const format = await detectCsvFormat(open);
    const file = { hash: text, name: 'a.csv', readRows: () => readCsvRows(open, format) };
    const profile = { currency: 'USD', timeZone: 'UTC', isChecked: true };
    const options = {
      ledger,
      store,
      partner: 'amazon',
      terms,
      networks,
      profile,
      now: Date.parse('2026-01-10'),
    };
    return commitImport(file, options);
  };
  return { take, read: async () => (await readEntries(ledger)).map(({ commission }) => commission) };
}

const EARNINGS = `Fee-Earnings reports from 11-01-2025 to 11-30-2025
Category,Name,ASIN,Seller,Tracking ID,Date Shipped,Price($),Items Shipped,Returns,Revenue($),Ad Fees($),Device Type Group
Books,A book,B1,Amazon,hub-20,2025-11-18,20.00,2,0,40.00,1.80,DESKTOP
`;
const SUMS = `Fee-Tracking reports from 11-01-2025 to 11-30-2025
Tracking ID,Clicks,Items Ordered,Items Shipped,Revenue($),Ad Fees($)
hub-20,120,3,2,1799.98,54.00
other-20,5,0,0,$0.00,$0.00
`;

it('counts two rows of one item and day as two commissions, and a second import of the file as none', async () => {
  const { take, read } = await createAccount();
  const text = `${EARNINGS}Books,A book,B1,Amazon,hub-20,2025-11-18,20.00,2,0,40.00,1.80,DESKTOP\n`;
  await take(text);
  await take(text);
  expect((await read()).map(({ amount, label }) => [amount, label?.id, label?.items])).toEqual([
    [180, 'hub-20', 2],
    [180, 'hub-20', 2],
  ]);
});

it('refuses the sums of tracking ids for days of which it has the items, and the other way round', async () => {
  const items = await createAccount();
  expect((await items.take(EARNINGS)).problems).toEqual([]);
  expect((await items.take(SUMS)).problems).toEqual([
    'Line 3: hub-20 has commissions of these days from a report of single items already, and their sum would count them twice. Leave this report out.',
  ]);
  const sums = await createAccount();
  expect(await sums.take(SUMS)).toMatchObject({ problems: [], sums: { USD: 5_400 } });
  expect((await sums.take(EARNINGS)).problems[0]).toContain('Undo that import first.');
  expect((await sums.take(SUMS.replaceAll('11-', '10-').replace('10-30', '10-31'))).problems).toEqual([]);
});

it('reads orders beside the earnings, as items without money', async () => {
  const { take, read } = await createAccount();
  await take(EARNINGS);
  const orders = `Category,Name,ASIN,Tag,Date,Qty,Price($),Link Type\nBooks,A book,B1,hub-20,2025-11-17,1,150.00,Text\n`;
  expect((await take(orders)).problems).toEqual([]);
  expect((await read()).map(({ amount, kind, label }) => [amount, kind, label?.items])).toEqual([
    [180, 'sale', 2],
    [0, 'lead', 1],
  ]);
});

it.each([
  '<Data><Item a="1" b="2" c=3></Data>',
  '<Data>',
  `${'<a>'.repeat(30)}`,
  '<!DOCTYPE d [<!ENTITY a "b">]><d><r a="&a;" b="1" c="1"/></d>',
])('refuses XML that cannot be read: %s', async (text) => {
  await expect((await createAccount()).take(text)).rejects.toThrow(
    /^(\[.*\] )?Line \d+: the XML cannot be read/,
  );
});
