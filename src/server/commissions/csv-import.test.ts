import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, expect, it, vi } from 'vitest';
import { forAll } from '../../../test/support/for-all.ts';
import { createMemoryClicks, createMemoryLedger } from '../../../test/support/memory-stores.ts';
import {
  buildSampleFact,
  buildSampleReport,
  SAMPLE_CLICK,
} from '../../../test/support/sample-commissions.ts';
import { buildSampleVisit } from '../../../test/support/sample-events.ts';
import { createTestLedger, readEntries } from '../../../test/support/test-ledger.ts';
import { readShippedNetworks } from '../../content-files/networks.ts';
import { DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import type { ImportProfile } from '../../core/commissions/ledger/stored-money.schema.ts';
import { detectCsvFormat, readCsvRows } from '../../sources/networks/csv.ts';
import type { Ledger } from '../../stores/ledger.ts';
import { commitImport, previewImport, readProfile, undoImport } from './csv-import.ts';
import type { ImportFile } from './detect-import-format.ts';
import type { CommissionLedger } from './ledger.ts';

const NOW = Date.parse('2025-12-20T12:00:00Z');
const PROFILE: ImportProfile = { currency: 'USD', timeZone: 'America/Denver' };

let store: Ledger;
let ledger: CommissionLedger;

beforeEach(() => {
  store = createMemoryLedger();
  ledger = createTestLedger({
    store,
    clicks: createMemoryClicks(buildSampleVisit(SAMPLE_CLICK)),
    now: () => NOW,
  });
});

async function openFile(content: string | Uint8Array): Promise<ImportFile> {
  const bytes = Buffer.from(content);
  const open = async function* () {
    yield bytes;
  };
  const format = await detectCsvFormat(open);
  const hash = createHash('sha256').update(bytes).digest('hex');
  return { hash, name: 'report.csv', readRows: () => readCsvRows(open, format) };
}

const buildOptions = (profile: ImportProfile = PROFILE) => ({
  ledger,
  store,
  partner: 'highlevel',
  terms: DEFAULT_TERMS,
  networks: readShippedNetworks(),
  profile,
  now: NOW,
});

const preview = async (content: string | Uint8Array, profile?: ImportProfile) =>
  previewImport(await openFile(content), buildOptions(profile));
const commit = async (content: string | Uint8Array, profile?: ImportProfile) =>
  commitImport(await openFile(content), buildOptions(profile));
const readCommissions = async () => (await readEntries(ledger)).map(({ commission }) => commission);

const FILE = [
  'Order,Reference,Commission,Status,Event Date,Updated At,ID',
  `77,${SAMPLE_CLICK},$40.00,approved,11/20/2025 10:00,11/25/2025 10:00,a1`,
  `78,${SAMPLE_CLICK.toUpperCase()},"$1,200.50",pending,11/21/2025 10:00,11/21/2025 10:00,a2`,
  '79,,($5.00),rejected,11/22/2025 10:00,11/23/2025,a3',
].join('\r\n');

it('previews without storing anything, and finds the column of the click by its values', async () => {
  expect(await preview(FILE)).toMatchObject({
    committed: false,
    rows: 3,
    matched: 2,
    unmatched: 1,
    new: 3,
    changed: 0,
    unchanged: 0,
    sums: { USD: 124_050 },
    columns: {
      id: 'ID',
      subId: 'Reference',
      amount: 'Commission',
      saleAmount: null,
      changeTime: 'Updated At',
    },
    problems: [],
  });
  expect(await store.readFacts()).toEqual([]);
});

it('imports every row with its local times, and counts a second import of the same file as nothing new', async () => {
  const first = await commit(FILE);
  expect(first.committed).toBe(true);
  expect(await readCommissions()).toEqual([
    expect.objectContaining({
      nativeId: 'a1',
      status: 'approved',
      amount: 4_000,
      clickId: SAMPLE_CLICK,
      eventTime: Date.parse('2025-11-20T17:00:00Z'),
      changeTime: Date.parse('2025-11-25T17:00:00Z'),
    }),
    expect.objectContaining({ nativeId: 'a2', status: 'pending', amount: 120_050, clickId: SAMPLE_CLICK }),
    expect.objectContaining({
      nativeId: 'a3',
      status: 'reversed',
      amount: 0,
      changeTime: Date.parse('2025-11-24T06:59:59.999Z'),
    }),
  ]);
  expect(await commit(FILE)).toMatchObject({ import: first.import, new: 0, unchanged: 3 });
  expect(await store.readFacts()).toHaveLength(3);
});

it('takes a whole import back, and imports it again', async () => {
  const { import: id } = await commit(FILE);
  expect(await undoImport(store, id, NOW)).toBe(true);
  expect(await readCommissions()).toEqual([]);
  expect(await undoImport(store, id, NOW)).toBe(false);
  await commit(FILE);
  expect(await readCommissions()).toHaveLength(3);
});

it('counts a commission once that a postback and a file report', async () => {
  const later = FILE.replace(
    'pending,11/21/2025 10:00,11/21/2025 10:00',
    'paid,11/21/2025 10:00,12/01/2025 10:00',
  );
  await commit(FILE);
  expect(await preview(later)).toMatchObject({ new: 0, changed: 1, unchanged: 2 });
  await commit(later);
  expect((await readCommissions()).map(({ status }) => status)).toEqual(['approved', 'paid', 'reversed']);
});

it('an import that is interrupted is absent, and whole after the next one', async () => {
  const rows = Array.from({ length: 1_500 }, (_, index) => `id-${index},1.00,${SAMPLE_CLICK}`);
  const file = await openFile(['id,commission,sub id', ...rows].join('\n'));
  let reads = 0;
  const broken: ImportFile = {
    ...file,
    async *readRows() {
      const isSecond = ++reads === 2;
      let count = 0;
      for await (const row of file.readRows()) {
        if (isSecond && ++count > 1_200) throw new Error('killed');
        yield row;
      }
    },
  };
  await expect(commitImport(broken, buildOptions())).rejects.toThrow('killed');
  expect(await readCommissions()).toEqual([]);
  expect(await commitImport(file, buildOptions())).toMatchObject({ rows: 1_500, matched: 1_500 });
  expect(await readCommissions()).toHaveLength(1_500);
});

it.each([
  ['semicolons and decimal commas', 'ID;Provision;Commission\n1;x;1.234,50 €\n2;x;-3,00 €', [123_450, -300]],
  ['tabs and UTF-16', Buffer.from('\ufeffID\tCommission\n1\t12.34\n', 'utf16le'), [1_234]],
  ['quoted line breaks and a byte order mark', '\ufeffID,Note,Commission\n1,"a\nb",(2.50)\n', [-250]],
])('reads %s', async (_, content, amounts) => {
  await commit(content, { currency: 'EUR', timeZone: 'Europe/Berlin' });
  expect((await readCommissions()).map(({ amount, currency }) => [amount, currency])).toEqual(
    amounts.map((amount) => [amount, 'EUR']),
  );
});

it('reads dashes for the decimals as none, and a dash for the sign as a minus', async () => {
  const content =
    'ID;Commission\n1;12,-\n2;€ 12,-\n3;3,50\n4;12-\n5;12,50-\n6;(12,-)\n7;\u20133,50\n8;5,--\n';
  await commit(content, { currency: 'EUR', timeZone: 'UTC' });
  expect((await readCommissions()).map(({ amount }) => amount)).toEqual([
    1_200, 1_200, 350, -1_200, -1_250, -1_200, -350, 500,
  ]);
});

it('takes the currency of a row before that of the import', async () => {
  await commit('id,commission,currency\n1,5.00,eur\n2,500,JPY\n3,5.00,\n');
  expect((await readCommissions()).map(({ amount, currency }) => [amount, currency])).toEqual([
    [500, 'EUR'],
    [500, 'JPY'],
    [500, 'USD'],
  ]);
});

it('reads both sides of the night in which Denver sets its clocks back', async () => {
  await commit(
    'id,commission,event date\n1,1.00,2025-11-02 00:30\n2,1.00,2025-11-02 01:30\n3,1.00,2025-11-02 02:30\n',
  );
  expect((await readCommissions()).map(({ eventTime }) => new Date(eventTime).toISOString())).toEqual([
    '2025-11-02T06:30:00.000Z',
    '2025-11-02T07:30:00.000Z',
    '2025-11-02T09:30:00.000Z',
  ]);
});

it.each([
  ['the currency', { timeZone: 'UTC' }, FILE, 'Nobody states the currency'],
  ['the time zone', { currency: 'USD' }, FILE, 'Nobody states the time zone'],
  [
    'the order of the date',
    PROFILE,
    'id,commission,date\n1,1,03/04/2025\n',
    'begin with the day or the month',
  ],
  ['the amount column', PROFILE, 'id,name\n1,x\n', 'No column has the commission'],
  ['the id column', PROFILE, 'name,commission\nx,1\n', 'No column has the id'],
  ['a named column', { ...PROFILE, columns: { id: 'Nr' } }, FILE, 'There is no column "Nr"'],
])('never guesses %s', async (_, profile, content, message) => {
  await expect(preview(content, profile)).rejects.toThrow(message);
});

it('imports nothing while a row cannot be read, and names the row', async () => {
  const summary = await commit('id,commission,date\n1,1.00,2025-11-20\n2,lots,2025-11-20\n3,1.00,someday\n');
  expect(summary).toMatchObject({
    committed: false,
    problems: ['Line 3: "lots" is no amount.', 'Line 4: "someday" is no date.'],
  });
  expect(await readCommissions()).toEqual([]);
});

it.each([
  ['commas', 'ID,Date,Commission\na1,2025-10-01,1,234.56\na2,2025-10-02,5.00\n', 2, '"56"'],
  ['a sale before the commission', 'ID,Date,Sale,Commission\na1,2025-10-01,1,200.00,12.50\n', 2, '"12.50"'],
  ['decimal commas', 'ID,Date,Commission\na2,2025-10-02,5\na1,2025-10-01,12,50\n', 3, '"50"'],
  [
    'semicolons, a title and a quoted line end',
    '\ufeffReport\r\n\r\nID;Note;Commission\r\na1;"x\r\ny";5\r\na2;x;1;5\r\n',
    6,
    '"5"',
  ],
  ['tabs and UTF-16', Buffer.from('\ufeffID\tNote\tCommission\na1\tx\ty\t5.00\n', 'utf16le'), 2, '"5.00"'],
])(
  'a row with more filled cells than its heading is named by its line: %s',
  async (_, content, line, text) => {
    const { committed, problems } = await commit(content);
    expect([committed, problems.length]).toEqual([false, 1]);
    expect(problems[0]).toContain(`Line ${line}: it has more cells than the heading`);
    expect(problems[0]).toContain(text.replace('56', '234.56'));
    expect(await readCommissions()).toEqual([]);
  },
);

it.each([
  ['empty cells behind all rows', 'ID,Commission\na1,5.00,,\na2,7.00,,\n'],
  ['a delimiter at the end of every line', 'ID;Commission;\na1;5,00;\na2;7,00;\n'],
  ['totals with a further cell', 'ID,Commission\na1,5.00\na2,7.00\nTotal,12.00,2 rows\n'],
  ['the word for totals in a further cell', 'ID,Commission\na1,5.00\na2,7.00\n,12.00,Total\n'],
  ['a separator line', 'sep=;\r\nID;Commission\r\na1;5.00\r\na2;7.00\r\n'],
  ['lines before the table', 'Report of November\n\nID,Commission\na1,5.00\na2,7.00\n'],
  ['a note behind the table', 'ID,Commission\na1,5.00\na2,7.00\nGenerated by Network on 2025-11-01\n'],
  ['a note with empty cells', 'ID,Commission\nSales of November,\na1,5.00\na2,7.00\n'],
  ['a last cell that is left out', 'ID,Commission,Note\na1,5.00\na2,7.00,x\n'],
])('a file is read with %s', async (_, content) =>
  expect(await commit(content)).toMatchObject({ committed: true, rows: 2, sums: { USD: 1_200 } }),
);

it.each([
  ['totals', 'Total,,20.00,,'],
  ['totals in German', 'Summe,,"20,00",,'],
  ['totals in the cell of the day', ',Total,20.00,,'],
  ['totals with a sentence', 'Totals for November: 2 rows,,20.00,,'],
  ['totals of a period, with the word in a further cell', ',2025-11-01 - 2025-11-30,20.00,,Total'],
  ['a note', 'All amounts are in euros,,,,'],
  ['the headings', 'ID,Date,Commission,Currency,Status'],
])('a row of %s begins and answers no question, wherever it stands', async (_, row) => {
  const head = 'ID,Date,Commission,Currency,Status';
  const rows = ['a1,2025-11-20,12.50,EUR,approved', 'a2,2025-11-21,7.50,EUR,pending'];
  const undated = (text: string) => text.replace(/,(?!Total)[^,]*/, '');
  for (const at of [0, 1, 2])
    for (const write of [String, undated]) {
      const content = [head, ...rows.toSpliced(at, 0, row)].map(write).join('\n');
      expect([content, await preview(content, { timeZone: 'UTC' })]).toEqual([
        content,
        expect.objectContaining({ rows: 2, sums: { EUR: 2_000 }, totals: [at + 2], problems: [] }),
      ]);
    }
  // The sum of the rows before it says it too, whatever it has as its day.
  const sum = [head, ...rows, ',2025-11-01 - 2025-11-30,20.00,,'].join('\n');
  expect(await preview(sum, { timeZone: 'UTC' })).toMatchObject({ rows: 2, totals: [4], problems: [] });
  // Rows that leave out what it has are asked about still.
  const open = [head, ...rows, row, 'a3,2025-11-22,1.00,,approved'].join('\n');
  await expect(preview(open, { timeZone: 'UTC' })).rejects.toThrow('Nobody states the currency');
});

it.each([
  ['the commission', 'ID,Date,Commission\na1,2025-10-01,5.00\na37\n', 3, 'Commission'],
  ['the day', 'ID,Commission,Date\na1,5.00,2025-10-01\na2,7.00\n', 3, 'Date'],
  ['the commission in two lines', 'ID,Commission,Note\r\na1,12\n.50,x\r\na2,7.00,x\r\n', 2, 'Commission'],
  ['the id in two lines', 'Note,ID,Commission\r\nx,a1\rb,5.00\r\ny,a2,7.00\r\n', 2, 'ID'],
])('a line that ends before or within %s is named', async (_, content, line, column) =>
  expect(await commit(content)).toMatchObject({
    committed: false,
    problems: [`Line ${line}: the line ends before or within the column ${column}.`],
  }),
);

it('asks about a line end that can be the end of a row, because all that a row needs is before it', async () => {
  const content =
    'ID,Commission,Date,Country,A,B,C\r\na0,5.00,2025-10-01,US\r\n' +
    'a1,10.00,2025-10-01,US\na2,20.00,2025-10-02,DE\r\na3,30.00,2025-10-02,FR\r\n';
  const problems = [
    expect.stringMatching(/^Line 3: its line end in the column Country can be the end of a row/),
  ];
  expect(await commit(content)).toMatchObject({ committed: false, problems });
});

it('asks again at the next file of a partner for which no column had the currency', async () => {
  const none = 'ID,Date,Commission,Geldsorte\na1,2025-11-20,12.50,EUR\n';
  const saved = await commit(none, { ...PROFILE, columns: { currency: '' } });
  expect(saved).toMatchObject({ committed: true, sums: { USD: 1_250 } });
  expect(await readProfile(store, 'highlevel')).toMatchObject({ columns: {} });
});

it.each([
  ['CRLF after the heading', '\r\n', '\n'],
  ['LF after the heading', '\n', '\r\n'],
  ['CR after the heading', '\r', '\n'],
])('every row of a file with two kinds of line ends is read: %s', async (_, first, other) => {
  const rows = ['a1,12.50,2025-10-01,x', 'a2,7.25,2025-10-02,y', 'a3,3.00,2025-10-03,z'];
  const content = `ID,Commission,Date,Note${first}${rows.map((row) => row + other).join('')}`;
  expect(await commit(content)).toMatchObject({ committed: true, rows: 3, sums: { USD: 2_275 } });
});

it.each([
  ['Geldsorte', 'currency', 'EUR'],
  ['Sale Currency', 'currency', 'gbp'],
  ['Sign', 'currency', '€'],
  ['Bestelltag', 'eventTime', '18.11.2025'],
  ['Booked', 'eventTime', '2025-11-18 10:00'],
  ['Posted', 'eventTime', '"Nov 18, 2025"'],
  ['Placed', 'eventTime', '18-Nov-25'],
])('asks what the column %s is, until it is said', async (heading, column, text) => {
  const day = column === 'currency' ? '2025-11-20' : '';
  const content = `ID,${day === '' ? 'Note' : 'Date'},Commission,${heading}\na1,${day},12.50,${text}\na2,${day},7.50,${text}\n`;
  const error = await preview(content).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ columns: [{ header: heading, as: expect.arrayContaining([column]) }] });
  const none = await commit(content, { ...PROFILE, columns: { [column]: '' } });
  expect(none).toMatchObject({ committed: true, sums: { USD: 2_000 } });
  const named = preview(content, { ...PROFILE, columns: { [column]: heading } });
  if (text === '€' || text === '18-Nov-25') expect((await named).problems).toHaveLength(2);
  else expect(await named).toMatchObject({ columns: { [column]: heading }, problems: [] });
});

it.each([
  ['a currency by its usual name', 'ID,Date,Commission,Währung\na1,2025-11-20,12.50,EUR\n', { EUR: 1_250 }],
  [
    'a column of currencies beside the one that is read',
    'ID,Date,Commission,Currency,Sale Currency\na1,2025-11-20,12.50,EUR,GBP\n',
    { EUR: 1_250 },
  ],
  [
    'currencies that the heading of the commission has too',
    'ID,Date,Commission (EUR),Sold in\na1,2025-11-20,12.50,EUR\n',
    { EUR: 1_250 },
  ],
  [
    'days beside the one that is read',
    'ID,Date,Commission,Printed\na1,2025-11-20,12.50,2025-11-30\n',
    { USD: 1_250 },
  ],
  ['numbers that are no days', 'ID,Shop,Commission\na1,1763500000,12.50\n', { USD: 1_250 }],
  ['countries', 'ID,Land,Commission\na1,DEU,12.50\na2,USA,1.00\n', { USD: 1_350 }],
  [
    'words that are also codes of currencies',
    'ID,Date,Commission,Gender\na1,2025-11-20,1.50,all\na2,2025-11-20,1.00,ALL\n',
    { USD: 250 },
  ],
])('asks nothing about %s', async (_, content, sums) =>
  expect(await preview(content)).toMatchObject({ sums, problems: [] }),
);

const ORDERS = 'Order ID,SKU,Sale,Commission,Status,Last Updated';

it.each([
  ['another product', 'o1,A1,60.00,4.20,approved,2025-11-21', 'o1,B2,60.00,2.10,approved,2025-11-22'],
  [
    'another product and nothing else',
    'o1,A1,60.00,4.20,approved,2025-11-21',
    'o1,B2,60.00,4.20,approved,2025-11-21',
  ],
  ['another sale', 'o1,A1,60.00,4.20,approved,2025-11-21', 'o1,A1,40.00,2.10,approved,2025-11-22'],
])('refuses a row with the id of an earlier one and %s, also when it is newer', async (_, first, second) => {
  for (const rows of [
    [first, second],
    [second, first],
  ])
    expect(await commit([ORDERS, ...rows].join('\n'))).toMatchObject({
      committed: false,
      problems: [
        expect.stringMatching(/^Line 3: it has the id of line 2, and another sale, product, click or day/),
      ],
    });
  expect(await readCommissions()).toEqual([]);
});

it('joins the id of several columns when that was said', async () => {
  const rows = ['o1,A1,60.00,4.20,approved,2025-11-21', 'o1,B2,60.00,2.10,approved,2025-11-22'];
  const profile = { ...PROFILE, columns: { id: 'Order ID + SKU' } };
  expect(await commit([ORDERS, ...rows].join('\n'), profile)).toMatchObject({ new: 2, sums: { USD: 630 } });
  expect((await readCommissions()).map(({ nativeId }) => nativeId).sort()).toEqual(['o1-A1', 'o1-B2']);
  await expect(preview(ORDERS, { ...PROFILE, columns: { id: 'Order ID + Nothing' } })).rejects.toThrow();
});

const SALE = 'o1,A1,60.00,12.50,approved,2025-11-21';

it.each<[name: string, sum: number, rows: readonly string[], state?: string]>([
  ['a return of all', 0, ['o1,A1,60.00,-12.50,approved,2025-11-25']],
  ['a part that is refunded', 750, ['o1,A1,60.00,-5.00,refunded,2025-11-25']],
  ['two parts', 450, ['o1,A1,60.00,-5.00,refunded,2025-11-25', 'o1,A1,60.00,(3.00),approved,2025-11-26']],
  ['a reversal with its sign', 0, ['o1,A1,60.00,-12.50,reversed,2025-11-25']],
  ['a reversal without one', 0, ['o1,A1,60.00,12.50,reversed,2025-11-25']],
  ['more than it was', -750, ['o1,A1,60.00,-20.00,approved,2025-11-25']],
])('a sale and %s are worth what they say, in any order, file and repetition', async (_, sum, rows) => {
  const files = [
    [[SALE, ...rows]],
    [[...rows, SALE]],
    [[SALE], rows],
    [rows, [SALE]],
    [[SALE], [...rows, SALE]],
  ];
  for (const parts of files) {
    store = createMemoryLedger();
    ledger = createTestLedger({ store, clicks: createMemoryClicks([]), now: () => NOW });
    let isOpen = false;
    for (const part of [...parts, ...parts]) {
      const outcome = await commit([ORDERS, ...part].join('\n'));
      // Whether the second part that is taken back before its sale is one more, nobody can know.
      isOpen ||= rows.length > 1 && parts[0]?.[0] !== SALE;
      expect(outcome.committed).toBe(!isOpen);
      if (isOpen) break;
    }
    if (isOpen) continue;
    const worth = (await readCommissions()).reduce((all, { amount }) => all + amount, 0);
    expect([parts, worth]).toEqual([parts, sum]);
  }
});

const BACK = 'o1,A1,60.00,-5.00,approved,2025-11-25';
const RAKUTEN = 'Member ID (U1),Order ID,Transaction Date,SKU,Sales,Total Commission,Process Date';
const PER_CLICK = 'Commission,Sub ID,Date';
const CLICK_ROW = `4.00,${SAMPLE_CLICK},2025-11-21`;

it.each<
  [
    name: string,
    asks: 'repeated' | 'alike',
    heads: string,
    files: string[][],
    other: number,
    same: number | null,
  ]
>([
  ['two equal rows of an order', 'repeated', ORDERS, [[SALE, SALE]], 2_500, 1_250],
  ['three equal rows of an order', 'repeated', ORDERS, [[SALE, SALE, SALE]], 3_750, 1_250],
  ['two equal rows of a click', 'repeated', PER_CLICK, [[CLICK_ROW, CLICK_ROW]], 800, 400],
  ['two equal rows in two files', 'repeated', ORDERS, [[SALE], [SALE, SALE]], 2_500, 1_250],
  ['two equal returns of a day', 'repeated', ORDERS, [[SALE, BACK, BACK]], 250, 750],
  ['two equal returns before their sale', 'repeated', ORDERS, [[BACK, BACK, SALE]], 250, 750],
  [
    'the second return in a later file',
    'repeated',
    ORDERS,
    [
      [SALE, BACK],
      [BACK, BACK],
    ],
    250,
    750,
  ],
  [
    'two returns of a day that differ',
    'repeated',
    ORDERS,
    [[SALE, BACK, BACK.replace('-5', '-3')]],
    450,
    null,
  ],
  [
    'another return of the day in a later file',
    'alike',
    ORDERS,
    [[SALE, BACK], [BACK.replace('-5', '-3')]],
    450,
    950,
  ],
  ['a later return before any sale', 'alike', ORDERS, [[BACK], [BACK.replace('-25', '-26')]], -1_000, -500],
  [
    'a return without a day in a later file',
    'alike',
    'ID,Commission',
    [['o1,12.50', 'o1,-5.00'], ['o1,-5.00']],
    250,
    750,
  ],
])('%s: asks, and counts what is answered, once', async (_, asks, heads, files, other, same) => {
  const write = (rows: readonly string[] = []) => [heads, ...rows].join('\n');
  for (const [answer, sum] of Object.entries({ other, same })) {
    store = createMemoryLedger();
    ledger = createTestLedger({ store, clicks: createMemoryClicks([]), now: () => NOW });
    for (const rows of files.slice(0, -1))
      expect(await commit(write(rows))).toMatchObject({ committed: true });
    const last = write(files.at(-1));
    const open = await commit(last);
    expect([open.committed, open.problems.length]).toEqual([false, open[asks]]);
    expect(open[asks]).toBeGreaterThan(0);
    const outcome = await commit(last, { ...PROFILE, [asks]: answer });
    expect(outcome.committed).toBe(sum !== null);
    if (sum === null) continue;
    const worth = async () => (await readCommissions()).reduce((all, { amount }) => all + amount, 0);
    expect([answer, await worth()]).toEqual([answer, sum]);
    // The rows are known from now on.
    if (answer === 'other' && heads !== 'ID,Commission')
      expect(await commit(last)).toMatchObject({ committed: true, new: 0, changed: 0 });
    expect(await worth()).toBe(sum);
    expect(await readProfile(store, 'highlevel')).not.toHaveProperty(asks);
  }
});

it.each([
  ['with an id', ORDERS, ['o1,A1,60.00,12.50,approved,2025-12-18', 'o1,A1,60.00,-5.00,approved,2025-12-20']],
  ['by item', RAKUTEN, [',o1,12/18/25,A1,80.00,5.60,12/18/25', ',o1,12/18/25,A1,-40.00,-2.80,12/20/25']],
])('a return %s that is imported on its day is the same one on other days', async (_, heads, rows) => {
  for (const timeZone of ['America/Denver', 'UTC', 'Pacific/Auckland'])
    for (const hours of [0, 3, 11]) {
      let now = Date.parse('2025-12-20T12:00:00Z') + hours * 3_600_000;
      store = createMemoryLedger();
      ledger = createTestLedger({ store, clicks: createMemoryClicks([]), now: () => now });
      const file = await openFile([heads, ...rows].join('\n'));
      const profile = { ...PROFILE, timeZone, isChecked: true };
      const run = () => commitImport(file, { ...buildOptions(profile), now });
      expect(await run()).toMatchObject({ committed: true, new: 2 });
      for (const days of [0, 1, 30]) {
        now += days * 86_400_000 + 60_000;
        expect([timeZone, hours, days, await run()]).toEqual([
          timeZone,
          hours,
          days,
          expect.objectContaining({ committed: true, new: 0, unchanged: 2 }),
        ]);
      }
      expect(await readCommissions()).toHaveLength(2);
    }
});

it('asks nothing about totals of a click that grow, whatever their sign', async () => {
  for (const amount of ['-4.00', '-6.00'])
    expect(await commit(`${PER_CLICK}\n${CLICK_ROW.replace('4.00', amount)}`)).toMatchObject({
      committed: true,
    });
  expect((await readCommissions()).map(({ amount }) => amount)).toEqual([-600]);
});

it.each([
  ['one file', (sale: string, first: string, second: string) => [[sale, first, second]]],
  ['one file, the newest first', (sale: string, first: string, second: string) => [[second, first, sale]]],
  ['two files', (sale: string, first: string, second: string) => [[sale, first], [second]]],
  [
    'two files with the same rows',
    (sale: string, first: string, second: string) => [
      [sale, first],
      [sale, second, first],
    ],
  ],
])('counts each return of an item that is taken back on two days: %s', async (_, divide) => {
  const row = (sales: string, money: string, day: string) => `,o1,11/20/25,A1,${sales},${money},${day}`;
  const files = divide(
    row('80.00', '5.60', '11/21/25'),
    row('-40.00', '-2.80', '11/25/25'),
    row('-40.00', '-2.80', '12/05/25'),
  );
  for (const rows of [...files, ...files])
    expect(await commit([RAKUTEN, ...rows].join('\n'), { ...PROFILE, isChecked: true })).toMatchObject({
      committed: true,
    });
  expect((await readCommissions()).map(({ amount }) => amount).sort()).toEqual([-280, -280, 560]);
});

const DRESSED = 'ID,Date,Commission\n00123,2025-11-20,12.50\nzürich 2,2025-11-21,3.00\n';

it.each([
  ['a letter without width', DRESSED.replace('00123', '\u200B00123').replace('zürich', 'zü\u2060rich')],
  ['decomposed letters', DRESSED.normalize('NFD')],
  ['a mark of direction', DRESSED.replace('00123', '\u200E00123\u200F')],
  ['a soft hyphen', DRESSED.replace('zürich', 'zü\u00ADrich')],
  ['a mark of the order of bytes', DRESSED.replace('00123', '\uFEFF00123')],
])('an id with %s is the same one', async (_, other) => {
  for (const [first, second] of [
    [DRESSED, other],
    [other, DRESSED],
  ]) {
    store = createMemoryLedger();
    ledger = createTestLedger({ store, clicks: createMemoryClicks([]), now: () => NOW });
    expect(await commit(first ?? '')).toMatchObject({ new: 2, sums: { USD: 1_550 } });
    expect(await commit(second ?? '')).toMatchObject({ new: 0, unchanged: 2 });
    expect(await readCommissions()).toHaveLength(2);
  }
});

it('a commission that was stored in another spelling keeps its id, whatever form a message has', async () => {
  const dressed = 'a\u200B1';
  await store.append({
    facts: [
      buildSampleFact(
        { nativeId: dressed, amount: 500, status: 'pending' },
        { account: DEFAULT_TERMS.account },
      ),
    ],
  });
  await ledger.fold.refold();
  const report = { ...buildSampleReport({ nativeId: 'a1', amount: 500, status: 'approved' }), token: '' };
  const incoming = { partner: 'highlevel', terms: DEFAULT_TERMS, source: 'postback' as const };
  await ledger.record({ ...incoming, reports: [{ reported: report, strings: [] }] });
  expect((await readCommissions()).map(({ nativeId, status }) => [nativeId, status])).toEqual([
    [dressed, 'approved'],
  ]);
});

it.each([
  ['zeros that a spreadsheet took', '123,2025-11-20,12.50'],
  ['case', 'ZÜRICH 2,2025-11-21,3.00'],
  ['two spaces', 'zürich  2,2025-11-21,3.00'],
  ['a sign in front', '#00123,2025-11-20,12.50'],
  ['a hyphen', 'zürich-2,2025-11-21,3.00'],
])('asks whether a new id that differs by %s is a known one', async (_, row) => {
  await commit(DRESSED);
  const file = `ID,Date,Commission\n${row}\n77,2025-11-20,12.50\n`;
  expect(await commit(file)).toMatchObject({
    committed: false,
    alike: 1,
    problems: [expect.stringMatching(/^Line 2: .* is new, and looks like .* say whether it is the same/)],
  });
  expect(await preview(file, { ...PROFILE, alike: 'same' })).toMatchObject({
    new: 1,
    unchanged: 1,
    problems: [],
  });
  expect(await commit(file, { ...PROFILE, alike: 'other' })).toMatchObject({ new: 2, problems: [] });
  // Of one file alone.
  expect(await readProfile(store, 'highlevel')).not.toHaveProperty('alike');
});

it('asks about a report whose ids are stored under another partner', async () => {
  const first = await commit(DRESSED);
  const file = await openFile(`${DRESSED}9,2025-11-22,1.00\n`);
  const options = { ...buildOptions(), partner: 'other' };
  expect(await commitImport(file, options)).toMatchObject({
    committed: false,
    alike: 2,
    problems: [expect.stringMatching(/^Line 2: the partner highlevel has 00123 /), expect.anything()],
  });
  const profile = { ...PROFILE, alike: 'other' as const };
  const second = await commitImport(file, { ...options, profile });
  expect(second).toMatchObject({ committed: true, new: 3 });
  // The same ids with other days and amounts are those of another shop.
  const own = await openFile('ID,Date,Commission\n00123,2025-10-20,12.50\nzürich 2,2025-11-21,3.50\n');
  const third = { ...options, partner: 'third' };
  expect(await previewImport(own, third)).toMatchObject({ problems: [], new: 2 });
  // What was taken back is stored nowhere.
  for (const id of [first.import, second.import]) await undoImport(store, id, NOW);
  expect(await previewImport(file, third)).toMatchObject({ problems: [], new: 3 });
});

it.each([
  ['zeros that a spreadsheet took', '123,2025-11-20,12.50'],
  ['case', 'ZÜRICH 2,2025-11-21,3.00'],
  ['no space', 'zürich2,2025-11-21,3.00'],
  ['a sign in front', '#00123,2025-11-20,12.50'],
  ['a hyphen and zeros', '0-0-123,2025-11-20,12.50'],
  ['digits of full width', '００１２３,2025-11-20,12.50'],
  ['the day of a zone that is ahead', '123,2025-11-20 23:30,12.50'],
])('asks about a report of another partner whose ids differ by %s', async (_, row) => {
  await commit(DRESSED);
  const file = await openFile(`ID,Date,Commission\n${row}\n77,2025-11-20,12.50\n0123,2025-10-20,12.50\n`);
  const options = { ...buildOptions(), partner: 'other' };
  const question = /^Line 2: the partner highlevel has (00123|zürich 2) with this day and amount/;
  expect(await commitImport(file, options)).toMatchObject({
    committed: false,
    alike: 1,
    problems: [expect.stringMatching(question)],
  });
  const profile = { ...PROFILE, alike: 'other' as const };
  expect(await commitImport(file, { ...options, profile })).toMatchObject({ committed: true, new: 3 });
});

it('asks about a report whose ids another account of the partner has, and never counts them as the same', async () => {
  await commit(DRESSED);
  const options = { ...buildOptions(), terms: { ...DEFAULT_TERMS, account: 'second' } };
  for (const alike of [undefined, 'same'] as const)
    expect(
      await commitImport(await openFile(DRESSED), {
        ...options,
        profile: { ...PROFILE, ...(alike && { alike }) },
      }),
    ).toMatchObject({
      committed: false,
      problems: [expect.stringMatching(/^Line 2: the account main has 00123 /), expect.anything()],
    });
});

it('asks about a report of another partner by what its commissions were worth before', async () => {
  const state = 'ID,Date,Updated,Commission,Status\n';
  await commit(`${state}007,2025-11-20,2025-11-20,12.50,pending\n`);
  await commit(`${state}007,2025-11-20,2025-11-25,12.00,approved\n`);
  const options = { ...buildOptions(), partner: 'other' };
  for (const amount of ['12.50', '12.00'])
    expect(
      await previewImport(await openFile(`ID,Date,Commission\n7,2025-11-20,${amount}\n`), options),
    ).toMatchObject({ alike: 1 });
  expect(await preview('ID,Date,Commission\n7,2025-11-20,12.50\n')).toMatchObject({ alike: 1 });
  await commit(`${state}007,2025-11-20,2025-11-26,12.00,reversed\n`);
  expect(
    await previewImport(await openFile('ID,Date,Commission\n7,2025-11-20,12.00\n'), options),
  ).toMatchObject({ alike: 1 });
});

it('takes the newest of the rows with one id, sale, product and sign, and later files as before', async () => {
  const rows = ['o1,A1,60.00,4.20,pending,2025-11-21', 'o1,A1,60.00,4.00,approved,2025-11-22'];
  expect(await commit([ORDERS, ...rows].join('\n'))).toMatchObject({ committed: true, sums: { USD: 400 } });
  await commit([ORDERS, 'o1,B2,50.00,3.00,paid,2025-11-25'].join('\n'));
  expect((await readCommissions()).map(({ amount, status }) => [amount, status])).toEqual([[300, 'paid']]);
});

it('uses columns that the operator names', async () => {
  await commit('Nr,Mine\n1,2.00\n', { ...PROFILE, columns: { id: 'Nr', amount: 'Mine' } });
  expect((await readCommissions()).map(({ amount }) => amount)).toEqual([200]);
});

it('reads totals per click when rows have no id', async () => {
  await commit(`sub_id,period,earnings\n${SAMPLE_CLICK},2025-11-20,12.00\n${SAMPLE_CLICK},2025-11-21,3.00\n`);
  expect((await readCommissions()).map(({ nativeId, amount }) => [nativeId, amount])).toEqual([
    [`sub:${SAMPLE_CLICK}:2025-11-20`, 1_200],
    [`sub:${SAMPLE_CLICK}:2025-11-21`, 300],
  ]);
});

const csvRows = fc.array(
  fc.record({
    id: fc.constantFrom('', '1', '2', '3'),
    amount: fc.constantFrom('5.00', '-3.00', '10.00'),
    status: fc.constantFrom('pending', 'approved', 'rejected', 'strange'),
    click: fc.constantFrom(SAMPLE_CLICK, ''),
    day: fc.constantFrom('2025-11-20', '2025-11-21'),
    changed: fc.constantFrom('', '2025-11-22 10:00', '2025-11-23 10:00'),
  }),
  { minLength: 1, maxLength: 6 },
);

it('previews the sum that the import adds to the ledger, or refuses the file', async () =>
  forAll(1, [csvRows], async (rows) => {
    store = createMemoryLedger();
    ledger = createTestLedger({ store, clicks: createMemoryClicks([]), now: () => NOW });
    const lines = rows.map(({ id, amount, status, click, day, changed }) =>
      [id, amount, status, click, day, changed].join(),
    );
    const content = ['id,commission,status,sub id,date,updated at', ...lines].join('\n');
    const previewed = await preview(content);
    const imported = await commit(content);
    expect({ ...imported, committed: false }).toEqual(previewed);
    const all = await readCommissions();
    if (!imported.committed) {
      expect([all, previewed.problems.length > 0]).toEqual([[], true]);
      return;
    }
    const add = (isUnknown: boolean) =>
      all
        .filter(({ status }) => (status === 'unknown') === isUnknown)
        .reduce((sum, { amount }) => sum + amount, 0);
    expect([previewed.sums['USD'] ?? 0, previewed.unknownSums['USD'] ?? 0]).toEqual([add(false), add(true)]);
  }));

it('takes back once what was reversed before its sale, which two rows have', async () => {
  const rows = ['2,-3.00,rejected,', '2,5.00,pending,2025-11-23 10:00', '2,5.00,pending,2025-11-22 10:00'];
  const content = ['id,commission,status,updated at', ...rows].join('\n');
  expect((await preview(content)).sums).toEqual({ USD: 200 });
  await commit(content);
  expect((await readCommissions()).reduce((sum, { amount }) => sum + amount, 0)).toBe(200);
});

it('names the statuses that are not known, and counts corrections', async () => {
  const content = 'id,commission,status\n1,5.00,7\n2,6.00,odd\n3,-2.00,approved\n4,1.00,approved\n';
  expect(await preview(content)).toMatchObject({
    sums: { USD: -100 },
    unknown: 2,
    unknownSums: { USD: 1_100 },
    unknownStatuses: ['7', 'odd'],
    corrections: 1,
  });
});

it('asks once whether a guessed report of a network agrees with its page', async () => {
  const file = await openFile(
    'transactionID,programID,date,saleValue,commission,clickRef,status,paymentStatus,currency\n1,7,2025-11-20T10:00:00,100.00,5.00,,confirmed,notpaid,GBP\n',
  );
  const options = { ...buildOptions(), terms: { ...DEFAULT_TERMS, network: 'webgains' } };
  expect(await commitImport(file, options)).toMatchObject({
    committed: false,
    guessed: 'Webgains',
    sums: { GBP: 500 },
  });
  expect(await readCommissions()).toEqual([]);
  const profile = { ...PROFILE, isChecked: true };
  expect(await commitImport(file, { ...options, profile })).toMatchObject({ committed: true });
  expect(await commitImport(file, options)).toMatchObject({ committed: true, guessed: '', unchanged: 1 });
  // What a network documents, and the usual names, are not asked about.
  const usual = { ...buildOptions(), partner: 'other' };
  expect(await commitImport(await openFile(FILE), usual)).toMatchObject({ committed: true, guessed: '' });
});

it('keeps what another import has learned between the read and the write of one', async () => {
  const learn = (name: string) =>
    commit(`Order,When,Money,${name}\n${name},2025-11-20,12.50,x\n`, {
      ...PROFILE,
      columns: { id: 'Order', amount: 'Money', eventTime: 'When' },
      unused: [name],
    });
  const read = store.readState.bind(store);
  let reads = 0;
  const spy = vi.spyOn(store, 'readState').mockImplementation(async (key) => {
    const value = await read(key);
    reads += Number(key.startsWith('csv-profile'));
    // The first read is that of its columns.
    if (reads === 2) {
      spy.mockRestore();
      await learn('Other');
    }
    return value;
  });
  await learn('Own');
  expect(await readProfile(store, 'highlevel')).toMatchObject({ unused: ['Other', 'Own'] });
});
