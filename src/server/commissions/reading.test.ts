import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../test/support/for-all.ts';
import { createMemoryClicks, createMemoryLedger } from '../../../test/support/memory-stores.ts';
import { SAMPLE_CLICK } from '../../../test/support/sample-commissions.ts';
import { buildSampleVisit } from '../../../test/support/sample-events.ts';
import { createTestLedger, readEntries } from '../../../test/support/test-ledger.ts';
import { readShippedNetworks } from '../../content-files/networks.ts';
import { type CommissionTerms, DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import type { ImportProfile } from '../../core/commissions/ledger/stored-money.schema.ts';
import { findForeignSign } from '../../core/commissions/money.ts';
import { parseNetworkMessage } from '../../core/commissions/networks/parse-message.ts';
import { detectCsvFormat, readCsvRows } from '../../sources/networks/csv.ts';
import { commitImport, type ImportSummary } from './csv-import.ts';
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

/** What a postback becomes, with its currency; `asked`: it is kept and asked about. */
function read(query: string, terms = USD): string {
  const message = parseNetworkMessage(parseForm(query), terms, networks, NOW);
  if (message.kind !== 'reports') return message.kind === 'invalid' ? 'asked' : message.kind;
  const [report] = message.reports;
  return `${report?.amount} ${report?.currency} ${report?.kind} ${report?.status} ${report?.token}`;
}

it.each([
  // Names as other programs write them.
  ...['curr=EUR', 'Ccy=EUR', 'cur=eur', 'amp;currency=EUR', 'amp%3Bamp%3Bcurrency=EUR', 'CURRENCY=EUR'].map(
    (field) => [field, '500 EUR sale pending C'],
  ),
  ...[
    'w%C3%A4hrung=EUR',
    'wa%CC%88hrung=EUR',
    'cur%E2%80%8Brency=EUR',
    '%EF%BB%BFcurrency=EUR',
    'iso_currency=EUR',
  ].map((field) => [field, '500 EUR sale pending C']),
  ['amp;status=approved', '500 USD sale approved C'],
  ['amp;kind=recurring&amp;amp;status=paid', '500 USD recurring paid C'],
  // What nobody reads is asked about, where it says something else than what would be stored.
  ...['sale_currency=EUR', 'cart[currency]=EUR', 'valutakode=NOK', 'unit=GBP', 'order_curr=eur', 'x=€'].map(
    (field) => [field, 'asked'],
  ),
  ...[
    'commission_adjustment=-2.50',
    'payout_correction=(2.50)',
    'fee=2.50-',
    'amount=7',
    'again=1&amount=7',
  ].map((field) => [field, 'asked']),
  ...[
    'currency=EUR&currency=GBP',
    'click=other',
    'status=approved&status=reversed',
    'currency=EUR&payout_currency_code=GBP',
  ].map((field) => [field, 'asked']),
  ...['bestelldatum=20.11.2025', 'kauf=2025-11-20', 'xq7=2025-11-20T10:00:00Z', 'ts_utc=Nov+20,+2025'].map(
    (field) => [field, 'asked'],
  ),
  // What says the same, or nothing about money.
  ...['x=USD', 'country=CHE', 'lang=eng', 'coupon=TRY', 'sale_currency=usd', 'click_date=2025-11-20'].map(
    (field) => [field, '500 USD sale pending C'],
  ),
  ...['amount=5', 'amount=', 'expires=2027-01-01', 'version=1.2.3', 'note=top', 'plan=all'].map((field) => [
    field,
    '500 USD sale pending C',
  ]),
])('the spelling %s is read as %s', (field, expected) =>
  expect(read(`click=C&id=1&amount=5&${field}`)).toBe(expected),
);

it('a message with spoiled names, values and fields is read as it says, or asked about', async () => {
  const fields = {
    click: 'C',
    id: '1',
    status: 'approved',
    amount: '5.00',
    currency: 'EUR',
    at: '2025-11-20',
  };
  const whole = '500 EUR sale approved C';
  const names = Object.keys(fields) as (keyof typeof fields)[];
  const twice = {
    click: 'D',
    id: '2',
    status: 'reversed',
    amount: '7.00',
    currency: 'GBP',
    at: '2025-11-21',
  };
  const spoil = fc.record({
    name: fc.constantFrom(...names),
    how: fc.constantFrom(
      'case',
      'escape',
      'width',
      'other',
      'empty',
      'twice',
      'copy',
      'gone',
      'nested',
      'order',
    ),
    seed: fc.nat(1_000),
  });
  const other = ['geld', 'monto', 'wert', 'bestellung', 'feld', 'x', 'zeit', 'valeur', 'nr', 'umstand'];
  await forAll(10, [fc.array(spoil, { minLength: 1, maxLength: 2 })], (spoils) => {
    let pairs: [string, string][] = names.map((name) => [name, fields[name]]);
    const lost = new Set<string>();
    for (const { name, how, seed } of spoils)
      pairs = pairs.flatMap(([own, value]): [string, string][] => {
        if (how === 'order') return [[own, value]];
        if (own !== name) return [[own, value]];
        if (how === 'empty' || how === 'gone') lost.add(name);
        if (how === 'case') return [[own.toUpperCase(), value]];
        if (how === 'escape') return [[`amp;${own}`, value]];
        if (how === 'width') return [[`${own}\u200B`, value]];
        if (how === 'other') return [[other[seed % other.length] ?? 'x', value]];
        if (how === 'empty') return [[own, '']];
        if (how === 'gone') return [];
        if (how === 'nested') return [[`data[${own}]`, value]];
        return how === 'twice'
          ? [
              [own, value],
              [own, twice[name]],
            ]
          : [
              [own, value],
              [own, value],
            ];
      });
    const found = read(String(new URLSearchParams(pairs)));
    if (found === 'asked') return;
    // What it does not say any more is not said by anybody; a click of another name is found by its value.
    const [amount, currency, kind, status] = found.split(' ');
    const expected = whole.split(' ');
    if (lost.has('currency')) expected[1] = 'USD';
    if (lost.has('status')) expected[3] = 'pending';
    if (lost.has('amount')) expected[0] = '0';
    expect([amount, currency, kind, status]).toEqual(expected.slice(0, 4));
  });
});

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
  const [entry] = await readEntries(ledger);
  expect(entry?.commission).toMatchObject({ amount: 6_436, currency: 'GBP', status: 'paid' });
  expect((await store.readFacts()).map(({ amountText }) => amountText)).toEqual([undefined, '64.36']);
});

interface Read {
  readonly summary: ImportSummary;
  readonly rows: readonly string[];
  /** ms since 1970. */
  readonly times: readonly number[];
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
  const given = { currency: 'USD', timeZone: 'UTC', isChecked: true, ...profile };
  const options = { ledger, store, partner: 'p', terms, networks: of, profile: given, now: NOW };
  try {
    const summary = await commitImport(file, options);
    const facts = await store.readFacts();
    return {
      summary,
      times: facts.map(({ eventTime }) => eventTime),
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
  ['id,commission,Ergebnis\n1,5.00,bestätigt\n2,5.00,storniert', 'The column Ergebnis has words of a status'],
  [
    'id,commission,Käsittely\n1,5.00,hyväksytty\n2,5.00,hylätty',
    'The column Käsittely has words of a status',
  ],
  ['id,commission,結果\n1,5.00,承認\n2,5.00,却下', 'The column 結果 has words of a status'],
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
    summary: { reading: { decimal: ',', timeZone: 'UTC', dayOrder: 'unknown', network: 'generic' } },
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
    'does not exist in America/New_York, whose clocks skip it: name the zone of the file',
  );
});

it('a message and a report row of one commission agree', async () => {
  expect(send('click=C&id=1&commission=5&amount=100&state=locked')).toBe('500 10000 sale approved');
  expect(await readRows('click,id,commission,amount,state\nC,1,5,100,locked')).toBe('1 500 USD approved');
});

const SIGNS = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code)).filter((sign) =>
  /\p{Sc}/u.test(sign),
);

it('no sign of Unicode is a dollar but the dollar', () => {
  const dollars = SIGNS.filter((sign) => findForeignSign(`${sign}12.50`, 'USD') === null);
  expect(dollars).toEqual(['$', '\ufe69', '\uff04']);
  expect(findForeignSign('฿ 12.50', 'THB')).toBe(null);
  expect(findForeignSign('$12.50 EUR', 'USD')).toBe('EUR');
});

it.each([
  ['Commission (€)', '', '1 500 EUR pending'],
  ['Commission [GBP]', '', '1 500 GBP pending'],
  ['commission_gbp', 'commission_gbp', '1 500 GBP pending'],
  ['Commission EUR', 'Commission EUR', '1 500 EUR pending'],
  ['Commission (NET)', '', '1 500 USD pending'],
  ['Commission ($)', '', '1 500 USD pending'],
  ['Commission (US$)', '', '1 500 USD pending'],
  ['Commission (C$)', '', 'The heading Commission (C$)'],
  ['Commission (kr)', '', 'The heading Commission (kr)'],
])('a heading names a currency: %s', async (heading, chosen, expected) =>
  expect(
    await readRows(`id,${heading}\n1,5.00`, chosen ? { columns: { amount: chosen } } : undefined),
  ).toContain(expected),
);

it.each([
  ['id,Commission (NET),Commission (gross)\n1,5.00,7.00', 'can both be the commission'],
  ['id,Commission (GBP),Commission (EUR)\n1,5.00,7.00', 'can both be the commission'],
  ['id,Amount,Comisión\n1,99.00,5.00', 'can both be the commission'],
  ['id,Commission (USD),Currency\n1,5.00,EUR', 'is in USD'],
  ['id,Commission,Sale Amount\n1,5.00,€99.00', 'is not in USD'],
  ['id,Commission,Sale Amount\n1,5.00,a lot', '"a lot" is no amount'],
])('money of a report that can be read in two ways is asked about: %s', async (csv, reason) =>
  expect(await readRows(csv)).toContain(reason),
);

it('a sale in another currency than the commission is left out', async () => {
  const read = await importFile('id,Commission (USD),Sale Amount (EUR)\n1,5.00,99.00');
  expect(read).toMatchObject({ summary: { columns: { saleAmount: null }, committed: true } });
});

it.each([
  ['id,commission,Reason\n1,5.00,bought late\n2,5.00,Chargeback', 'the column Reason says "Chargeback"'],
  ['id,commission,Note\n1,5.00,see mail\n2,5.00,declined', '--column status="Note"'],
  ['id,commission,Refunded\n1,5.00,no\n2,5.00,yes', 'the column Refunded says "yes"'],
  ['id,commission,Bestellstatus\n1,5.00,storniert', 'The column Bestellstatus'],
  ['id,commission,Payment Status\n1,5.00,under review', 'The column Payment Status'],
  ['id,commission,Statut\n1,5.00,refusé', '1 500 USD unknown'],
  ['id,commission,状态\n1,5.00,已拒绝', '1 500 USD unknown'],
  ['id,commission,Coupon\n1,5.00,REFUND-GUIDE', '1 500 USD pending'],
  ['id,commission,type,note\n1,-5.00,refund,refunded late', '1 -500 USD pending'],
])('a row that may be taken back is never a pending sale: %s', async (csv, expected) =>
  expect(await readRows(csv)).toContain(expected),
);

it.each(
  'Total (USD)|Sum|Grand total:|Sub-total|Итого|合計|Gesamt|Summe|Totale|Total général|Razem|TOTALS (2 rows)|小计|Összesen'.split(
    '|',
  ),
)('a row of totals may be called %s, in any column that names a row', async (word) => {
  for (const row of [`${word},12.00,,`, `,12.00,${word},`, `,12.00,,${word}`]) {
    const read = await importFile(
      `id,commission,date,sub id\n1,5.00,2025-11-20,\n2,7.00,2025-11-20,\n${row}`,
    );
    expect(read).toMatchObject({ summary: { totals: [4], rows: 2, problems: [] } });
  }
});

it('a word without digit, date, currency and click is asked about where rows have them', async () => {
  expect(await readRows('id,commission,currency\n1,5.00,KWD\nJumla,5.000,')).toContain('1 5000 KWD');
  expect(await readRows('id,commission,currency\n1,5.00,KWD\nJumla,4,')).toContain('may be one of totals');
  const csv = 'id,commission,date\n1,5.00,2025-11-20\n2,7.00,2025-11-20\nJumla,';
  expect(await readRows(`${csv}5.00,`)).toContain('Line 4: it may be one of totals');
  expect(await importFile(`${csv}12.00,`)).toMatchObject({ summary: { totals: [4], problems: [] } });
});

it.each([
  ['amount=5&sale_amount=1.234', 'the sale amount 1.234 can be 1.23 or 1234'],
  ['amount=5&sale_amount=99,00', 'the amount of the sale'],
  ['amount=5&payout_currency=EUR&currency=USD&sale_amount=99', 'name two currencies'],
  ['amount=99.00&comision=5.00', 'the fields amount and comision both'],
  ['commission=5&provision=7', 'the fields commission and provision both'],
  ['commission=5&payout=$7', 'the fields commission and payout both'],
  ['status=approved&net_total=5.00', 'the field amount is missing'],
  ['amount=5&created_at=yesterday', 'must be a time'],
  ['amount=5&date=03/04/2026', 'the day or the month'],
  ['amount=5&date=04-03-2026+10:00', 'the day or the month'],
  ['amount=5&bestellstatus=storniert', 'bestellstatus says storniert'],
  ['amount=5&status=approved&order_status=cancelled', 'order_status says cancelled'],
])('a message with %s is asked about', (fields, reason) =>
  expect(send(`click=C&id=1&${fields}`)).toContain(reason),
);

it.each([
  ['date=13/04/2025', '500 null sale pending 2025-04-13'],
  ['date=04/13/2025', '500 null sale pending 2025-04-13'],
  ['date=04/04/2025', '500 null sale pending 2025-04-04'],
  ['date=03.04.2025', '500 null sale pending 2025-04-03'],
  ['updated_at=0000-00-00', '500 null sale pending'],
  ['statut=refusé', '500 null sale unknown'],
  ['sale_amount=n/a', '500 null sale pending'],
])('a message with %s is read', (fields, expected) =>
  expect(send(`click=C&id=1&amount=5&${fields}`)).toContain(expected),
);

const AWIN = 'transactionId=1&clickRef=C&transactionCurrency=GBP&commission=';

it.each([
  ['5&commissionAmount=7', 'the fields commission and commissionAmount both'],
  ['5&event=refund', 'the field event says refund'],
  ['5&transaction_status=declined', 'transaction_status says declined'],
  ['5&transactionDate=soon', 'must be a time'],
  ['5&transactionDate=03/04/2026', 'the day or the month'],
])('the shape of a network has the same questions: commission=%s', (fields, reason) => {
  expect(send(AWIN + fields, { ...USD, network: 'awin' })).toContain(reason);
  expect(send(AWIN + fields)).not.toContain('pending');
});

it('a number of JSON has no groups', () => {
  const message = { transactionId: 1, clickRef: 'C', transactionCurrency: 'GBP', commission: 1.234 };
  for (const network of ['awin', 'generic'])
    expect(parseNetworkMessage(message, { ...USD, network }, networks, NOW)).toMatchObject({
      reports: [{ amount: 123 }],
    });
  const plain = { id: 1, amount: 1.234, sale_amount: 5.678 };
  expect(parseNetworkMessage(plain, USD, networks, NOW)).toMatchObject({ reports: [{ amount: 123 }] });
});

it.each([
  [',1.234', 'EUR', {}, '(--decimal)'],
  ['03/04/2026,5.00', 'USD', {}, '(--dates)'],
  ['03/04/2025,5.00', 'USD', { dayOrder: 'day-first' }, '2001 500 USD pending'],
  ['13/04/2025,5.00', 'USD', {}, '2001 500 USD pending'],
  [',5.00,declined', 'USD', {}, '--column status="Note"'],
] as const)(
  'what only a late row shows is asked about: %s in %s',
  async (row, currency, profile, expected) => {
    const rows = Array.from({ length: 2_000 }, (_, index) => `${index},,5`).join('\n');
    expect(
      await readRows(`id,date,commission,Note\n${rows}\n2001,${row}`, { currency, ...profile }),
    ).toContain(expected);
  },
);

it('yen in a file of dollars have no decimals', async () =>
  expect(await readRows('id;commission;currency\n1;5.00;USD\n2;12.500;JPY')).toContain('(--decimal)'));

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
    'GBP Asia/Tokyo unknown: 1 500 GBP pending',
  ],
  ["the network's file", CSV, { network: 'acme' }, 'EUR Europe/Berlin unknown: 1 500 EUR pending'],
  [
    'each row',
    'id,commission,currency,date\n1,5.00,PLN,2025-11-20',
    { timeZone: 'Asia/Tokyo' },
    ' Asia/Tokyo unknown: 1 500 PLN pending',
  ],
  ['nobody', CSV, { timeZone: 'Asia/Tokyo' }, 'Nobody states the currency'],
  [
    'one row of two',
    'id,commission,currency\n1,5.00,PLN\n2,5.00,',
    { timeZone: 'Asia/Tokyo' },
    'Nobody states the currency',
  ],
  ['no zone', CSV, { currency: 'GBP' }, 'Nobody states the time zone'],
  [
    'times with an offset',
    'id,commission,date\n1,5.00,2025-11-20T10:00:00Z',
    { currency: 'GBP' },
    'GBP UTC unknown: 1 500 GBP pending',
  ],
  ['no day', 'id,commission\n1,5.00', { currency: 'GBP' }, 'GBP UTC unknown: 1 500 GBP pending'],
  [
    'a row of totals without a currency',
    'id,commission,currency,date\n1,5.00,GBP,2025-11-20T10:00:00Z\nTotal,5.00,,',
    {},
    ' UTC unknown: 1 500 GBP pending',
  ],
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
  ['05.03.2025 10:00', undefined, 'day-first'],
  ['05.03.2025', 'month-first', 'day-first'],
  ['03/05/25', 'month-first', 'month-first'],
  ['31/12/25', undefined, 'day-first'],
  ['2025-03-05', undefined, 'unknown'],
] as const)(
  'the preview says in which order %s is read, though %s was said',
  async (date, dayOrder, expected) => {
    const how = await readHow(`id,commission,date\n1,5.00,${date}`, { ...(dayOrder && { dayOrder }) });
    expect(how).toBe(`USD UTC ${expected}: 1 500 USD pending`);
  },
);

it('a short year whose order nobody says is asked about', async () =>
  expect(await readHow('id,commission,date\n1,5.00,05/03/25')).toContain('choose day-first, month-first'));

it("an interface's and a push's point is a point: no amount of theirs is asked about", () => {
  const terms = { ...USD, network: 'awin' };
  expect(send(`${AWIN}1.234&transactionAmount=-1295.658`, terms)).toBe('123 -129566 sale pending');
  expect(send(`${AWIN}1,234`, terms)).toContain('amount must be');
});

it.each([
  ['2026-03-05', 'is ahead'],
  ['25/10/2568', 'is ahead'],
  ['25/10/68', 'is ahead'],
  ['1900-01-01', 'is more than ten years ago'],
  ['0026-01-02', 'is no date'],
  ['0000-00-00', 'is no date'],
  ['00/00/0000', 'is no date'],
  ['25/10/24', 'choose day-first'],
])(
  'a day that cannot be is asked about, in a report, a message and an interface: %s',
  async (date, reason) => {
    expect(await readRows(`id,commission,date\n1,5.00,${date}`)).toContain(reason);
    const told = reason === 'is no date' || reason === 'choose day-first' ? /^at (must|can)/ : reason;
    expect(send(`click=C&id=1&amount=5&at=${date}`)).toMatch(told);
    const push = `transactionId=1&clickRef=C&commission=5&transactionCurrency=GBP&transactionDate=${date}`;
    expect(send(push, { ...USD, network: 'awin' })).toMatch(told);
  },
);

it.each([
  ['2026-03-05', '500 null sale approved 2025-11-20T00:00:00.000Z'],
  ['1900-01-01', 'is more than ten years ago'],
])('a change on %s counts from its arrival, or is asked about', (date, expected) =>
  expect(send(`click=C&id=1&amount=5&status=approved&date=2025-11-20&updated_at=${date}`)).toContain(
    expected,
  ),
);

it.each([
  ['25/10/24', 'year-first', '2025-10-24'],
  ['25/10/24', 'day-first', '2024-10-25'],
  ['25/12/31', undefined, '2025-12-31'],
  ['30/10/25', undefined, '2025-10-30'],
] as const)('%s is read as %s', async (date, dayOrder, day) => {
  const read = await importFile(`id,commission,date\n1,5.00,${date}`, { ...(dayOrder && { dayOrder }) });
  if (typeof read === 'string') throw new Error(read);
  expect(read.times).toEqual([Date.parse(day)]);
});

it.each([
  [['2025-25-10', '2025-03-11'], undefined, ['2025-10-25', '2025-11-03']],
  [['2025-03-02', '2025-05-04', '2025-07-06'], undefined, 'year-day'],
  [['2025-03-02', '2025-05-04', '2025-07-06'], 'year-day', ['2025-02-03', '2025-04-05', '2025-06-07']],
  [['2025-03-02', '2025-05-04', '2025-07-06'], 'year-first', ['2025-03-02', '2025-05-04', '2025-07-06']],
  // A date that can only be that of ISO 8601, one with a time, one month, the first of each month, and what would be ahead.
  [['2025-03-02', '2025-05-04', '2025-07-16'], undefined, ['2025-03-02', '2025-05-04', '2025-07-16']],
  [['2025-11-03T10:00:00Z'], 'year-day', ['2025-11-03']],
  [['2025-11-03', '2025-11-05', '2025-11-07'], undefined, ['2025-11-03', '2025-11-05', '2025-11-07']],
  [['2025-03-01', '2025-05-01', '2025-07-01'], undefined, ['2025-03-01', '2025-05-01', '2025-07-01']],
  [['2025-03-02', '2025-05-12', '2026-01-06'], undefined, ['2025-03-02', '2025-05-12', '2026-01-06']],
] as const)('%j, as %s, is %j', async (dates, dayOrder, days) => {
  const rows = dates.map((date, index) => `${index},5.00,${date}`);
  const csv = ['id,commission,date', ...rows].join('\n');
  const read = await importFile(csv, { ...(dayOrder && { dayOrder }) });
  if (typeof read === 'string' || typeof days === 'string') return expect(read).toContain(days);
  expect(read.times.map((time) => new Date(time).toISOString().slice(0, 10))).toEqual(days);
});

it.each(['BTC', 'XXX', 'XAU', 'CLF', 'UYW', 'EUX'])(
  'money in %s is asked about, in a message and in a report',
  async (currency) => {
    expect(send(`click=C&id=1&amount=0.001&currency=${currency}`)).toContain('currency is not known');
    expect(await readRows(`id,commission,currency\n1,5.00,${currency}`)).toContain('no currency');
  },
);

it.each([
  ['id,Commission (cents)\n1,1250', '1 1250 USD pending'],
  ['id,commission [minor units],sale (cents)\n1,1250,9900', '1 1250 USD pending'],
  ['id,Commission (cents)\n1,12.50', 'is no amount'],
  ['id,Commission (%)\n1,20.00', 'No column has the commission'],
  ['id,Commission (000s)\n1,1.25', 'say whether it is'],
  ['id,Commission,Commission\n1,5.00,7.00', 'Two columns are called Commission'],
  ['id,Commission,Commission\n1,5.00,5.00', '1 500 USD pending'],
  ['id,Note,Note,Commission\n1,a,b,5.00', '1 500 USD pending'],
  ['id,Commission,Commission adjustment\n1,12.50,-2.50', 'can both be the commission'],
  ['id,Commission,Korrektur\n1,"12,50","-2,50"', 'can both be the commission'],
  ['id,Commission,Price,VAT\n1,12.50,99.00,19.00', '1 1250 USD pending'],
  ['Nummer,sub id,Commission\nT-1,c1,5.00\nT-2,c2,5.00', 'mostly ids: Nummer'],
  ['id,Commission,Currency,Payout Ccy\n1,5.00,USD,EUR', 'mostly currencies: Payout Ccy'],
  ['id,Commission,Currency\n1,5.00,\n2,5.00,EUR', '1 500 USD pending, 2 500 EUR pending'],
  ['id,Commission,Valmis\n1,5.00,2025-11-20', 'mostly days: Valmis'],
  ['id,Commission,Status\n1,,approved', 'the column Commission is empty'],
  ['id,Commission,Status\n1,,rejected', '1 0 USD reversed'],
  ['id,sub id,Commission\n,c1,5.00', 'the column id is empty'],
  ['id,Commission,Status\n1,5.00\n2,5.00,rejected', 'Line 2: the line ends before'],
  ...['الحالة', 'Trạng thái', 'Κατάσταση', 'Állapot', 'Состояние', 'סטטוס'].map((heading) => [
    `id,Commission,${heading}\n1,5.00,abc\n2,5.00,xyz`,
    '1 500 USD unknown, 2 500 USD unknown',
  ]),
  ...['1.23457E+11', '"1,23457E+11"', '4e+15'].map((id) => [
    `id,Commission\n${id},5.00`,
    'was rounded by a spreadsheet',
  ]),
])('a column that matters is read or asked about: %s', async (csv, expected) =>
  expect(await readRows(csv)).toContain(expected),
);

it('asks for the currency of rows that name none where others do, unless the operator says it', async () => {
  const csv = 'id,commission,currency\n1,5.00,EUR\n2,5.00,';
  const terms = { ...DEFAULT_TERMS, currency: 'USD' };
  expect(await importFile(csv, NOTHING_SAID, terms)).toContain('Nobody states the currency');
  expect(await importFile(csv, { currency: 'GBP' }, terms)).toMatchObject({
    summary: { sums: { EUR: 500, GBP: 500 } },
  });
});

const NOTHING_SAID = { currency: undefined };
