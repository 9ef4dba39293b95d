import { createHash } from 'node:crypto';
import { z } from 'zod';
import { buildCommissionKey, type ReportedFact } from '../../core/commissions/commission-fact.ts';
import type { SourceReport } from '../../core/commissions/commission-source.ts';
import type { CommissionTerms } from '../../core/commissions/commission-terms.ts';
import { type ColumnMap, parseReportRow, REPORT_COLUMNS } from '../../core/commissions/csv-columns.ts';
import { foldCommission } from '../../core/commissions/fold-commission.ts';
import type { Ledger } from '../../stores/ledger.ts';
import {
  detectImportFormat,
  type ImportFile,
  type ImportProfile,
  importProfileSchema,
} from './detect-import-format.ts';
import type { CommissionLedger } from './ledger.ts';

const count = z.number().int().nonnegative();

/** What rows bring, compared with what the ledger had before the import. Sums in minor units by currency. */
export const importCountsSchema = z.object({
  rows: count,
  matched: count,
  unmatched: count,
  new: count,
  changed: count,
  unchanged: count,
  /** Of the amounts that are not reversed. */
  sums: z.record(z.string(), z.number().int()),
});
export type ImportCounts = Readonly<z.output<typeof importCountsSchema>>;

export const NO_ROWS: ImportCounts = {
  rows: 0,
  matched: 0,
  unmatched: 0,
  new: 0,
  changed: 0,
  unchanged: 0,
  sums: {},
};

type ReportState = Pick<ReportedFact, 'status' | 'amount' | 'currency'>;

/** The state of each commission that the ledger has of an account, by its key. */
export type KnownStates = ReadonlyMap<string, string>;

/** Reads what the ledger has of a partner. */
export async function readKnownStates(store: Ledger, partner: string): Promise<KnownStates> {
  const facts = Map.groupBy(await store.readFacts({ partner }), buildCommissionKey);
  return new Map([...facts].map(([key, group]) => [key, buildState(foldCommission(group))]));
}

/** Adds rows to the counts. `matched`: how many of them name a known click. */
function addToCounts(
  counts: ImportCounts,
  reports: readonly SourceReport[],
  matched: number,
  known: KnownStates,
  { partner, terms: { account } }: ImportOptions,
): ImportCounts {
  const states = { new: 0, changed: 0, unchanged: 0 };
  const sums: Record<string, number> = { ...counts.sums };
  for (const { reported } of reports) {
    const state = known.get(buildCommissionKey({ partner, account, nativeId: reported.nativeId }));
    states[state === undefined ? 'new' : state === buildState(reported) ? 'unchanged' : 'changed'] += 1;
    const amount = reported.status === 'reversed' ? 0 : reported.amount;
    sums[reported.currency] = (sums[reported.currency] ?? 0) + amount;
  }
  return {
    rows: counts.rows + reports.length,
    matched: counts.matched + matched,
    unmatched: counts.unmatched + reports.length - matched,
    new: counts.new + states.new,
    changed: counts.changed + states.changed,
    unchanged: counts.unchanged + states.unchanged,
    sums,
  };
}

function buildState({ status, amount, currency }: ReportState): string {
  return `${status} ${status === 'reversed' ? 0 : amount} ${currency}`;
}

type Row = Readonly<Record<string, string>>;

/** What an import would bring, or has brought. */
export interface ImportSummary extends ImportCounts {
  /** Id of the import, for `undo`. */
  readonly import: string;
  readonly committed: boolean;
  readonly columns: ColumnMap;
  /** The first rows that cannot be read; the file is not imported while there are any. */
  readonly problems: readonly string[];
}

export interface ImportOptions {
  readonly ledger: CommissionLedger;
  readonly store: Ledger;
  readonly partner: string;
  readonly terms: CommissionTerms;
  readonly profile: ImportProfile;
  /** ms since 1970. */
  readonly now: number;
}

/** Everything that the next part of an import needs to know of those before, as JSON. */
export const importStateSchema = z.object({
  id: z.string(),
  format: z.object({
    columns: z.record(z.enum(REPORT_COLUMNS), z.string().nullable()),
    currency: z.string(),
    timeZone: z.string(),
    dayOrder: z.enum(['month-first', 'day-first']),
    decimal: z.enum(['.', ',']),
    now: z.number(),
  }),
  /** Rows that were read, also those that cannot be imported. */
  line: z.number().int().nonnegative(),
  counts: importCountsSchema,
  problems: z.array(z.string()),
});
export type ImportState = Readonly<z.output<typeof importStateSchema>>;

const PART_ROWS = 500;
const MAX_PROBLEMS = 10;

/** Reads a file and says what importing it would bring. Rejects with `CommissionSourceError`. */
export async function previewImport(file: ImportFile, options: ImportOptions): Promise<ImportSummary> {
  return buildImportSummary(await runImport(file, options, false), false);
}

/**
 * Imports a file: its facts are stored in parts that do not count, and count together once the last one is on disk, so
 * that an interrupted import is absent. Rejects with `CommissionSourceError` or `LedgerError`.
 */
export async function commitImport(file: ImportFile, options: ImportOptions): Promise<ImportSummary> {
  const state = await runImport(file, options, true);
  return buildImportSummary(state, await finishImport(state, file.name, options));
}

async function runImport(file: ImportFile, options: ImportOptions, isCommit: boolean): Promise<ImportState> {
  let state = await startImport(file, options);
  const known = await readKnownStates(options.store, options.partner);
  for await (const rows of readParts(file.readRows()))
    state = await importPart(state, rows, known, isCommit, options);
  return state;
}

/** Finds out how a file is to be read. Rejects with `CommissionSourceError`. */
export async function startImport(
  file: Pick<ImportFile, 'hash' | 'readRows'>,
  options: ImportOptions,
): Promise<ImportState> {
  const format = await detectImportFormat(file, options.ledger, options.profile, options.now);
  const { now: _, ...reading } = format;
  // The same file, read in the same way, is the same import.
  const content = JSON.stringify([file.hash, options.partner, options.terms.account, reading]);
  const id = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return { id, format, line: 0, counts: NO_ROWS, problems: [] };
}

/**
 * Imports the next rows of a file, in one transaction; or only counts them. The same rows after the same state have the
 * same result: a part that was interrupted is repeated, and facts that it had stored are not stored twice.
 */
export async function importPart(
  state: ImportState,
  rows: readonly Row[],
  known: KnownStates,
  isCommit: boolean,
  options: ImportOptions,
): Promise<ImportState> {
  const { ledger, partner, terms } = options;
  const problems = [...state.problems];
  const reports: SourceReport[] = [];
  for (const [index, row] of rows.entries()) {
    const parsed = parseReportRow(row, state.format, terms);
    if ('report' in parsed) reports.push({ reported: parsed.report, strings: Object.values(row) });
    // The first line of a file has the names of its columns.
    else if (problems.length < MAX_PROBLEMS)
      problems.push(`Row ${state.line + index + 2}: ${parsed.problem}.`);
  }
  const matched =
    isCommit && problems.length === 0
      ? (await ledger.record({ partner, terms, source: 'csv', reports, importId: state.id })).matched
      : (await ledger.matchClicks(reports)).clickIds.filter((clickId) => clickId !== null).length;
  const counts = addToCounts(state.counts, reports, matched, known, options);
  return { ...state, line: state.line + rows.length, counts, problems };
}

/** Lets all rows of an import count, unless there are problems; returns whether they do. */
export async function finishImport(
  { id, counts, problems }: ImportState,
  file: string,
  { store, partner, profile, now }: ImportOptions,
): Promise<boolean> {
  if (problems.length > 0) return false;
  await store.writeImport({ id, partner, file, rows: counts.rows, changedAt: now, state: 'committed' });
  await store.writeState(buildProfileKey(partner), JSON.stringify(profile));
  return true;
}

/** Builds what is said about an import. */
export function buildImportSummary(
  { id, format, counts, problems }: ImportState,
  committed: boolean,
): ImportSummary {
  return { import: id, committed, ...counts, columns: format.columns, problems };
}

/** Undoes a whole import. False when no import with this id counts. */
export async function undoImport(store: Ledger, id: string, now: number): Promise<boolean> {
  const known = (await store.readImports()).find((entry) => entry.id === id);
  if (known?.state !== 'committed') return false;
  await store.writeImport({ ...known, state: 'undone', changedAt: now });
  return true;
}

const buildProfileKey = (partner: string) => `csv-profile ${partner}`;

/** Reads the settings of a partner's last import; empty before the first. */
export async function readProfile(store: Ledger, partner: string): Promise<ImportProfile> {
  const text = await store.readState(buildProfileKey(partner));
  return text === null ? {} : importProfileSchema.parse(JSON.parse(text));
}

async function* readParts(rows: AsyncIterable<Row>): AsyncGenerator<readonly Row[]> {
  let part: Row[] = [];
  for await (const row of rows) {
    part.push(row);
    if (part.length < PART_ROWS) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
