import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../test/support/for-all.ts';
import { createMemoryClicks, createMemoryLedger } from '../../../test/support/memory-stores.ts';
import { SAMPLE_CLICK } from '../../../test/support/sample-commissions.ts';
import { buildSampleVisit } from '../../../test/support/sample-events.ts';
import { createTestLedger } from '../../../test/support/test-ledger.ts';
import { readShippedNetworks } from '../../content-files/networks.ts';
import { type CommissionTerms, DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import { parseNetworkMessage } from '../../core/commissions/networks/parse-message.ts';
import { detectCsvFormat, readCsvRows } from '../../sources/networks/csv.ts';
import { commitImport, type ImportSummary } from './csv-import.ts';
import type { ImportProfile } from './detect-import-format.ts';
import { parseForm } from './postbacks.ts';

const NOW = Date.parse('2026-01-10T12:00:00Z');
const networks = readShippedNetworks();
const USD: CommissionTerms = { ...DEFAULT_TERMS, currency: 'USD' };

/** What a postback becomes: `amount sale kind status time`, or why it is asked about. */
function send(query: string, terms = USD): string {
  const message = parseNetworkMessage(parseForm(query), terms, networks, NOW);
  if (message.kind !== 'reports') return message.kind === 'invalid' ? message.detail : message.kind;
  const [{ amount, saleAmount, kind, status, eventTime, isTest } = { amount: 0 }] = message.reports;
  if (isTest) return 'test';
  const time = eventTime === null || eventTime === undefined ? '' : ` ${new Date(eventTime).toISOString()}`;
  return `${amount} ${saleAmount} ${kind} ${status}${time}`;
}

it.each('commission payout earnings reward commission_amount payout_amount total_commission'.split(' '))(
  'M1: %s is the commission, and amount beside it the sale',
  (name) => {
    expect(send(`click=C&id=1&${name}=5&amount=100`)).toBe('500 10000 sale pending');
    expect(send(`click=C&id=1&amount=100&${name}=5`)).toBe('500 10000 sale pending');
  },
);

it.each([
  ['amount=5&revenue=100', 'the fields amount and revenue both look like the commission'],
  ['commission=5&payout=7', 'the fields commission and payout both'],
  ['amount=5&data_fee=1', 'the fields amount and data_fee both'],
  ['amount=5&sale_amount=100&reward_total=7', 'reward_total'],
])('M1: %s is asked about', (money, reason) => expect(send(`click=C&id=1&${money}`)).toContain(reason));

it.each([
  ['amount=5&sale_amount=100', '500 10000 sale pending'],
  ['amount=5&payout=5.00', '500 500 sale pending'],
  ['amount=5&commission_rate=20&reward_id=7', '500 null sale pending'],
])('M1: %s is the documented pair, or one amount', (money, expected) =>
  expect(send(`click=C&id=1&${money}`)).toContain(expected.split(' ')[0]),
);

it.each([
  'event=refund',
  'action=chargeback',
  'refunded=1',
  'reason=order_refunded',
  'transaction_type=RFND',
])('M14: %s beside an amount is asked about', (field) => {
  expect(send(`click=C&id=1&amount=5&${field}`)).toMatch(/^the field .*send status=reversed/);
  expect(send(`click=C&id=1&amount=5&status=reversed&${field}`)).toBe('500 null sale reversed');
});

it.each(['utm_campaign=refund-guide', 'policy=no_refund', 'refunded=0', 'event=sale'])(
  'M14: %s says nothing of money back',
  (field) => expect(send(`click=C&id=1&amount=5&${field}`)).toBe('500 null sale pending'),
);

it('M8: three digits after the only sign of a message are asked about, in a currency of two digits or none', () => {
  expect(send('click=C&id=1&amount=1.234')).toContain('the amount 1.234 can be 1.23 or 1234');
  expect(send('click=C&id=1&amount=12.500&currency=JPY')).toContain('can be');
  expect(send('click=C&id=1&amount=1.234&currency=KWD')).toBe('1234 null sale pending');
  expect(send('click=C&id=1&amount=0.125')).toBe('13 null sale pending');
});

it.each(['datetime', 'timeOfEvent', 'created_at'])('L2: %s is the time of the booking', (name) =>
  expect(send(`click=C&id=1&amount=5&${name}=2025-11-20T10:00:00Z`)).toContain('2025-11-20T10:00:00.000Z'),
);

it('L2: seconds since 1970 are a time', () =>
  expect(send('click=C&id=1&amount=5&conversion_unix_timestamp=1763632800')).toContain('2025-11-20T10:00'));

it('L5: numbers are statuses of Awin in a push as in a report, and of nobody else', () => {
  const push = 'transactionId=1&clickRef=C&commission=5&transactionCurrency=GBP&status=2';
  expect(send(push, { ...USD, network: 'awin' })).toContain('reversed');
  expect(send('click=C&id=1&amount=5&status=1')).toContain('unknown');
});

it('L7: a time that the clock skips is no time', () => {
  const terms = { ...USD, timeZone: 'America/New_York' };
  expect(send('click=C&id=1&amount=5&at=2026-03-08+02:30:00', terms)).toContain('at must be a time');
});

const createLedger = () => {
  const store = createMemoryLedger();
  const clicks = createMemoryClicks(buildSampleVisit(SAMPLE_CLICK));
  return { store, ledger: createTestLedger({ store, clicks, now: () => NOW }) };
};

it('M6: an amount keeps its decimals until its currency is known', async () => {
  const { store, ledger } = createLedger();
  const terms = { ...USD, currency: 'JPY' };
  for (const query of ['id=1&amount=80.95&currency=GBP', 'id=1&status=paid&amount=64.36']) {
    const message = parseNetworkMessage(parseForm(query), terms, networks, NOW);
    if (message.kind !== 'reports') throw new Error(query);
    const reports = message.reports.map((reported) => ({ reported, strings: [] }));
    await ledger.record({ partner: 'p', terms, source: 'postback', reports });
  }
  const [entry] = await ledger.readEntries();
  expect(entry?.commission).toMatchObject({ amount: 6_436, currency: 'GBP', status: 'paid' });
  expect((await store.readFacts()).map(({ amountText }) => amountText)).toEqual([undefined, '64.36']);
});

interface Read {
  readonly summary: ImportSummary;
  readonly rows: readonly string[];
}

/** Imports a file; why it is refused, or what its rows became. */
async function importFile(
  csv: string,
  profile: ImportProfile = {},
  terms = DEFAULT_TERMS,
  of = networks,
): Promise<Read | string> {
  const { store, ledger } = createLedger();
  const open = async function* () {
    yield Buffer.from(csv.replaceAll('CLICK', SAMPLE_CLICK));
  };
  const format = await detectCsvFormat(open);
  const file = { hash: csv, name: 'report.csv', readRows: () => readCsvRows(open, format) };
  const given = { currency: 'USD', timeZone: 'UTC', ...profile };
  const options = { ledger, store, partner: 'p', terms, networks: of, profile: given, now: NOW };
  try {
    const summary = await commitImport(file, options);
    const facts = await store.readFacts();
    return {
      summary,
      rows: facts.map(
        ({ nativeId, amount, currency, status }) => `${nativeId} ${amount} ${currency} ${status}`,
      ),
    };
  } catch (error) {
    return String(error);
  }
}

const readRows = async (csv: string, profile?: ImportProfile) => {
  const read = await importFile(csv, profile);
  return typeof read === 'string'
    ? read
    : read.summary.committed
      ? read.rows.join(', ')
      : read.summary.problems.join();
};

it.each([
  [
    'Transaction ID,Transaction Date,Sub ID,Commission,Transaction Status\n1,2025-11-20,CLICK,12.50,declined',
    '1 1250 USD reversed',
  ],
  [
    'conversion_id,conversion_date,commission,conversion_status\n1,2025-11-20,5.60,rejected',
    '1 560 USD reversed',
  ],
  ['Receipt,Date,Amount\nABC,2025-11-20,5.60', 'ABC 560 USD pending'],
  ['Order number,Time of event,Total commission\n7,2025-11-20 10:00,5.60', '7 560 USD pending'],
])('M2, M13: the names of a file are read: %s', async (csv, expected) =>
  expect(await readRows(csv)).toBe(expected),
);

it.each([
  [
    'id,commission,Payment Status,Order Status\n1,5.00,paid,cancelled',
    'The column Payment Status has words of a status',
  ],
  ['id,commission,Approval\n1,5.00,no\n2,5.00,yes', 'The column Approval has words of a status'],
  ['id,commission,status,Outcome\n1,5.00,approved,declined', '--column status="status"'],
])('M2: a column of states that is not read is asked about', async (csv, reason) =>
  expect(await readRows(csv)).toContain(reason),
);

it('M2: the operator says which column has the status', async () => {
  const csv = 'id,commission,Payment Status,Order Status\n1,5.00,paid,cancelled';
  expect(await readRows(csv, { columns: { status: 'Order Status' } })).toBe('1 500 USD reversed');
});

it.each([
  ['3101,5.00,2025-11-20\nTotal,5.00,', 3],
  ['3101,20.00,2025-11-20\n3102,10.00,2025-11-20\nTotals:,30.00,', 4],
  ['3101,5.00,2025-11-20\n3102,7.00,2025-11-20\n,12.00,', 4],
  ['3101,5.00,2025-11-20\n,5.00,Grand total', 3],
])('M3: a row of totals is left out and named: %s', async (rows, number) => {
  const read = await importFile(`id,commission,date\n${rows}`);
  if (typeof read === 'string') throw new Error(read);
  expect(read.summary).toMatchObject({ committed: true, totals: [number], problems: [] });
  expect(read.rows.every((row) => row.startsWith('310'))).toBe(true);
});

it.each([
  ['€12.50', 'USD', 'is not in USD'],
  ['12.50 EUR', 'USD', 'is not in USD'],
  ['£7.50', 'EUR', 'is not in EUR'],
  ['$7.50', 'CAD', '1 750 CAD pending'],
  ['€7.50', 'EUR', '1 750 EUR pending'],
])('M7: %s in a file in %s', async (text, currency, expected) =>
  expect(await readRows(`id,commission\n1,${text}`, { currency })).toContain(expected),
);

it('M7: of a column in each currency the one that the operator names is read', async () => {
  const csv = 'id,Commission (GBP),Commission (USD)\n1,4.00,5.00';
  expect(await readRows(csv)).toBe('1 500 USD pending');
  expect(await readRows(csv, { currency: 'GBP' })).toBe('1 400 GBP pending');
});

it.each([
  ['1.234', 'EUR', {}, '(--decimal)'],
  ['1.234', 'EUR', { decimal: ',' }, '1 123400 EUR pending'],
  ['1.234', 'EUR', { decimal: '.' }, '1 123 EUR pending'],
  ['12.500', 'JPY', {}, '1 12500 JPY pending'],
  ['1.234', 'KWD', {}, '1 1234 KWD pending'],
] as const)('M8: %s in %s', async (text, currency, profile, expected) =>
  expect(await readRows(`id;commission\n1;${text}`, { currency, ...profile })).toContain(expected),
);

it('M8: the summary says how amounts and dates were read', async () => {
  const read = await importFile('id;commission;date\n1;12,50;2025-11-20', { currency: 'EUR' });
  expect(read).toMatchObject({
    summary: { reading: { decimal: ',', timeZone: 'UTC', dayOrder: 'month-first', network: 'generic' } },
  });
});

it('M1: two columns of commissions are asked about', async () => {
  expect(await readRows('id,Commission,Payout\n1,5.00,7.00')).toContain('--column amount="Commission"');
  expect(await readRows('id,Amount,Commission\n1,99.00,12.50')).toBe('1 1250 USD pending');
});

it('L3: a payment that is ahead is not made yet', async () => {
  const csv =
    'Trans ID,Trans Date,Commission,Voided,Locked,Paid Date\n1,11/18/2025,5.00,,Yes,12/20/2026\n2,11/18/2025,5.00,,Yes,12/20/2025';
  expect(await readRows(csv)).toBe('1 500 USD approved, 2 500 USD paid');
});

it('L7: a date that the clock skips is refused', async () => {
  const csv = 'id,commission,date\n1,5.00,2026-03-08 02:30';
  expect(await readRows(csv, { timeZone: 'America/New_York' })).toContain(
    'does not exist in America/New_York',
  );
});

it('a message and a report row of one commission agree', async () => {
  expect(send('click=C&id=1&commission=5&amount=100&state=locked')).toBe('500 10000 sale approved');
  expect(await readRows('click,id,commission,amount,state\nC,1,5,100,locked')).toBe('1 500 USD approved');
});

const money = (cents: number) => (cents / 100).toFixed(2);

/** A commission whose truth is known, in any of the names and with any of the fields that networks add. */
const truth = fc.record({
  amount: fc.integer({ min: 1, max: 90_000 }),
  sale: fc.integer({ min: 90_001, max: 900_000 }),
  name: fc.constantFrom('commission', 'payout', 'earnings', 'reward', 'commission_amount', 'amount'),
  saleName: fc.constantFrom('', 'amount', 'sale_amount', 'order_amount', 'revenue', 'order_value', 'total'),
  other: fc.constantFrom('', 'fee', 'tax_amount', 'commission_rate', 'reward_id', 'value', 'note'),
  word: fc.constantFrom('', 'event=refund', 'reason=chargeback', 'event=sale', 'campaign=refund-guide'),
});

it('reads a message and a row as they are meant, alike, or asks', async () =>
  forAll(250, [truth], async ({ amount, sale, name, saleName, other, word }) => {
    const sold = saleName === name ? '' : saleName;
    const [wordName = '', wordText = ''] = word.split('=');
    const fields = [
      ...[
        ['id', '1'],
        [name, money(amount)],
      ],
      ...(sold === '' ? [] : [[sold, money(sale)]]),
      ...(other === '' ? [] : [[other, '3.00']]),
    ];
    const sent = send(new URLSearchParams([...fields, ...(word ? [[wordName, wordText]] : [])]).toString());
    const isRefund = /^(event=refund|reason=chargeback)$/.test(word);
    const isRead = /^-?\d+ /.test(sent);
    if (isRead) expect([sent.split(' ')[0], isRefund]).toEqual([String(amount), false]);
    const row = await readRows(
      `${fields.map(([key]) => key).join()}\n${fields.map(([, text]) => text).join()}`,
    );
    if (/^1 \d/.test(row)) expect(row).toBe(`1 ${amount} USD pending`);
  }));

const NOTHING = { currency: undefined, timeZone: undefined };
const readHow = async (
  csv: string,
  ...how: Parameters<typeof importFile> extends [string, ...infer Rest] ? Rest : never
) => {
  const read = await importFile(csv, ...how);
  if (typeof read === 'string') return read;
  const { currency, timeZone, dayOrder } = read.summary.reading;
  return `${currency} ${timeZone} ${dayOrder}: ${read.rows.join()}${read.summary.problems.join()}`;
};
const CSV = 'id,commission,date\n1,5.00,2025-11-20 10:00';

it.each<[stated: string, csv: string, own: Partial<CommissionTerms>, expected: string]>([
  [
    'the partner',
    CSV,
    { currency: 'GBP', timeZone: 'Asia/Tokyo' },
    'GBP Asia/Tokyo month-first: 1 500 GBP pending',
  ],
  ["the network's file", CSV, { network: 'acme' }, 'EUR Europe/Berlin month-first: 1 500 EUR pending'],
  [
    'each row',
    'id,commission,currency,date\n1,5.00,PLN,2025-11-20',
    { timeZone: 'Asia/Tokyo' },
    ' Asia/Tokyo month-first: 1 500 PLN pending',
  ],
  ['nobody', CSV, { timeZone: 'Asia/Tokyo' }, 'Nobody states the currency'],
  [
    'one row of two',
    'id,commission,currency\n1,5.00,PLN\n2,5.00,',
    { timeZone: 'Asia/Tokyo' },
    'Nobody states the currency',
  ],
  ['no zone', CSV, { currency: 'GBP' }, 'Nobody states the time zone'],
])('what %s says of currency and time zone is not asked for', async (_, csv, own, expected) => {
  const acme = {
    ...(networks.get('generic') ?? expect.unreachable()),
    currency: 'EUR',
    timeZone: 'Europe/Berlin',
  };
  const of = new Map([...networks, ['acme', acme]]);
  expect(await readHow(csv, NOTHING, { ...DEFAULT_TERMS, ...own }, of)).toMatch(
    new RegExp(`^(CommissionSourceError: )?${expected}`),
  );
});

it.each([
  ['05.03.2026 10:00', undefined, 'day-first'],
  ['05.03.2026', 'month-first', 'day-first'],
  ['03/05/26', 'month-first', 'month-first'],
  ['31/12/25', undefined, 'day-first'],
  ['2026-03-05', undefined, 'month-first'],
] as const)(
  'the preview says in which order %s is read, though %s was said',
  async (date, dayOrder, expected) => {
    const how = await readHow(`id,commission,date\n1,5.00,${date}`, { ...(dayOrder && { dayOrder }) });
    expect(how).toBe(`USD UTC ${expected}: 1 500 USD pending`);
  },
);

it('a short year whose order nobody says is asked about', async () =>
  expect(await readHow('id,commission,date\n1,5.00,05/03/26')).toContain('choose day-first or month-first'));
