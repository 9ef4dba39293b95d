import type { CommissionStore } from '../../core/commissions/commission-store.ts';
import type { CommissionTerms } from '../../core/commissions/commission-terms.ts';
import { type ColumnMap, parseReportRow } from '../../core/commissions/csv-columns.ts';
import { detectImportFormat, type ImportFile, type ImportProfile } from './detect-import-format.ts';
import { createImportCounts } from './import-counts.ts';
import type { CommissionLedger, IncomingReport } from './ledger.ts';

type Row = Readonly<Record<string, string>>;

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
  const format = await detectImportFormat(file, options);
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
