import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CASES, SEARCHED } from '../../../test/support/cases.ts';
import { forAll } from '../../../test/support/for-all.ts';
import { createMemoryClicks, createMemoryLedger } from '../../../test/support/memory-stores.ts';
import { createTestLedger } from '../../../test/support/test-ledger.ts';
import { readShippedNetworks } from '../../content-files/networks.ts';
import { CommissionSourceError } from '../../core/commissions/ledger/commission-source.ts';
import { DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import type { FileRow } from '../../core/commissions/ledger/csv-columns.ts';
import { detectCsvFormat, readCsvRows } from '../../sources/networks/csv.ts';
import { readPartRows, startImport } from './csv-import.ts';

const NOW = Date.parse('2026-11-28T12:00:00Z');
const networks = readShippedNetworks();
const store = createMemoryLedger();
const ledger = createTestLedger({ store, clicks: createMemoryClicks([]), now: () => NOW });

/** What the rows of a report become, `id amount currency status day`; or that it was asked about. */
async function readReport(csv: string): Promise<readonly string[] | 'asked'> {
  const open = async function* () {
    yield Buffer.from(csv);
  };
  try {
    const format = await detectCsvFormat(open);
    const readRows = () => readCsvRows(open, format);
    const terms = { ...DEFAULT_TERMS, currency: 'USD' };
    const profile = { timeZone: 'UTC' };
    const options = { ledger, store, partner: 'p', terms, networks, profile, now: NOW };
    const state = await startImport({ hash: '', readRows }, options);
    const rows: FileRow[] = [];
    for await (const row of readRows()) rows.push(row);
    const context = { known: new Map(), alike: new Map(), labelled: new Map(), seen: new Map() };
    const { read, problems } = readPartRows(state, rows, context, options);
    return problems.length > 0
      ? 'asked'
      : read.map(({ report: { nativeId, amount, currency, status, eventTime } }) =>
          // What a reversed commission was worth counts nowhere.
          [
            nativeId,
            status === 'reversed' ? 0 : amount,
            currency,
            status,
            eventTime === null ? '' : nameDay(eventTime),
          ].join(' '),
        );
  } catch (error) {
    if (error instanceof CommissionSourceError) return 'asked';
    throw error;
  }
}

const nameDay = (time: number) => new Date(time).toISOString().slice(0, 10);

/** The columns of a report, each with its name in some languages, and one that nobody knows. */
const HEADINGS = {
  id: ['Transaction ID', 'Transaktionsnummer', 'Identifiant', 'Número', '取引番号', 'Xyz'],
  date: ['Date', 'Buchungstag', "Date d'achat", 'Día de compra', '日付', 'Xyz'],
  click: ['Sub ID', 'Klickkennung', 'Sous-identifiant', 'Subíndice', 'サブ', 'Xyz'],
  sale: ['Sale Amount', 'Bestellwert', 'Montant de la commande', 'Importe', '金額', 'Xyz'],
  commission: ['Commission', 'Provisionsbetrag', 'Gain', 'Ganancia', '報酬', 'Xyz'],
  currency: ['Currency', 'Geldsorte', 'Monnaie', 'Divisa', '通貨', 'Xyz'],
  status: ['Status', 'Zustandsangabe', 'Avancement', 'Situación', '状況', 'Xyz'],
  shop: ['Shop', 'Laden', 'Boutique', 'Tienda', '店', 'Xyz'],
} as const;
type Column = keyof typeof HEADINGS;
const COLUMNS = Object.keys(HEADINGS) as Column[];

const sale = fc.record({
  units: fc.integer({ min: 1, max: 400_000 }),
  day: fc.integer({ min: 0, max: 300 }),
  status: fc.constantFrom('pending', 'approved', 'reversed'),
  currency: fc.constantFrom('EUR', 'GBP', 'USD'),
});
type Sale = typeof sale extends fc.Arbitrary<infer Value> ? Value : never;

const decimal = (units: number) => (units / 100).toFixed(2);
const tell = ({ units, day, status, currency }: Sale, index: number): Record<Column, string> => ({
  id: `T-${1_000 + index * 7}`,
  date: nameDay(Date.UTC(2026, 0, 1) + day * 86_400_000),
  click: `c${index}`,
  sale: decimal(units * 10),
  commission: decimal(units),
  currency,
  status,
  shop: index % 2 === 0 ? 'Acme' : 'Beta, Inc',
});

interface Table {
  headings: string[];
  rows: string[][];
  /** What the rows say, by column; a cell that was emptied says nothing. */
  truth: Record<Column, string>[];
  ends: readonly string[];
}

const SPOILS =
  'rename double twin unnamed emptyColumn emptyCell cut lengthen ends day id currency cents note';

/** Spoils a report; `at`, `by`: which column, and how. */
function spoil(how: string, at: number, by: number, row: number, table: Table): void {
  const column = COLUMNS[at % COLUMNS.length] ?? 'id';
  const place = COLUMNS.indexOf(column);
  const index = row % table.rows.length;
  const own = table.rows[index] ?? [];
  const truth = table.truth[index];
  if (truth === undefined) return;
  const set = (name: Column, text: string) => own.splice(COLUMNS.indexOf(name), 1, text);
  const pick = (...texts: string[]) => texts[by % texts.length] ?? '';
  if (how === 'rename') table.headings[place] = HEADINGS[column][by % 6] ?? '';
  if (how === 'double' || how === 'twin') {
    table.headings.push(table.headings[place] ?? '');
    for (const [line, cells] of table.rows.entries())
      cells.push(how === 'twin' ? (cells[place] ?? '') : (table.rows.at(line - 1)?.[place] ?? ''));
  }
  if (how === 'unnamed') table.headings[place] = '';
  const empty = (line: number) => {
    table.rows[line]?.splice(place, 1, '');
    if (column === 'status') table.truth[line] = { ...(table.truth[line] ?? truth), status: 'pending' };
    if (column === 'date') table.truth[line] = { ...(table.truth[line] ?? truth), date: '' };
  };
  if (how === 'emptyColumn') for (const line of table.rows.keys()) empty(line);
  if (how === 'emptyCell') empty(index);
  if (how === 'cut') own.splice(1 + (by % (COLUMNS.length - 1)));
  if (how === 'lengthen') own.splice(place, 0, pick('1', '12', 'x', '0.50'));
  if (how === 'ends')
    table.ends = [['\r\n', '\n'], ['\n', '\r\n'], ['\r', '\n', '\r\n'], ['\r']][by % 4] ?? [];
  if (how === 'day') {
    const text = pick(
      '0000-00-00',
      '2031-01-05',
      '1926-11-02',
      '2569-10-25',
      '0026-11-02',
      '25/10/69',
      'soon',
    );
    set('date', text);
    truth.date = 'never';
  }
  // Two spellings of the id that was meant, one of another one.
  if (how === 'id') set('id', pick(`="${truth.id}"`, `'${truth.id}`.replace('T-', ''), truth.id));
  if (how === 'id' && by % 3 === 1) truth.id = truth.id.replace('T-', '');
  if (how === 'currency') {
    set('currency', pick('BTC', 'XXX', 'EUX', 'CLF', '€€', ''));
    truth.currency = 'never';
  }
  if (how === 'cents') {
    table.headings[COLUMNS.indexOf('commission')] = pick(
      'Commission (cents)',
      'commission_cents',
      'Commission (%)',
    );
    for (const [line, cells] of table.rows.entries())
      cells[COLUMNS.indexOf('commission')] = String(
        Math.round(Number(table.truth[line]?.commission) * (by % 3 === 2 ? 1 : 100)),
      );
  }
  if (how === 'note') table.rows.splice(index, 0, ['Sales of the week']);
}

const quote = (cell: string) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

it('reads a report that was spoiled as it was meant, or asks', async () => {
  let read = 0;
  const names = SPOILS.split(' ');
  const counts: Record<string, number> = {};
  await forAll(
    8 * SEARCHED,
    [
      fc.array(sale, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(...names),
      fc.nat(1_000),
      fc.nat(1_000),
      fc.nat(1_000),
    ],
    async (sales, how, at, by, row) => {
      const truth = sales.map(tell);
      const rows = truth.map((one) => COLUMNS.map((column) => one[column]));
      const headings = COLUMNS.map((column): string => HEADINGS[column][0]);
      const table: Table = { headings, rows, truth, ends: ['\n'] };
      spoil(how, at, by, row, table);
      const lines = [table.headings, ...table.rows].map((cells) => cells.map(quote).join(','));
      const csv = lines.map((line, index) => line + table.ends[index % table.ends.length]).join('');
      const found = await readReport(csv);
      if (found === 'asked') return;
      read += 1;
      counts[how] = (counts[how] ?? 0) + 1;
      const meant = table.truth.map((one) =>
        [
          one.id,
          one.status === 'reversed' ? 0 : Math.round(Number(one.commission) * 100),
          one.currency,
          one.status,
          one.date,
        ].join(' '),
      );
      expect(found, csv).toEqual(meant);
    },
  );
  // It does not ask about everything.
  expect(read, JSON.stringify(counts)).toBeGreaterThan(CASES * SEARCHED);
});
