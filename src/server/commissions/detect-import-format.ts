import { z } from 'zod';
import { COMMISSION_STATUSES } from '../../core/commissions/ledger/commission-fact.ts';
import { CommissionSourceError } from '../../core/commissions/ledger/commission-source.ts';
import { type CommissionTerms, DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import {
  type ColumnQuestion,
  detectColumns,
  detectDayOrder,
  type FileRow,
  findColumnQuestions,
  findReportNetwork,
  getReportFile,
  listWatched,
  REPORT_COLUMNS,
  type ReportColumn,
  type RowFormat,
  simplifyHeading,
  splitHeading,
} from '../../core/commissions/ledger/csv-columns.ts';
import { DAY_ORDERS, type DayOrder } from '../../core/commissions/local-time.ts';
import { describeOpenSign, detectCurrencySign, getHeaderCurrency } from '../../core/commissions/money.ts';
import type { Networks } from '../../core/commissions/networks/network.schema.ts';
import type { MatchableReport } from './click-matcher.ts';

type Row = FileRow['row'];

/** What the operator says about a file, and what the ledger remembers for the next one of the partner. */
export const importProfileSchema = z.object({
  currency: z.string().optional(),
  timeZone: z.string().optional(),
  dayOrder: z.enum(DAY_ORDERS).optional(),
  /** The sign before decimals, where amounts such as 1.234 do not say it. */
  decimal: z.enum(['.', ',']).optional(),
  /** Header by kind of column, where the detection is wrong; empty: no column is of that kind. */
  columns: z.partialRecord(z.enum(REPORT_COLUMNS), z.string()).optional(),
  /** Headers of columns that are not used. */
  unused: z.array(z.string()).optional(),
  /** What words of the status mean, in lower case. */
  statuses: z.record(z.string(), z.enum(COMMISSION_STATUSES)).optional(),
  /** The header of the ids of the last file. */
  id: z.string().optional(),
  /** Whether rows that look like known commissions with other ids are these, or others; of one file alone. */
  alike: z.enum(['same', 'other']).optional(),
  /** Whether what a guessed report brings was compared with the network's own page; of one file alone. */
  isChecked: z.boolean().optional(),
});
export type ImportProfile = Readonly<z.output<typeof importProfileSchema>>;

/** What nobody has said of a file, beside its columns. */
export type FileNeed = 'currency' | 'timeZone' | 'dates' | 'decimal';

/** A file that is read once its questions are answered. */
export class ImportQuestions extends CommissionSourceError {
  readonly columns: readonly ColumnQuestion[];
  readonly needs: readonly FileNeed[];

  constructor(columns: readonly ColumnQuestion[], needs: ReadonlyMap<FileNeed, string>) {
    super('invalid-file', [...new Set([...columns.map(({ text }) => text), ...needs.values()])].join(' '));
    // Each column is asked about once.
    this.columns = [...Map.groupBy(columns, ({ header }) => header).values()].flatMap(([one, ...others]) =>
      one === undefined ? [] : { ...one, as: [...new Set([one, ...others].flatMap(({ as }) => as))] },
    );
    this.needs = [...needs.keys()];
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
    known,
    now,
  }: {
    readonly ledger: Clicks;
    readonly terms: CommissionTerms;
    readonly networks: Networks;
    readonly profile: ImportProfile;
    /** What is remembered of the partner's last file. */
    readonly known: ImportProfile;
    readonly now: number;
  },
): Promise<RowFormat> {
  const sample: Row[] = [];
  for await (const { row } of file.readRows()) if (sample.push(row) >= SAMPLE_ROWS) break;
  const headers = Object.keys(sample[0] ?? {});
  const isHere = (header: string) =>
    header === '' || headers.includes(header) || splitHeading(header).every((part) => headers.includes(part));
  const missing = Object.values(profile.columns ?? {}).find((header) => !isHere(header));
  if (missing !== undefined) throw buildRefusal(`There is no column "${missing}": ${headers.join(', ')}.`);
  const remembered = Object.entries(known.columns ?? {}).filter(([, header]) => isHere(header));
  const named = { ...Object.fromEntries(remembered), ...profile.columns };
  const unused = [...(known.unused ?? []), ...(profile.unused ?? [])].filter(
    (header) => !Object.values(named).includes(header),
  );
  const subId = named.subId ?? (await findClickColumn(ledger, headers, sample.slice(0, MATCH_ROWS)));
  const network = findReportNetwork(headers, terms.network, networks);
  const of = getReportFile(networks, network);
  // The network of the partner says it too, where the headings are those of another.
  const own = networks.get(terms.network);
  const said = profile.currency ?? known.currency;
  const currency = said ?? terms.currency ?? of.currency ?? own?.currency;
  const timeZone = profile.timeZone ?? known.timeZone ?? of.timeZone ?? own?.timeZone ?? getStatedZone(terms);
  const chosen = { ...named, ...(subId !== null && { subId }) };
  const detection = { file: of, networks, currency: currency ?? '', chosen, unused };
  const columns = detectColumns(headers, detection);
  // A row that a line end divides is a problem of its own.
  const whole = sample.filter((row) => !Object.values(row).some((text) => text?.includes('\r')));
  const questions = [...findColumnQuestions(whole, columns, detection)];
  const isAsked = (column: ReportColumn) => questions.some(({ as }) => as.includes(column));
  const ask = (column: ReportColumn, what: string, candidates: readonly string[]) => {
    const text = `No column has the ${what}: name it (--column ${column}=HEADER) among ${headers.join(', ')}.`;
    const isFilled = (header: string) => sample.some((row) => /\d/.test(row[header] ?? ''));
    for (const header of candidates.filter(isFilled).slice(0, MAX_CANDIDATES))
      questions.push({ header, samples: listSamples(sample, header), as: [column], text });
    if (!isAsked(column)) throw buildRefusal(text);
  };
  const parts = of.report?.id?.join ?? [];
  const isRead = (header: string) =>
    Object.values(columns).includes(header) ||
    (columns.id === null && parts.some((part) => isSame(part, header)));
  const unread = headers.filter((header) => !isRead(header));
  if (columns.amount === null && of.report?.money !== 'none' && !isAsked('amount'))
    ask('amount', 'commission', unread);
  const hasOwnId = of.report?.id !== undefined || of.report?.money === 'sums';
  if (columns.id === null && columns.subId === null && !hasOwnId && !isAsked('id'))
    ask('id', 'id of the commission', unread);
  // Ids of another column would be other commissions than those of the last file.
  const isOtherId = known.id !== undefined && columns.id !== null && !isSame(known.id, columns.id);
  if (isOtherId && chosen.id === undefined)
    questions.push({
      header: columns.id ?? '',
      samples: listSamples(sample, columns.id ?? ''),
      as: ['id'],
      text: `The last file had the id in ${known.id}: say which column has it (--column id="${columns.id}").`,
    });
  const needs = new Map<FileNeed, string>();
  if (timeZone === undefined)
    needs.set('timeZone', 'Nobody states the time zone: name it (--time-zone Europe/Berlin).');
  const cells = sample.map((row) => (row[columns.currency ?? ''] ?? '').trim());
  // Where rows name their currency, that of the others is not known unless the operator says it.
  const isInRows = columns.currency !== null && said === undefined;
  const unit = getHeaderCurrency(columns.amount, currency ?? '') ?? (isInRows ? undefined : currency);
  const first = unit ?? cells.find((text) => text !== '')?.toUpperCase();
  const isOpen = isInRows && unit === undefined && cells.includes('');
  if (columns.amount !== null && (first === undefined || isOpen))
    needs.set('currency', 'Nobody states the currency: name it (--currency USD).');
  else if (unit !== undefined && /\P{Lu}/u.test(unit))
    needs.set(
      'currency',
      `The heading ${columns.amount} names a currency that is not ${currency}: say which (--currency CODE).`,
    );
  const list = (...names: readonly ReportColumn[]) =>
    names.flatMap((name) => sample.map((row) => row[columns[name] ?? ''] ?? ''));
  const dates = list('eventTime', 'changeTime', 'clickTime');
  const order = findDayOrder(dates, profile.dayOrder ?? of.report?.dates, now);
  const dayOrder = order === null || order === 'unknown' ? (known.dayOrder ?? order) : order;
  if (dayOrder === null) needs.set('dates', OPEN_DATES);
  const found = detectCurrencySign(list('amount', 'saleAmount'), first ?? '');
  const seen = found === 'ask' ? null : found;
  const decimal = profile.decimal ?? of.report?.decimal ?? seen ?? known.decimal;
  if (decimal === undefined) needs.set('decimal', describeOpenSign(found === 'ask' ? 'ask' : null));
  if (questions.length > 0 || needs.size > 0) throw new ImportQuestions(questions, needs);
  const statuses = { ...known.statuses, ...profile.statuses };
  return {
    network,
    columns,
    currency: unit ?? '',
    timeZone: timeZone ?? '',
    dayOrder: dayOrder ?? 'unknown',
    decimal: decimal ?? 'unknown',
    watched: listWatched(headers, columns, detection),
    unread,
    now,
    ...(Object.keys(statuses).length > 0 && { statuses }),
  };
}

const MAX_CANDIDATES = 8;
const OPEN_DATES =
  'The dates can begin with the day or the month, or with a short year: choose day-first, month-first or year-first (--dates).';

const isSame = (one: string, other: string) => simplifyHeading(one) === simplifyHeading(other);

const listSamples = (rows: readonly Row[], header: string) =>
  [...new Set(rows.map((row) => (row[header] ?? '').trim()).filter((text) => text !== ''))].slice(0, 3);

/** UTC is what a partner's file has that says nothing. */
const getStatedZone = ({ timeZone }: CommissionTerms) =>
  timeZone === DEFAULT_TERMS.timeZone ? undefined : timeZone;

/** The order of the numbers of dates. With dots the day is always first, whatever was said. */
function findDayOrder(dates: readonly string[], said: DayOrder | undefined, now: number): DayOrder | null {
  const has = (sign: RegExp) => dates.some((text) => sign.test(text.trim()));
  const isDotted = has(/^\d{1,2}\.\d{1,2}\./) && !has(/^\d{1,2}[/-]\d{1,2}[/-]/);
  return isDotted ? 'day-first' : (said ?? detectDayOrder(dates, now));
}

const buildRefusal = (detail: string) => new CommissionSourceError('invalid-file', detail);

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
