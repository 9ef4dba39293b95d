import { z } from 'zod';
import { CommissionSourceError } from '../../core/commissions/ledger/commission-source.ts';
import { type CommissionTerms, DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import {
  detectColumns,
  detectDayOrder,
  type FileRow,
  findColumnDoubt,
  findReportNetwork,
  findUnreadColumns,
  getReportFile,
  listWatched,
  REPORT_COLUMNS,
  type ReportColumn,
  type RowFormat,
  splitHeading,
} from '../../core/commissions/ledger/csv-columns.ts';
import type { DayOrder } from '../../core/commissions/local-time.ts';
import {
  type DecimalSign,
  describeOpenSign,
  detectCurrencySign,
  getHeaderCurrency,
} from '../../core/commissions/money.ts';
import type { Networks } from '../../core/commissions/networks/network.schema.ts';
import type { MatchableReport } from './click-matcher.ts';

type Row = FileRow['row'];

/** What the operator says about a file, and what the ledger remembers for the next one of the partner. */
export const importProfileSchema = z.object({
  currency: z.string().optional(),
  timeZone: z.string().optional(),
  dayOrder: z.enum(['month-first', 'day-first']).optional(),
  /** The sign before decimals, where amounts such as 1.234 do not say it. */
  decimal: z.enum(['.', ',']).optional(),
  /** Header by kind of column, where the detection is wrong; empty: no column is of that kind. */
  columns: z.partialRecord(z.enum(REPORT_COLUMNS), z.string()).optional(),
  /** Whether rows that look like known commissions with other ids are these, or others; of one file alone. */
  alike: z.enum(['same', 'other']).optional(),
  /** Whether what a guessed report brings was compared with the network's own page; of one file alone. */
  isChecked: z.boolean().optional(),
});
export type ImportProfile = Readonly<z.output<typeof importProfileSchema>>;

/** Columns that are not read may have the currency or the day of the commissions, and no other column has it. */
export class ColumnQuestion extends CommissionSourceError {
  readonly column: 'currency' | 'eventTime';
  readonly headers: readonly string[];

  constructor({ column, headers }: Pick<ColumnQuestion, 'column' | 'headers'>) {
    const [what, asked] =
      column === 'currency' ? ['currencies', 'the currency'] : ['days', 'the day of the commission'];
    super(
      'invalid-file',
      `Not read, but mostly ${what}: ${headers.join(', ')}. Say which column has ${asked} (--column ${column}=HEADER, or ${column}= if none has it).`,
    );
    this.column = column;
    this.headers = headers;
  }
}

/** A file that can be read from the start any number of times. */
export interface ImportFile {
  /** Hash of its bytes. */
  readonly hash: string;
  /** Name without folders. */
  readonly name: string;
  readonly readRows: () => AsyncIterable<FileRow>;
}

/** Finds the clicks that texts name. */
interface Clicks {
  matchClicks(
    reports: readonly MatchableReport[],
  ): Promise<{ readonly clickIds: readonly (string | null)[] }>;
}

const SAMPLE_ROWS = 2_000;
const MATCH_ROWS = 200;

/**
 * Finds out how a file is to be read, from its first rows and what the operator said. Rejects with
 * `CommissionSourceError` for what neither of them says.
 */
export async function detectImportFormat(
  file: { readonly readRows: ImportFile['readRows'] },
  {
    ledger,
    terms,
    networks,
    profile,
    now,
  }: {
    readonly ledger: Clicks;
    readonly terms: CommissionTerms;
    readonly networks: Networks;
    readonly profile: ImportProfile;
    readonly now: number;
  },
): Promise<RowFormat> {
  const sample: Row[] = [];
  for await (const { row } of file.readRows()) if (sample.push(row) >= SAMPLE_ROWS) break;
  const headers = Object.keys(sample[0] ?? {});
  const missing = Object.values(profile.columns ?? {}).find(
    (header) =>
      header !== '' &&
      !headers.includes(header) &&
      !splitHeading(header).every((part) => headers.includes(part)),
  );
  if (missing !== undefined) throw buildRefusal(`There is no column "${missing}": ${headers.join(', ')}.`);
  const subId =
    profile.columns?.subId ?? (await findClickColumn(ledger, headers, sample.slice(0, MATCH_ROWS)));
  const network = findReportNetwork(headers, terms.network, networks);
  const of = getReportFile(networks, network);
  // The network of the partner says it too, where the headings are those of another.
  const own = networks.get(terms.network);
  const currency = profile.currency ?? terms.currency ?? of.currency ?? own?.currency;
  const timeZone = profile.timeZone ?? of.timeZone ?? own?.timeZone ?? getStatedZone(terms);
  if (timeZone === undefined)
    throw buildRefusal('Nobody states the time zone: name it (--time-zone Europe/Berlin).');
  const detection = {
    file: of,
    networks,
    currency: currency ?? '',
    chosen: { ...profile.columns, ...(subId !== null && { subId }) },
  };
  const columns = detectColumns(headers, detection);
  if (columns.amount === null && of.report?.money !== 'none')
    throw buildRefusal(describeMissing('commission', 'amount', headers));
  if (
    columns.id === null &&
    columns.subId === null &&
    of.report?.id === undefined &&
    of.report?.money !== 'sums'
  ) {
    throw buildRefusal(describeMissing('id of the commission', 'id', headers));
  }
  const doubt = findColumnDoubt(sample, columns, detection);
  if (doubt !== null) throw buildRefusal(doubt);
  const unread = findUnreadColumns(sample, columns, detection);
  if (unread !== null) throw new ColumnQuestion(unread);
  const unit = getHeaderCurrency(columns.amount, currency ?? '') ?? currency;
  const first = unit ?? findRowCurrency(sample.map((row) => row[columns.currency ?? ''] ?? ''));
  if (first === undefined) throw buildRefusal('Nobody states the currency: name it (--currency USD).');
  if (!/^[A-Z]{3}$/.test(first))
    throw buildRefusal(
      `The heading ${columns.amount} names a currency that is not ${currency}: say which (--currency CODE).`,
    );
  const { dayOrder = of.report?.dates, decimal = of.report?.decimal } = profile;
  const signs = detectSigns(sample, columns, first, { dayOrder, decimal });
  const watched = listWatched(headers, columns, detection);
  return { network, columns, currency: unit ?? '', timeZone, watched, now, ...signs };
}

/** How dates and amounts are written, where neither the operator nor the network's file says it. */
function detectSigns(
  sample: readonly Row[],
  columns: RowFormat['columns'],
  currency: string,
  known: { readonly dayOrder?: DayOrder | undefined; readonly decimal?: DecimalSign | undefined },
) {
  const list = (...names: readonly ReportColumn[]) =>
    names.flatMap((name) => sample.map((row) => row[columns[name] ?? ''] ?? ''));
  const dayOrder = findDayOrder(list('eventTime', 'changeTime', 'clickTime'), known.dayOrder);
  if (dayOrder === null)
    throw buildRefusal(
      'The dates can begin with the day or the month: choose day-first or month-first (--dates).',
    );
  const decimal = known.decimal ?? detectCurrencySign(list('amount', 'saleAmount'), currency);
  if (decimal === null || decimal === 'ask') throw buildRefusal(describeOpenSign(decimal));
  return { dayOrder, decimal };
}

/** UTC is what a partner's file has that says nothing. */
const getStatedZone = ({ timeZone }: CommissionTerms) =>
  timeZone === DEFAULT_TERMS.timeZone ? undefined : timeZone;

/** What the first row says, if each says something: then nobody has to say it. */
const findRowCurrency = (texts: readonly string[]) =>
  texts.every((text) => /^[A-Z]{3}$/i.test(text.trim())) ? texts[0]?.trim().toUpperCase() : undefined;

/** The order of the numbers of dates. With dots the day is always first, whatever was said. */
function findDayOrder(dates: readonly string[], said: DayOrder | undefined): DayOrder | null {
  const has = (sign: RegExp) => dates.some((text) => sign.test(text.trim()));
  const isDotted = has(/^\d{1,2}\.\d{1,2}\./) && !has(/^\d{1,2}[/-]\d{1,2}[/-]/);
  return isDotted ? 'day-first' : (said ?? detectDayOrder(dates));
}

const buildRefusal = (detail: string) => new CommissionSourceError('invalid-file', detail);

const describeMissing = (what: string, column: ReportColumn, headers: readonly string[]) =>
  `No column has the ${what}: name it (--column ${column}=HEADER) among ${headers.join(', ')}.`;

/** The column whose values name known clicks most often; null when none does. */
async function findClickColumn(
  ledger: Clicks,
  headers: readonly string[],
  sample: readonly Row[],
): Promise<string | null> {
  const cells = headers.flatMap((header) => sample.map((row) => ({ header, text: row[header] ?? '' })));
  const { clickIds } = await ledger.matchClicks(
    cells.map(({ text }) => ({ reported: { token: text }, strings: [] })),
  );
  const counts = headers.map((header) => ({
    header,
    count: cells.filter((cell, index) => cell.header === header && clickIds[index] !== null).length,
  }));
  const [best] = counts.sort((one, other) => other.count - one.count);
  return best !== undefined && best.count > 0 ? best.header : null;
}
