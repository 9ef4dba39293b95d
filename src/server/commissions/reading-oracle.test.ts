import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { CASES, IS_FULL_LENGTH, SEARCHED } from '../../../test/support/cases.ts';
import { forAll } from '../../../test/support/for-all.ts';
import { createMemoryClicks, createMemoryLedger } from '../../../test/support/memory-stores.ts';
import { createTestLedger } from '../../../test/support/test-ledger.ts';
import { readShippedNetworks } from '../../content-files/networks.ts';
import type { ReportedFact } from '../../core/commissions/ledger/commission-fact.ts';
import {
  CommissionSourceError,
  type MessageFields,
} from '../../core/commissions/ledger/commission-source.ts';
import { DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import type { FileRow } from '../../core/commissions/ledger/csv-columns.ts';
import { getMinorDigits } from '../../core/commissions/money.ts';
import { parseNetworkMessage } from '../../core/commissions/networks/parse-message.ts';
import { detectCsvFormat, readCsvRows } from '../../sources/networks/csv.ts';
import { readPartRows, startImport } from './csv-import.ts';
import { parseForm } from './postbacks.ts';

const NOW = Date.parse('2026-01-10T12:00:00Z');
const networks = readShippedNetworks();
const store = createMemoryLedger();
const ledger = createTestLedger({ store, clicks: createMemoryClicks([]), now: () => NOW });
const context = { known: new Map(), alike: new Map(), labelled: new Map(), settled: new Map() };

/** `id amount/sale currency status kind time`, the sale, kind and time only where they are told. */
const describe = ({ nativeId, amount, saleAmount, currency, status, kind, eventTime }: ReportedFact) =>
  [
    nativeId,
    saleAmount === null ? amount : `${amount}/${saleAmount}`,
    currency,
    status,
    kind === 'sale' ? '' : kind,
    eventTime === null ? '' : new Date(eventTime).toISOString().slice(0, 16),
  ]
    .filter((text) => text !== '')
    .join(' ');

type Read = readonly ReportedFact[] | string;
const show = (read: Read) => (typeof read === 'string' ? read : read.map(describe).join(', '));

/** What a message becomes, or `asked`. */
function send(fields: MessageFields, network = 'generic', currency = 'USD'): Read {
  const message = parseNetworkMessage(fields, { ...DEFAULT_TERMS, network, currency }, networks, NOW);
  if (message.kind !== 'reports') return message.kind === 'invalid' ? 'asked' : message.kind;
  return message.reports.every(({ isTest }) => isTest) ? 'test' : message.reports;
}

/** What the rows of a report become, or `asked`. */
async function importReport(csv: string, currency = 'USD'): Promise<Read> {
  const open = async function* () {
    yield Buffer.from(csv);
  };
  const format = await detectCsvFormat(open);
  const readRows = () => readCsvRows(open, format);
  const profile = { currency, timeZone: 'UTC' };
  const options = { ledger, store, partner: 'p', terms: DEFAULT_TERMS, networks, profile, now: NOW };
  try {
    const state = await startImport({ hash: '', readRows }, options);
    const rows: FileRow[] = [];
    for await (const row of readRows()) rows.push(row);
    const { read, problems } = readPartRows(state, rows, { ...context, seen: new Map() }, options);
    return problems.length > 0 ? 'asked' : read.map(({ report }) => report);
  } catch (error) {
    if (error instanceof CommissionSourceError) return 'asked';
    throw error;
  }
}

const fields = z.union([z.string().transform(parseForm), z.record(z.string(), z.unknown())]);
const cases = z
  .object({
    messages: z.array(z.tuple([z.string(), z.string(), fields, z.string()])),
    reports: z.array(z.tuple([z.string(), z.string(), z.string()])),
  })
  .parse(parse(readFileSync(path.resolve('test/fixtures/readings.yaml'), 'utf8')));

it.each(cases.messages)('a message of %s in %s: %j', (network, currency, message, becomes) =>
  expect(show(send(message, network, currency))).toBe(becomes),
);

it.each(cases.reports)('a report in %s: %s', async (currency, csv, becomes) =>
  expect(show(await importReport(csv, currency))).toBe(becomes),
);

const SIGNS: Readonly<Record<string, string>> = {
  USD: '$',
  EUR: '€',
  GBP: '£',
  JPY: '¥',
  PHP: '₱',
  THB: '฿',
  KWD: 'KWD',
};
/** Words of status that are known, and such that are not. */
const WORDS = {
  pending: ['pending open waiting', 'offen wartend'],
  approved: ['approved locked Confirmed', 'bestätigt validé'],
  reversed: ['declined cancelled Refunded', 'storniert refusé 却下'],
} as const;
const pick = <Item>(...items: readonly Item[]) => fc.constantFrom(...items);
/** The first one in most cases: one trap in a message is enough. */
const mostly = <Item>(usual: Item, ...others: readonly Item[]) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );

/** How one sender writes: the same in all of its messages and rows. */
const sender = fc.record({
  currency: pick('USD', 'EUR', 'GBP', 'JPY', 'PHP', 'THB', 'KWD'),
  /** How the currency is told, and whether the operator has named it. */
  told: mostly('operator', 'field', 'sign', 'code', 'heading', 'heading sign'),
  isNamed: fc.boolean(),
  style: mostly('plain', 'comma', 'us', 'eu', 'us whole', 'eu whole', 'three'),
  amount: mostly(
    'commission',
    'payout',
    'earnings',
    'amount',
    'Comisión',
    'Prowizja',
    'Vergütung',
    'commission_amount',
  ),
  sale: pick('', 'amount', 'sale_amount', 'order_value', 'revenue'),
  other: mostly('', 'fee', 'price', 'payout_total', 'quantity', 'commission_rate', 'Net commission'),
  status: pick('', 'status', 'state', 'order_status', 'Bestellstatus', 'statut', '状态', 'outcome', 'note'),
  isForeign: fc.boolean(),
  back: mostly(
    '',
    'event=refund',
    'Refunded=yes',
    'reason=chargeback',
    'cancelled_at=2025-11-21',
    'memo=order refunded',
  ),
  neutral: mostly('', 'utm_campaign=refund-guide', 'policy=no_refund', 'country=US', 'refunded=0'),
  time: pick('', 'at', 'date', 'created_at', 'timeOfEvent'),
  date: mostly('iso', 'offset', 'zone', 'seconds', 'month first', 'day first', 'dots', 'words'),
  total: mostly(
    '',
    'Total',
    'Total (USD)',
    'Grand total:',
    'Summe',
    'Итого',
    '合計',
    'Jumla',
    'Totals: 2 rows',
  ),
  totalIn: pick(0, 1, 2),
  isJson: fc.boolean(),
});
type Sender = typeof sender extends fc.Arbitrary<infer Value> ? Value : never;
const sold = fc.record({
  units: fc.integer({ min: 1, max: 3_000_000 }),
  ratio: fc.integer({ min: 2, max: 9 }),
  status: pick('pending' as const, 'approved' as const, 'reversed' as const),
  word: fc.nat(20),
  day: fc.integer({ min: 0, max: 330 }),
});
type Sold = typeof sold extends fc.Arbitrary<infer Value> ? Value : never;

/** An amount as the sender writes it, with what it truly is: whole amounts have no decimals. */
function write(units: number, { currency, style, told }: Sender) {
  const digits = getMinorDigits(currency);
  // In a currency with three decimals a point before three digits is theirs.
  const isWhole = style === 'us whole' || (style === 'eu whole' && digits < 3);
  const exact = isWhole ? Math.ceil(units / 10 ** digits) * 10 ** digits : units;
  const [group, point] = style.startsWith('us')
    ? [',', '.']
    : style.startsWith('eu')
      ? ['.', ',']
      : ['', style === 'comma' ? ',' : '.'];
  const [whole = '', rest = ''] = (exact / 10 ** digits).toFixed(digits).split('.');
  const decimals = isWhole ? '' : style === 'three' && digits === 2 ? `${rest}4` : rest;
  const text = whole.replace(/\B(?=(\d{3})+$)/g, group) + (decimals === '' ? '' : point + decimals);
  return {
    exact,
    text: told === 'sign' ? `${SIGNS[currency]}${text}` : told === 'code' ? `${text} ${currency}` : text,
  };
}

function writeDate(day: number, style: Sender['date']): string {
  const time = Date.UTC(2025, 0, 5) + day * 86_400_000;
  const iso = new Date(time).toISOString().slice(0, 10);
  const [y = '', m = '', d = ''] = iso.split('-');
  const before = new Date(time - 86_400_000).toISOString().slice(0, 10);
  const words = new Date(time).toLocaleDateString('en-US', {
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const dates: Readonly<Record<string, string>> = {
    iso,
    offset: `${iso}T02:00:00+02:00`,
    zone: `${before} 16:00:00 PST`,
    seconds: String(time / 1000),
    'month first': `${m}/${d}/${y}`,
    'day first': `${d}/${m}/${y}`,
    dots: `${d}.${m}.${y}`,
    words,
  };
  return dates[style] ?? iso;
}

/** What a sender tells of a sale, by name, and what is true. */
function tell(own: Sender, { units, ratio, status, word, day }: Sold, id: string) {
  const amount = write(units, own);
  const sale = write(units * ratio, own);
  const hasSale = own.sale !== '' && own.sale !== own.amount;
  const isUnlisted = own.isForeign && !['outcome', 'note'].includes(own.status);
  const words = WORDS[status][isUnlisted ? 1 : 0].split(' ');
  const heading =
    own.told === 'heading'
      ? ` (${own.currency})`
      : own.told === 'heading sign'
        ? ` (${SIGNS[own.currency]})`
        : '';
  const pair = (text: string) => (text === '' ? [] : [text.split('=') as [string, string]]);
  const fields: [string, string][] = [
    ['id', id],
    ...pair(own.time === '' ? '' : `${own.time}=${writeDate(day, own.date)}`),
    ['click', `c${id}`],
    [own.amount + heading, amount.text],
    ...(hasSale ? [[own.sale + heading, sale.text] as [string, string]] : []),
    ...pair(
      own.other === '' ? '' : `${own.other}=${own.other === 'quantity' ? 2 : write(units * 10, own).text}`,
    ),
    ...pair(own.told === 'field' ? `currency=${own.currency}` : ''),
    ...pair(own.status === '' ? '' : `${own.status}=${words[word % words.length]}`),
    ...pair(own.back),
    ...pair(own.neutral),
  ];
  return {
    fields,
    is: {
      id,
      amount: amount.exact,
      currency: own.currency,
      sale: hasSale ? sale.exact : null,
      status:
        own.back !== ''
          ? ['reversed', 'unknown']
          : own.status === ''
            ? ['pending']
            : own.isForeign
              ? [status, 'unknown']
              : [status],
      time: own.time === '' ? null : Date.UTC(2025, 0, 5) + day * 86_400_000,
    },
  };
}

/** Checks what was read against what is true; false: it was asked about. */
function isRight(
  read: Read,
  sales: readonly ReturnType<typeof tell>['is'][],
): read is readonly ReportedFact[] {
  if (typeof read === 'string') {
    expect(read).toBe('asked');
    return false;
  }
  expect(read.map(({ nativeId, amount, currency }) => [nativeId, amount, currency])).toEqual(
    sales.map(({ id, amount, currency }) => [id, amount, currency]),
  );
  for (const [index, { saleAmount, status, eventTime }] of read.entries()) {
    const is = sales[index];
    expect([null, is?.sale]).toContain(saleAmount);
    expect(is?.status).toContain(status);
    expect(eventTime).toBe(is?.time);
  }
  return true;
}

const quote = (cells: readonly string[]) => cells.map((cell) => `"${cell}"`).join(';');

function writeReport(own: Sender, rows: readonly ReturnType<typeof tell>[]): string {
  const headings = rows[0]?.fields.map(([name]) => name) ?? [];
  const sum = rows.reduce((all, { is }) => all + is.amount, 0);
  const place = ['id', own.time || 'click', 'click'][own.totalIn];
  const totals = headings.map((name) =>
    name === place ? own.total : name.startsWith(own.amount) ? write(sum, own).text : '',
  );
  const cells = rows.map(({ fields }) => fields.map(([, text]) => text));
  return [headings, ...cells, ...(own.total === '' ? [] : [totals])].map(quote).join('\n');
}

it('reads messages and reports as they are meant and alike, or asks', async () => {
  let messages = 0;
  let reports = 0;
  await forAll(4 * SEARCHED, [sender, fc.array(sold, { minLength: 1, maxLength: 4 })], async (own, sales) => {
    const operator = own.isNamed || own.told === 'operator' ? own.currency : 'USD';
    const rows = sales.map((one, index) => tell(own, one, String(index + 1)));
    const report = await importReport(writeReport(own, rows), operator);
    const isReportRead = isRight(
      report,
      rows.map(({ is }) => is),
    );
    if (isReportRead) reports += 1;
    const inField = own.told.startsWith('heading') ? { ...own, told: 'field' } : own;
    for (const [index, one] of sales.entries()) {
      const { fields, is } = tell(inField, one, String(index + 1));
      const isNumber = own.style === 'plain' || own.style === 'three';
      const values = fields.map(([name, text]) => [
        name,
        isNumber && /^\d+(\.\d+)?$/.test(text) ? Number(text) : text,
      ]);
      const query = parseForm(String(new URLSearchParams(fields)));
      const message = send(own.isJson ? Object.fromEntries(values) : query, 'generic', operator);
      if (!isRight(message, [is])) continue;
      messages += 1;
      if (!isReportRead) continue;
      const [{ amount, currency, status } = { amount: 0 }] = message;
      expect(report[index]).toMatchObject({ amount, currency, status });
    }
  });
  // It does not ask about everything; of a few cases, one is read at least.
  expect(Math.min(messages, reports)).toBeGreaterThan(IS_FULL_LENGTH ? CASES : 0);
});
