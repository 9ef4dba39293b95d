import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CASES, SEARCHED } from '../../../test/support/cases.ts';
import { forAll } from '../../../test/support/for-all.ts';
import { createMemoryClicks, createMemoryLedger } from '../../../test/support/memory-stores.ts';
import { createTestLedger } from '../../../test/support/test-ledger.ts';
import { readShippedNetworks } from '../../content-files/networks.ts';
import { parseCostFile } from '../../core/commissions/cost/cost-columns.ts';
import { CommissionSourceError } from '../../core/commissions/ledger/commission-source.ts';
import { DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import { type FileRow, ImportQuestions } from '../../core/commissions/ledger/csv-columns.ts';
import { detectCsvFormat, readCsvRows } from '../../sources/networks/csv.ts';
import { readPartRows, startImport } from './csv-import.ts';

const NOW = Date.parse('2026-11-28T12:00:00Z');
const networks = readShippedNetworks();
const store = createMemoryLedger();
const ledger = createTestLedger({ store, clicks: createMemoryClicks([]), now: () => NOW });

/** How many choices a form has that asks about a file: several columns that can be the same one are one choice. */
const countChoices = ({ columns, needs }: Pick<ImportQuestions, 'columns' | 'needs'>) =>
  new Set(columns.map(({ header, as }) => (as.length === 1 ? `as ${as[0]}` : header))).size + needs.length;

/** What the rows of a report become, `id amount currency status day`; or how many choices it asks for, at least one. */
async function readReport(csv: string): Promise<readonly string[] | number> {
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
    const context = {
      known: new Map(),
      alike: new Map(),
      labelled: new Map(),
      settled: new Map(),
      seen: new Map(),
    };
    const { read, problems } = readPartRows(state, rows, context, options);
    return problems.length > 0
      ? 1
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
    if (error instanceof ImportQuestions) return countChoices(error);
    if (error instanceof CommissionSourceError) return 1;
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

/** One thing was spoiled; a person would ask about it. */
const MOST_CHOICES = 2;

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
      if (typeof found === 'number') {
        expect(found, csv).toBeLessThanOrEqual(MOST_CHOICES);
        return;
      }
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

/** The columns of an export of costs, each with its name in some languages, and one that nobody knows. */
const COST_HEADINGS = {
  day: ['Day', 'Tag', 'Fecha', 'Nap', 'Xyz'],
  campaign: ['Campaign', 'Kampagne', 'Campaña', 'Kampány', 'Xyz'],
  clicks: ['Clicks', 'Klicks', 'Clics', 'Kattintás', 'Xyz'],
  amount: ['Cost', 'Kosten', 'Coste', 'Ráfordítás', 'Xyz'],
  currency: ['Currency code', 'Währungscode', 'Moneda', 'Pénznem', 'Xyz'],
} as const;
type CostName = keyof typeof COST_HEADINGS;
const COST_NAMES = Object.keys(COST_HEADINGS) as CostName[];

const COST_SPOILS =
  'none rename double twin unnamed emptyColumn emptyCell cut lengthen ends day currency cents thousands totals';

interface CostTable {
  headings: string[];
  rows: string[][];
  truth: Record<CostName, string>[];
  ends: readonly string[];
}

/** Spoils an export; `at`, `by`: which column, and how. */
function spoilCosts(how: string, at: number, by: number, row: number, table: CostTable): void {
  const name = COST_NAMES[at % COST_NAMES.length] ?? 'day';
  const place = COST_NAMES.indexOf(name);
  const amount = COST_NAMES.indexOf('amount');
  const index = row % table.rows.length;
  const [own, truth] = [table.rows[index], table.truth[index]];
  if (own === undefined || truth === undefined) return;
  const pick = (...texts: string[]) => texts[by % texts.length] ?? '';
  const setAll = (column: number, write: (line: number) => string) => {
    for (const [line, cells] of table.rows.entries()) cells.splice(column, 1, write(line));
  };
  if (how === 'rename') table.headings[place] = COST_HEADINGS[name][by % 5] ?? '';
  if (how === 'unnamed') table.headings[place] = '';
  if (how === 'double' || how === 'twin') {
    table.headings.push(table.headings[place] ?? '');
    for (const [line, cells] of table.rows.entries())
      cells.push((how === 'twin' ? cells : table.rows.at(line - 1))?.[place] ?? '');
  }
  // A cell without a cost costs nothing.
  if (how === 'emptyColumn' || how === 'emptyCell')
    for (const [line, one] of table.truth.entries()) {
      if (how === 'emptyCell' && line !== index) continue;
      table.rows[line]?.splice(place, 1, '');
      // Nobody can tell a cost from the sum of the others.
      if (name === 'campaign') table.rows[line]?.splice(amount, 1, '99999.99');
      one[name] = name === 'amount' ? '0' : name === 'clicks' ? one.clicks : 'never';
    }
  if (how === 'cut') own.splice(1 + (by % (COST_NAMES.length - 1)));
  if (how === 'lengthen') own.splice(place, 0, pick('1', '12', 'x', '0.50'));
  if (how === 'ends') table.ends = [['\r\n', '\n'], ['\n', '\r\n'], ['\r']][by % 3] ?? [];
  if (how === 'day') {
    own.splice(0, 1, pick('0000-00-00', '2031-01-05', '1926-11-02', '25/10/69', 'soon'));
    truth.day = 'never';
  }
  if (how === 'currency') {
    own.splice(COST_NAMES.indexOf('currency'), 1, pick('BTC', 'XXX', 'EUX', '€€'));
    truth.currency = 'never';
  }
  if (how === 'cents') {
    table.headings[amount] = pick('Cost (cents)', 'Cost micros', 'Cost (%)');
    const factor = by % 3 === 1 ? 1_000_000 : 100;
    setAll(amount, (line) => String(Math.round(Number(table.truth[line]?.amount) * factor)));
  }
  if (how === 'thousands') {
    setAll(amount, (line) => `${line + 1}.${'234'}`);
    for (const one of table.truth) one.amount = 'open';
  }
  if (how === 'totals') table.rows.push(['--', '--', '7', '99.00', 'EUR']);
}

it('reads an export of costs that was spoiled as it was meant, or asks', async () => {
  let read = 0;
  await forAll(
    4,
    [
      fc.array(sale, { minLength: 2, maxLength: 6 }),
      fc.constantFrom(...COST_SPOILS.split(' ')),
      fc.nat(1_000),
      fc.nat(1_000),
      fc.nat(1_000),
    ],
    async (sales, how, at, by, row) => {
      const truth = sales.map(
        ({ units, day, currency }, index): Record<CostName, string> => ({
          day: nameDay(Date.UTC(2026, 0, 1) + day * 86_400_000),
          campaign: `Brand ${index}`,
          clicks: String(index + 3),
          amount: decimal(units),
          currency,
        }),
      );
      const rows = truth.map((one) => COST_NAMES.map((name) => one[name]));
      const headings = COST_NAMES.map((name): string => COST_HEADINGS[name][0]);
      const table: CostTable = { headings, rows, truth, ends: ['\n'] };
      spoilCosts(how, at, by, row, table);
      const lines = [table.headings, ...table.rows].map((cells) => cells.map(quote).join(','));
      const csv = lines.map((line, index) => line + table.ends[index % table.ends.length]).join('');
      const found = await readCosts(csv);
      if (typeof found === 'number') {
        expect(found, csv).toBeLessThanOrEqual(MOST_CHOICES);
        return;
      }
      read += 1;
      const meant = table.truth.map(({ campaign, day, amount, currency }) =>
        [campaign, day, Math.round(Number(amount) * 100), currency].join(' '),
      );
      expect(found, csv).toEqual(meant);
    },
  );
  expect(read).toBeGreaterThan(CASES);
});

it('asks which column has the currency before it asks for the currency', async () => {
  const csv = 'Day,Campaign,Clicks,Cost,Pénznem\n2026-04-21,Brand 0,3,0.01,EUR';
  expect(await readCosts(csv)).toBe(1);
  expect(await readCosts(csv.replace('Pénznem', 'Note').replace('EUR', 'x'))).toBe(1);
});

/** What the rows of an export become, `campaign day amount currency`; or how many choices it asks for, at least one. */
async function readCosts(csv: string): Promise<readonly string[] | number> {
  const open = async function* () {
    yield Buffer.from(csv);
  };
  const rows: FileRow[] = [];
  try {
    for await (const row of readCsvRows(open, await detectCsvFormat(open))) rows.push(row);
    const { problems, costs } = parseCostFile({ titles: [], rows }, { platform: 'google', now: NOW });
    if (problems.length > 0) return 1;
    return costs.map(({ name, period, amount, currency }) => `${name} ${period} ${amount} ${currency}`);
  } catch (error) {
    if (error instanceof ImportQuestions) return countChoices(error);
    if (error instanceof CommissionSourceError) return 1;
    throw error;
  }
}
