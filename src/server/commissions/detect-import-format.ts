import { type CommissionTerms, DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import {
  askAbout,
  askForMissing,
  detectColumns,
  type FileNeed,
  type FileRow,
  findColumnQuestions,
  findReportNetwork,
  getReportFile,
  ImportQuestions,
  isNote,
  isTotalsRow,
  listWatched,
  mergeChoices,
  NO_CURRENCY,
  readWriting,
  simplifyHeading,
} from '../../core/commissions/ledger/csv-columns.ts';
import type {
  ImportProfile,
  ReportColumn,
  RowFormat,
} from '../../core/commissions/ledger/stored-money.schema.ts';
import { parseDate } from '../../core/commissions/local-time.ts';
import { detectCurrencySign, getHeaderCurrency, parseReportAmount } from '../../core/commissions/money.ts';
import type { Networks } from '../../core/commissions/networks/network.schema.ts';
import type { MatchableReport } from './click-matcher.ts';

type Row = FileRow['row'];

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
  const first: FileRow[] = [];
  for await (const row of file.readRows()) if (first.push(row) >= SAMPLE_ROWS) break;
  const headers = Object.keys(first[0]?.row ?? {});
  const { chosen: named, unused } = mergeChoices(headers, profile, known);
  const subId =
    named['subId'] ??
    (await findClickColumn(
      ledger,
      headers,
      first.slice(0, MATCH_ROWS).map(({ row }) => row),
    ));
  const network = findReportNetwork(headers, terms.network, networks);
  const of = getReportFile(networks, network);
  // The network of the partner says it too, where the headings are those of another.
  const own = networks.get(terms.network);
  const said = profile.currency ?? known.currency;
  const currency = said ?? terms.currency ?? of.currency ?? own?.currency;
  const timeZone = profile.timeZone ?? known.timeZone ?? of.timeZone ?? own?.timeZone ?? getStatedZone(terms);
  const chosen: typeof named = { ...named, ...(subId !== null && { subId }) };
  const detection = { file: of, networks, currency: currency ?? '', chosen, unused };
  const columns = detectColumns(headers, detection);
  const sample = listCommissions(first, columns, currency ?? '', networks);
  // A row that a line end divides is a problem of its own.
  const whole = sample.filter((row) => !Object.values(row).some((text) => text?.includes('\r')));
  const questions = [...findColumnQuestions(whole, columns, detection)];
  const isAsked = (column: ReportColumn) => questions.some(({ as }) => as.includes(column));
  const parts = of.report?.id?.join ?? [];
  const isRead = (header: string) =>
    Object.values(columns).includes(header) ||
    (columns.id === null && parts.some((part) => isSame(part, header)));
  const unread = headers.filter((header) => !isRead(header));
  const filled = unread.filter((header) => sample.some((row) => /\d/.test(row[header] ?? '')));
  if (columns.amount === null && of.report?.money !== 'none' && !isAsked('amount'))
    questions.push(...askForMissing(sample, 'amount', 'commission', filled));
  const hasOwnId = of.report?.id !== undefined || of.report?.money === 'sums';
  if (columns.id === null && columns.subId === null && !hasOwnId && !isAsked('id'))
    questions.push(...askForMissing(sample, 'id', 'id of the commission', filled));
  // Ids of another column would be other commissions than those of the last file.
  const { id } = columns;
  if (known.id !== undefined && id !== null && chosen['id'] === undefined && !isSame(known.id, id)) {
    const text = `The last file had the id in ${known.id}: say which column has it (--column id="${id}").`;
    questions.push(askAbout(sample, id, text, ['id']));
  }
  const needs = new Map<FileNeed, string>();
  // A row without a day where others have one is of totals.
  const dated = sample.filter((row) => columns.eventTime === null || row[columns.eventTime]?.trim());
  const cells = dated.map((row) => (row[columns.currency ?? ''] ?? '').trim());
  // Where rows name their currency, that of the others is not known unless the operator says it.
  const isInRows = columns.currency !== null && said === undefined;
  const unit = getHeaderCurrency(columns.amount, currency ?? '') ?? (isInRows ? undefined : currency);
  const stated = unit ?? cells.find((text) => text !== '')?.toUpperCase();
  const isOpen = isInRows && unit === undefined && cells.includes('');
  if (columns.amount !== null && (stated === undefined || isOpen)) needs.set('currency', NO_CURRENCY);
  else if (unit !== undefined && /\P{Lu}/u.test(unit))
    needs.set(
      'currency',
      `The heading ${columns.amount} names a currency that is not ${currency}: say which (--currency CODE).`,
    );
  const list = (...names: readonly ReportColumn[]) =>
    names.flatMap((name) => sample.map((row) => row[columns[name] ?? ''] ?? ''));
  const dates = list('eventTime', 'changeTime', 'clickTime');
  const amounts = list('amount', 'saleAmount');
  const { dates: dayOrderOf, decimal: decimalOf } = of.report ?? {};
  const { dayOrder, decimal } = readWriting(
    { dates, amounts, currency: stated ?? '' },
    { dayOrder: profile.dayOrder ?? dayOrderOf, decimal: profile.decimal ?? decimalOf },
    known,
    now,
    needs,
  );
  // Times with an offset, and none at all, are the same in every zone.
  const anyOrder = needs.has('dates') ? 'day-first' : dayOrder;
  const read = (text: string, zone: string) => parseDate(text, zone, anyOrder);
  const isZoned = dates.some((text) => read(text, 'UTC') !== read(text, 'Asia/Tokyo'));
  if (timeZone === undefined && (isZoned || isAsked('eventTime')))
    needs.set('timeZone', 'Nobody states the time zone: name it (--time-zone Europe/Berlin).');
  if (questions.length > 0 || needs.size > 0) throw new ImportQuestions(questions, needs);
  const statuses = { ...known.statuses, ...profile.statuses };
  return {
    network,
    columns,
    currency: unit ?? '',
    timeZone: timeZone ?? 'UTC',
    dayOrder,
    decimal,
    watched: listWatched(headers, columns, detection),
    unread,
    now,
    ...(Object.keys(statuses).length > 0 && { statuses }),
  };
}

/** The rows that are commissions: what totals, notes and repeated headings say is no question about them. */
function listCommissions(
  rows: readonly FileRow[],
  columns: RowFormat['columns'],
  currency: string,
  networks: Networks,
): readonly Row[] {
  const getAmount = (row: Row) => row[columns.amount ?? ''] ?? '';
  const sign = detectCurrencySign(
    rows.map(({ row }) => getAmount(row)),
    currency,
  );
  const decimal = sign === ',' ? ',' : '.';
  let sum = 0;
  return rows.flatMap((own) => {
    if (isNote(own) || isTotalsRow(own, { columns, decimal }, { [currency]: sum }, networks) !== false)
      return [];
    sum += parseReportAmount(getAmount(own.row), currency, decimal) ?? 0;
    return [own.row];
  });
}

const isSame = (one: string, other: string) => simplifyHeading(one) === simplifyHeading(other);

/** UTC is what a partner's file has that says nothing. */
const getStatedZone = ({ timeZone }: CommissionTerms) =>
  timeZone === DEFAULT_TERMS.timeZone ? undefined : timeZone;

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
