import { buildCommissionKey, type ReportedFact } from '../../core/commissions/commission-fact.ts';
import { CommissionSourceError } from '../../core/commissions/commission-source.ts';
import type { CommissionStore } from '../../core/commissions/commission-store.ts';
import type { CommissionTerms } from '../../core/commissions/commission-terms.ts';
import {
  type ColumnMap,
  detectColumns,
  detectDayOrder,
  parseReportRow,
  type ReportColumn,
  type RowFormat,
} from '../../core/commissions/csv-columns.ts';
import { foldCommission } from '../../core/commissions/fold-commission.ts';
import type { DayOrder } from '../../core/commissions/local-time.ts';
import { detectDecimalSign } from '../../core/commissions/parse-report-amount.ts';
import type { CommissionLedger, IncomingReport } from './ledger.ts';

type Row = Readonly<Record<string, string>>;

/** What the operator says about a file, and what the ledger remembers for the next one of the partner. */
export interface ImportProfile {
  readonly currency?: string | undefined;
  readonly timeZone?: string | undefined;
  readonly dayOrder?: DayOrder | undefined;
  /** Header by kind of column, where the detection is wrong. */
  readonly columns?: Readonly<Partial<Record<ReportColumn, string>>> | undefined;
}

/** A file that can be read from the start any number of times. */
export interface ImportFile {
  /** Hash of its bytes. */
  readonly hash: string;
  /** Name without folders. */
  readonly name: string;
  readonly readRows: () => AsyncIterable<Row>;
}

/** What an import would bring, or has brought. */
export interface ImportSummary {
  /** Id of the import, for `undo`. */
  readonly import: string;
  readonly committed: boolean;
  readonly rows: number;
  readonly matched: number;
  readonly unmatched: number;
  readonly new: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Sum of the amounts that are not reversed, by currency, in minor units. */
  readonly sums: Readonly<Record<string, number>>;
  readonly columns: ColumnMap;
  /** The first rows that cannot be read; the file is not imported while there are any. */
  readonly problems: readonly string[];
}

export interface ImportOptions {
  readonly ledger: CommissionLedger;
  readonly store: CommissionStore;
  readonly partner: string;
  readonly terms: CommissionTerms;
  readonly profile: ImportProfile;
  /** Builds the id of an import from the hash of its file and how it is read. */
  readonly buildId: (text: string) => string;
  /** ms since 1970. */
  readonly now: number;
}

const SAMPLE_ROWS = 2_000;
const MATCH_ROWS = 200;
const CHUNK_ROWS = 500;
const MAX_PROBLEMS = 10;

/** Reads a file and says what importing it would bring. Rejects with `CommissionSourceError`. */
export async function previewImport(file: ImportFile, options: ImportOptions): Promise<ImportSummary> {
  return runImport(file, options, false);
}

/**
 * Imports a file: its facts are stored in parts that do not count, and count together once the last one is on disk, so
 * that an interrupted import is absent. Rejects with `CommissionSourceError` or `CommissionStoreError`.
 */
export async function commitImport(file: ImportFile, options: ImportOptions): Promise<ImportSummary> {
  return runImport(file, options, true);
}

async function runImport(
  file: ImportFile,
  options: ImportOptions,
  isCommit: boolean,
): Promise<ImportSummary> {
  const { ledger, store, partner, terms, now } = options;
  const format = await detectFormat(file, options);
  const { now: _, ...reading } = format;
  const id = options.buildId(JSON.stringify([file.hash, partner, terms.account, reading]));
  const counts = await createImportCounts(store, partner, terms.account);
  const problems: string[] = [];
  let line = 1;
  for await (const rows of readChunks(file.readRows())) {
    const reports: IncomingReport[] = [];
    for (const row of rows) {
      line++;
      const parsed = parseReportRow(row, format, terms);
      if ('report' in parsed) reports.push({ reported: parsed.report, strings: Object.values(row) });
      else if (problems.length < MAX_PROBLEMS) problems.push(`Row ${line}: ${parsed.problem}.`);
    }
    const matched =
      isCommit && problems.length === 0
        ? (await ledger.record({ partner, terms, source: 'csv', reports, importId: id })).matched
        : (await ledger.matchClicks(reports)).clickIds.filter((clickId) => clickId !== null).length;
    counts.add(reports, matched);
  }
  const isCommitted = isCommit && problems.length === 0;
  const summary = { import: id, committed: isCommitted, ...counts.read(), columns: format.columns, problems };
  if (isCommitted) {
    const change = { id, partner, file: file.name, rows: summary.rows, changedAt: now };
    await store.writeImport({ ...change, state: 'committed' });
    await store.writeState(buildProfileKey(partner), JSON.stringify(options.profile));
  }
  return summary;
}

/** Takes an import back as a whole. False when no import with this id is in force. */
export async function undoImport(store: CommissionStore, id: string, now: number): Promise<boolean> {
  const known = (await store.readImports()).find((entry) => entry.id === id);
  if (known?.state !== 'committed') return false;
  await store.writeImport({ ...known, state: 'undone', changedAt: now });
  return true;
}

const buildProfileKey = (partner: string) => `csv-profile ${partner}`;

/** Reads what the last import of a partner was told; empty before the first. */
export async function readProfile(store: CommissionStore, partner: string): Promise<ImportProfile> {
  const text = await store.readState(buildProfileKey(partner));
  // Written by `commitImport` only.
  return text === null ? {} : (JSON.parse(text) as ImportProfile);
}

async function detectFormat(file: ImportFile, { ledger, profile, now }: ImportOptions): Promise<RowFormat> {
  const { currency, timeZone } = profile;
  if (!currency)
    throw new CommissionSourceError('invalid-file', 'The currency is missing: add --currency USD.');
  if (!timeZone)
    throw new CommissionSourceError(
      'invalid-file',
      'The time zone is missing: add --time-zone Europe/Berlin.',
    );
  const sample: Row[] = [];
  for await (const row of file.readRows()) if (sample.push(row) >= SAMPLE_ROWS) break;
  const headers = Object.keys(sample[0] ?? {});
  const missing = Object.values(profile.columns ?? {}).find((header) => !headers.includes(header));
  if (missing !== undefined) {
    throw new CommissionSourceError(
      'invalid-file',
      `There is no column "${missing}": ${headers.join(', ')}.`,
    );
  }
  const subId =
    profile.columns?.subId ?? (await findClickColumn(ledger, headers, sample.slice(0, MATCH_ROWS)));
  const columns = detectColumns(headers, { ...profile.columns, ...(subId !== null && { subId }) });
  if (columns.amount === null || (columns.id === null && columns.subId === null)) {
    const wanted = columns.amount === null ? 'commission' : 'id of the commission';
    throw new CommissionSourceError(
      'invalid-file',
      `No column has the ${wanted}: name it (--column ${columns.amount === null ? 'amount' : 'id'}=HEADER) among ${headers.join(', ')}.`,
    );
  }
  const list = (...names: readonly ReportColumn[]) =>
    names.flatMap((name) => sample.map((row) => row[columns[name] ?? ''] ?? ''));
  const dayOrder = profile.dayOrder ?? detectDayOrder(list('eventTime', 'changeTime', 'clickTime'));
  if (dayOrder === null) {
    throw new CommissionSourceError(
      'invalid-file',
      'The dates can begin with the day or the month: choose day-first or month-first (--dates).',
    );
  }
  const decimal = detectDecimalSign(list('amount', 'saleAmount'));
  if (decimal === null) {
    throw new CommissionSourceError('invalid-file', 'The amounts use both . and , as the decimal sign.');
  }
  return { columns, currency, timeZone, dayOrder, decimal, now };
}

/** The column whose values name known clicks most often; null when none does. */
async function findClickColumn(
  ledger: CommissionLedger,
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

async function* readChunks(rows: AsyncIterable<Row>): AsyncGenerator<readonly Row[]> {
  let chunk: Row[] = [];
  for await (const row of rows) {
    chunk.push(row);
    if (chunk.length < CHUNK_ROWS) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

/** Counts rows against what the ledger had before the import. */
async function createImportCounts(store: CommissionStore, partner: string, account: string) {
  const facts = Map.groupBy(await store.readFacts({ partner }), buildCommissionKey);
  const known = new Map([...facts].map(([key, group]) => [key, buildState(foldCommission(group))]));
  const counts = { rows: 0, matched: 0, unmatched: 0, new: 0, changed: 0, unchanged: 0 };
  const sums: Record<string, number> = {};
  return {
    add(reports: readonly IncomingReport[], matched: number) {
      counts.rows += reports.length;
      counts.matched += matched;
      counts.unmatched += reports.length - matched;
      for (const { reported } of reports) {
        const state = known.get(buildCommissionKey({ partner, account, nativeId: reported.nativeId }));
        counts[state === undefined ? 'new' : state === buildState(reported) ? 'unchanged' : 'changed'] += 1;
        const amount = reported.status === 'reversed' ? 0 : reported.amount;
        sums[reported.currency] = (sums[reported.currency] ?? 0) + amount;
      }
    },
    read: () => ({ ...counts, sums }),
  };
}

function buildState({
  status,
  amount,
  currency,
}: Pick<ReportedFact, 'status' | 'amount' | 'currency'>): string {
  return `${status} ${status === 'reversed' ? 0 : amount} ${currency}`;
}
