import { createHash } from 'node:crypto';
import { z } from 'zod';
import { DAY_MS } from '../../core/clock.ts';
import {
  buildCommissionKey,
  COMMISSION_STATUSES,
  type ReportedFact,
} from '../../core/commissions/ledger/commission-fact.ts';
import type { SourceReport } from '../../core/commissions/ledger/commission-source.ts';
import type { CommissionTerms } from '../../core/commissions/ledger/commission-terms.ts';
import {
  type ColumnMap,
  type FileRow,
  findMisfit,
  getReportFile,
  isNote,
  isTotalsRow,
  listProductColumns,
  type ParsedRow,
  parseReportRow,
  REPORT_COLUMNS,
  type ReportColumn,
} from '../../core/commissions/ledger/csv-columns.ts';
import { foldCommission } from '../../core/commissions/ledger/fold-commission.ts';
import { buildIdForm, buildLooseId } from '../../core/commissions/ledger/message-fields.ts';
import { DAY_ORDERS, type DayOrder, getLocalDay, nameDay } from '../../core/commissions/local-time.ts';
import type { DecimalSign } from '../../core/commissions/money.ts';
import { isDocumented, type Networks } from '../../core/commissions/networks/network.schema.ts';
import type { Ledger } from '../../stores/ledger.ts';
import {
  detectImportFormat,
  type ImportFile,
  type ImportProfile,
  importProfileSchema,
} from './detect-import-format.ts';
import type { CommissionLedger } from './ledger.ts';

const count = z.number().int().nonnegative();
const sums = z.record(z.string(), z.number().int());

/**
 * What rows bring, compared with what the ledger had before the import. Sums in minor units by currency. A state that was
 * stored by an earlier version lacks the counts with a default.
 */
export const importCountsSchema = z.object({
  rows: count,
  matched: count,
  unmatched: count,
  new: count,
  changed: count,
  unchanged: count,
  /** Of the commissions that count: neither reversed nor of an unknown status. */
  sums,
  /** Rows with a status that is not known; they are in no total until it is. */
  unknown: count.default(0),
  unknownSums: sums.default({}),
  /** The words of these statuses; at most 10. */
  unknownStatuses: z.array(z.string()).default([]),
  /** Rows with a negative amount, which count as corrections; part of `sums`. */
  corrections: count.default(0),
  /** Rows without a day, which count on the day of the import. */
  undated: count.default(0),
  /** Rows of totals and notes, which are left out, by their lines in the file; at most 10. */
  totals: z.array(count).default([]),
  /** Rows that look like known commissions with another id or of another partner, and nobody has said what they are. */
  alike: count.default(0),
  /** The network whose report is read as programs of others read it, while none of the partner was stored; empty: none. */
  guessed: z.string().default(''),
  /** What all rows say, reversed ones too, by currency: a row of totals has it again. */
  all: sums.default({}),
});
export type ImportCounts = Readonly<z.output<typeof importCountsSchema>>;

/** The counts of an import that has not begun. */
export const NO_ROWS: ImportCounts = importCountsSchema.parse({
  rows: 0,
  matched: 0,
  unmatched: 0,
  new: 0,
  changed: 0,
  unchanged: 0,
  sums: {},
});

/** What is told from a commission to see whether a report changes it. */
export type ReportState = Pick<ReportedFact, 'status' | 'amount' | 'currency'>;

/** What an import knows beside its state: it is read again when another process continues. */
export interface ImportContext {
  /** What the ledger has by ids of pages, as sums of a period or as single commissions: times in ms since 1970. */
  readonly labelled: ReadonlyMap<string, readonly LabelledDay[]>;
  /** Each commission that the ledger has of the account, by its key. */
  readonly known: ReadonlyMap<string, KnownCommission>;
  /** Those that agree in amount, currency and what their ids have in common. */
  readonly alike: ReadonlyMap<string, readonly KnownCommission[]>;
  /** The row of the file that each commission has so far, by its key. */
  readonly seen: Map<string, SeenRow>;
}

interface KnownCommission {
  readonly nativeId: string;
  readonly state: string;
  readonly status: ReportedFact['status'];
  /** What it was worth before any reversal. */
  readonly amount: number;
  /** ms since 1970. */
  readonly eventTime: number;
}

interface SeenRow extends ReportState {
  /** The line of the file on which it begins, from 1. */
  readonly line: number;
  readonly changeTime: number | null;
  readonly eventTime: number | null;
  readonly saleAmount: number | null;
  readonly token: string;
  readonly product: string;
}

interface LabelledDay {
  readonly id: string;
  readonly isSum: boolean;
  readonly from: number;
  readonly to: number;
}

/** Begins the ids of rows that are sums of a period; its first day follows. */
const SUM_ID = /^sum:(\d{4}-\d{2}-\d{2}):/;

function describeLabelled({ nativeId, label, eventTime }: ReportedFact): LabelledDay | null {
  if (
    label === undefined ||
    eventTime === null ||
    nativeId.startsWith('ordered:') ||
    nativeId.startsWith('bounty:')
  )
    return null;
  const day = SUM_ID.exec(nativeId)?.[1];
  return {
    id: label.id,
    isSum: day !== undefined,
    from: day === undefined ? eventTime : Date.parse(day),
    to: eventTime,
  };
}

/** Why a row would count money that the ledger has already, in another report of the same days; null when it does not. */
function findSecondCount(report: ReportedFact, { labelled }: ImportContext): string | null {
  const own = describeLabelled(report);
  if (own === null) return null;
  const others = labelled.get(`${own.id} ${!own.isSum}`) ?? [];
  if (!others.some(({ from, to }) => from <= own.to && own.from <= to)) return null;
  return own.isSum
    ? `${own.id} has commissions of these days from a report of single items already, and their sum would count them twice. Leave this report out.`
    : `${own.id} has the sum of these days from a report by tracking id already, which would count twice. Undo that import first.`;
}

/** Reads what the ledger has of a partner. */
export async function createImportContext(store: Ledger, partner: string): Promise<ImportContext> {
  const all = await store.readFacts({ partner });
  const facts = Map.groupBy(all, (fact) =>
    buildCommissionKey({ ...fact, nativeId: buildIdForm(fact.nativeId) }),
  );
  const alike = new Map<string, KnownCommission[]>();
  const known = new Map(
    [...facts].map(([key, group]) => {
      const { nativeId, eventTime, currency, reversedAmount, ...folded } = foldCommission(group);
      const stated = group.findLast((fact) => fact.amount !== 0)?.amount ?? 0;
      const amount = folded.amount || reversedAmount || stated;
      const { status } = folded;
      const own = { nativeId, eventTime, amount, status, state: buildState({ ...folded, currency }) };
      const looks = describeLooks(nativeId, amount, currency);
      alike.set(looks, [...(alike.get(looks) ?? []), own]);
      return [key, own];
    }),
  );
  const labelled = all.flatMap((fact) => (fact.label === undefined ? [] : (describeLabelled(fact) ?? [])));
  const byId = Map.groupBy(labelled, ({ id, isSum }) => `${id} ${isSum}`);
  return { known, alike, labelled: byId, seen: new Map() };
}

const describeLooks = (nativeId: string, amount: number, currency: string) =>
  `${buildLooseId(nativeId)} ${amount} ${currency}`;

/** Adds to a sum what a row is worth; `sign` -1 takes it away again. */
function addWorth(
  counts: { -readonly [Key in keyof ImportCounts]: ImportCounts[Key] },
  row: ReportState,
  sign: 1 | -1,
) {
  const { status, amount, currency } = row;
  if (status === 'reversed') return;
  const name = status === 'unknown' ? 'unknownSums' : 'sums';
  counts[name] = { ...counts[name], [currency]: (counts[name][currency] ?? 0) + sign * amount };
}

/** Adds rows to the counts. `matched`: how many of them name a known click. */
function addToCounts(
  before: ImportCounts,
  rows: readonly (ParsedRow & { readonly earlier: SeenRow | undefined })[],
  matched: number,
  { known }: ImportContext,
  { partner, terms: { account } }: ImportOptions,
): ImportCounts {
  const counts = {
    ...before,
    rows: before.rows + rows.length,
    matched: before.matched + matched,
    unmatched: before.unmatched + rows.length - matched,
  };
  for (const { report, statusWord, earlier } of rows) {
    const { status, amount, changeTime, nativeId } = report;
    // An older version of a commission that the file has already changes nothing.
    if (earlier !== undefined && !isNewer(changeTime, earlier.changeTime)) continue;
    if (earlier === undefined) {
      const state = known.get(buildCommissionKey({ partner, account, nativeId }));
      counts[state === undefined ? 'new' : state.state === buildState(report) ? 'unchanged' : 'changed'] += 1;
    } else addWorth(counts, earlier, -1);
    addWorth(counts, report, 1);
    if (amount < 0 && status !== 'reversed') counts.corrections += 1;
    if (report.eventTime === null && changeTime === null) counts.undated += 1;
    if (status !== 'unknown') continue;
    counts.unknown += 1;
    const words = [...new Set([...counts.unknownStatuses, statusWord.slice(0, 40)])];
    counts.unknownStatuses = words.slice(0, MAX_WORDS);
  }
  return counts;
}

const MAX_WORDS = 10;

const isNewer = (time: number | null, other: number | null) =>
  time !== null && other !== null && time > other;

function buildState({ status, amount, currency }: ReportState): string {
  return `${status} ${status === 'reversed' ? 0 : amount} ${currency}`;
}

function findConflict(
  { report, isUnnamed }: ParsedRow,
  product: string,
  earlier: SeenRow,
  joined: string,
): string | null {
  if (isUnnamed)
    return (
      `it has no id, and nothing tells it from line ${earlier.line}: one would replace the other. ` +
      'Name the column of its id (--column id=HEADER).'
    );
  const isOther =
    report.saleAmount !== earlier.saleAmount ||
    product !== earlier.product ||
    report.token !== earlier.token ||
    report.eventTime !== earlier.eventTime ||
    // Two parts that are taken back, or one that has grown.
    (report.amount !== earlier.amount && Math.max(report.amount, earlier.amount) < 0);
  if (isOther)
    return `it has the id of line ${earlier.line}, and another sale, product, click or day: one would replace the other. Name the column of the id, or several (--column id="${joined}").`;
  const isSame =
    buildState(report) === buildState(earlier) &&
    report.changeTime === earlier.changeTime &&
    report.eventTime === earlier.eventTime;
  const isOrdered =
    isNewer(report.changeTime, earlier.changeTime) || isNewer(earlier.changeTime, report.changeTime);
  return isSame || isOrdered
    ? null
    : `it has the id of line ${earlier.line}, and nothing says which is newer. ` +
        'Name the column of the id (--column id=HEADER), or of the last change (--column changeTime=HEADER).';
}

/** What an import would bring, or has brought. */
export interface ImportSummary extends ImportCounts {
  /** Id of the import, for `undo`. */
  readonly import: string;
  readonly committed: boolean;
  readonly columns: ColumnMap;
  /** How amounts and dates are read. */
  /** The headers of columns that nothing reads. */
  readonly unused: readonly string[];
  readonly reading: {
    readonly decimal: DecimalSign;
    /** Of rows that name none; empty: each names its own. */
    readonly currency: string;
    readonly timeZone: string;
    readonly dayOrder: DayOrder;
    readonly network: string;
  };
  /** The first rows that cannot be read; the file is not imported while there are any. */
  readonly problems: readonly string[];
}

export interface ImportOptions {
  readonly ledger: CommissionLedger;
  readonly store: Ledger;
  readonly partner: string;
  readonly terms: CommissionTerms;
  readonly networks: Networks;
  readonly profile: ImportProfile;
  /** ms since 1970. */
  readonly now: number;
}

/** Everything that the next part of an import needs to know of those before, as JSON. */
export const importStateSchema = z.object({
  id: z.string(),
  format: z.object({
    network: z.string().default('generic'),
    // A state that was stored by an earlier version names fewer columns.
    columns: z
      .partialRecord(z.enum(REPORT_COLUMNS), z.string().nullable())
      .transform(
        (columns) =>
          Object.fromEntries(REPORT_COLUMNS.map((name) => [name, columns[name] ?? null])) as Record<
            ReportColumn,
            string | null
          >,
      ),
    currency: z.string(),
    timeZone: z.string(),
    dayOrder: z.enum([...DAY_ORDERS, 'unknown']),
    decimal: z.enum(['.', ',', 'unknown']),
    watched: z.array(z.string()).readonly().default([]),
    unread: z.array(z.string()).readonly().default([]),
    statuses: z.record(z.string(), z.enum(COMMISSION_STATUSES)).optional(),
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
  const context = await createImportContext(options.store, options.partner);
  for await (const rows of readParts(file.readRows()))
    state = await importPart(state, rows, context, isCommit, options);
  return state;
}

/** Finds out how a file is to be read. Rejects with `CommissionSourceError`. */
export async function startImport(
  file: { readonly hash: ImportFile['hash']; readonly readRows: ImportFile['readRows'] },
  options: ImportOptions,
): Promise<ImportState> {
  const known = await readProfile(options.store, options.partner);
  const format = await detectImportFormat(file, { ...options, known });
  const { now: _, watched: __, unread: ___, ...reading } = format;
  // The same file, read in the same way, is the same import.
  const { alike = [] } = options.profile;
  const content = JSON.stringify([file.hash, options.partner, options.terms.account, reading].concat(alike));
  const id = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return { id, format, line: 0, counts: NO_ROWS, problems: [] };
}

/**
 * Imports the next rows of a file, in one transaction; or only counts them. The same rows after the same state have the
 * same result: a part that was interrupted is repeated, and facts that it had stored are not stored twice.
 */
export async function importPart(
  state: ImportState,
  rows: readonly FileRow[],
  context: ImportContext,
  isCommit: boolean,
  options: ImportOptions,
): Promise<ImportState> {
  const { ledger, partner, terms } = options;
  const { read, problems: found, totals, all, ...asked } = readPartRows(state, rows, context, options);
  const elsewhere = await findElsewhere(read, context, options);
  const problems = [...state.problems, ...found, ...elsewhere].slice(0, MAX_PROBLEMS);
  const reports: readonly SourceReport[] = read.map(({ report, strings }) => ({
    reported: report,
    strings,
  }));
  const matched =
    isCommit && problems.length === 0
      ? (await ledger.record({ partner, terms, source: 'csv', reports, importId: state.id })).matched
      : (await ledger.matchClicks(reports)).clickIds.filter((clickId) => clickId !== null).length;
  const alike = state.counts.alike + asked.alike + elsewhere.length;
  const file = getReportFile(options.networks, state.format.network);
  const isGuessed = file.report !== undefined && !isDocumented(file, 'report') && context.known.size === 0;
  const guessed = isGuessed ? file.title : '';
  const counts = {
    ...addToCounts(state.counts, read, matched, context, options),
    totals,
    alike,
    guessed,
    all,
  };
  return { ...state, line: state.line + rows.length, counts, problems };
}

/** Why rows that are new may count money twice: another partner has them with the same day and amount. */
async function findElsewhere(
  read: readonly (ParsedRow & { readonly line: number })[],
  { known }: ImportContext,
  { store, partner, terms, profile }: ImportOptions,
): Promise<readonly string[]> {
  if (profile.alike === 'other') return [];
  const fresh = read.filter(
    ({ report, isUnnamed }) =>
      !isUnnamed &&
      report.eventTime !== null &&
      !known.has(buildCommissionKey({ partner, account: terms.account, nativeId: report.nativeId })),
  );
  const elsewhere = await store.folded.readElsewhere(
    partner,
    fresh.map(({ report }) => report),
  );
  return fresh.flatMap(({ report, line }) => {
    const other = elsewhere.get(report.nativeId);
    return other === undefined
      ? []
      : [
          `Line ${line}: the partner ${other} has its id with this day and amount. Import it there, or say that it is another commission (--alike other).`,
        ];
  });
}

/** The known commission that a new row looks like: its id differs by zeros in front, case, spaces or signs alone. */
function findAlike({ report, isUnnamed }: ParsedRow, { alike }: ImportContext, timeZone: string) {
  const { nativeId, amount, currency, eventTime } = report;
  if (isUnnamed || eventTime === null) return undefined;
  return alike
    .get(describeLooks(nativeId, amount, currency))
    ?.find((one) => getLocalDay(one.eventTime, timeZone) === getLocalDay(eventTime, timeZone));
}

/**
 * A row with the other sign than what has its id is a correction of its own, whichever of them comes first; a reversal of the whole
 * amount stays one.
 */
function separateSign(report: ReportedFact, other: number | undefined): ReportedFact {
  const { nativeId, amount, status, changeTime, eventTime } = report;
  const isWhole = status === 'reversed' && amount === -(other ?? 0);
  if (other === undefined || amount * other >= 0 || isWhole) return report;
  if (amount > 0) return { ...report, nativeId: `${nativeId}:sale` };
  const day = changeTime ?? eventTime;
  const id = [nativeId, 'correction', ...(day === null ? [] : [nameDay(Math.floor(day / DAY_MS))])].join(':');
  return { ...report, nativeId: id, kind: 'adjustment', status: status === 'reversed' ? 'approved' : status };
}

/**
 * Reads rows, and finds those that would replace an earlier one of the file: they have its id, or no id and its click and
 * day, and no time of a change that tells which is newer. An import that continues reads the rows before it again.
 */
export function readPartRows(
  { format, counts }: Omit<ImportState, 'id' | 'line' | 'problems'>,
  rows: readonly FileRow[],
  context: ImportContext,
  {
    partner,
    terms,
    networks,
    profile,
  }: Pick<ImportOptions, 'partner' | 'terms' | 'networks'> & { readonly profile?: ImportProfile },
) {
  const problems: string[] = [];
  let alike = 0;
  const { seen } = context;
  const numbersRows = getReportFile(networks, format.network).report?.numbersRows === true;
  const { columns } = format;
  const { amount, id, subId, eventTime, status, currency } = columns;
  const needed = [amount, id ?? subId, eventTime, status, currency];
  let { totals } = counts;
  const all = { ...counts.all };
  const read: (ParsedRow & {
    readonly strings: SourceReport['strings'];
    readonly earlier: SeenRow | undefined;
    readonly line: number;
  })[] = [];
  for (const own of rows) {
    const { row, extra } = own;
    const number = own.line;
    if (isNote(own)) {
      totals = [...totals, number].slice(0, MAX_WORDS);
      continue;
    }
    const isTotal = isTotalsRow({ ...row, ...Object.fromEntries(extra.entries()) }, format, all, networks);
    if (isTotal === true) {
      totals = [...totals, number].slice(0, MAX_WORDS);
      continue;
    }
    if (isTotal === 'unclear') {
      problems.push(
        `Line ${number}: it may be one of totals, because its id is a word: take it out, or add its date.`,
      );
      continue;
    }
    const misfit = findMisfit(own, needed);
    const found = misfit === null ? parseReportRow(row, format, terms, networks) : { problem: misfit };
    if ('problem' in found) {
      problems.push(`Line ${number}: ${found.problem}.`);
      continue;
    }
    const buildKey = (nativeId: string) => buildCommissionKey({ partner, account: terms.account, nativeId });
    const isSeen = (id: string) => seen.has(buildKey(id));
    const first = buildKey(found.report.nativeId);
    const other = context.known.get(first) ?? seen.get(first);
    const signed = numbersRows
      ? numberRow(found.report, isSeen)
      : found.isUnnamed
        ? found.report
        : separateSign(found.report, other?.amount);
    const looks =
      other === undefined && profile?.alike !== 'other'
        ? findAlike(found, context, format.timeZone)
        : undefined;
    if (looks !== undefined && profile?.alike === undefined) {
      alike += 1;
      problems.push(
        `Line ${number}: ${found.report.nativeId} is new, and looks like ${looks.nativeId} of the same day and amount: say whether it is the same commission or another one (--alike same|other).`,
      );
    }
    const parsed = { ...found, report: { ...signed, ...(looks && { nativeId: looks.nativeId }) } };
    const { nativeId, status, amount, currency, changeTime, eventTime, saleAmount, token } = parsed.report;
    const goods = listProductColumns(row, columns);
    const product = goods.map((name) => row[name]).join('\n');
    const joined = columns.id === null ? 'HEADER' : [columns.id, ...goods].join(' + ');
    const twice = findSecondCount(parsed.report, context);
    if (twice !== null) problems.push(`Line ${number}: ${twice}`);
    all[currency] = (all[currency] ?? 0) + amount;
    const key = buildKey(nativeId);
    const earlier = seen.get(key);
    const conflict = earlier === undefined ? null : findConflict(parsed, product, earlier, joined);
    if (conflict !== null) problems.push(`Line ${number}: ${conflict}`);
    if (earlier === undefined || isNewer(changeTime, earlier.changeTime))
      seen.set(key, {
        line: number,
        status,
        amount,
        currency,
        changeTime,
        eventTime,
        saleAmount,
        token,
        product,
      });
    const strings = Object.values(row).map((text) => text ?? '');
    read.push({ ...parsed, strings, earlier, line: number });
    // What was taken back before its sale was known counts with it.
    if (other?.status !== 'reversed' || other.amount >= 0 || nativeId === found.report.nativeId) continue;
    const back = { ...parsed.report, nativeId: `${found.report.nativeId}:correction`, amount: other.amount };
    const correction = { ...back, kind: 'adjustment', status: 'approved', saleAmount: null } as const;
    read.push({ ...parsed, report: correction, strings, earlier: undefined, line: number });
  }
  return { read, problems, totals, alike, all };
}

/** A report with a number behind its id when earlier rows have it. */
function numberRow(report: ReportedFact, isKnown: (nativeId: string) => boolean): ReportedFact {
  const { nativeId } = report;
  let id = nativeId;
  for (let number = 2; isKnown(id); number += 1) id = `${nativeId}:${number}`;
  return id === nativeId ? report : { ...report, nativeId: id };
}

/** Lets all rows of an import count, unless there are problems; returns whether they do. */
export async function finishImport(
  { id, format, counts, problems }: ImportState,
  file: string,
  { store, partner, profile, now }: ImportOptions,
): Promise<boolean> {
  if (problems.length > 0 || (counts.guessed !== '' && !profile.isChecked)) return false;
  await store.writeImport({ id, partner, file, rows: counts.rows, changedAt: now, state: 'committed' });
  const known = await readProfile(store, partner);
  // That no column has something is known of this file alone.
  const named = Object.entries(profile.columns ?? {}).filter(([, header]) => header);
  const columns = { ...known.columns, ...Object.fromEntries(named) };
  const unused = [...new Set([...(known.unused ?? []), ...(profile.unused ?? [])])];
  const read = { columns, unused, statuses: format.statuses, id: format.columns.id ?? known.id };
  const { alike: _, isChecked: __, ...kept } = profile;
  await store.writeState(buildProfileKey(partner), JSON.stringify({ ...known, ...kept, ...read }));
  return true;
}

/** Builds what is said about an import. */
export function buildImportSummary(
  { id, format, counts, problems }: ImportState,
  committed: boolean,
): ImportSummary {
  const { columns, decimal, currency, timeZone, dayOrder, network } = format;
  return {
    import: id,
    committed,
    ...counts,
    columns,
    unused: format.unread,
    reading: { decimal: decimal === 'unknown' ? '.' : decimal, currency, timeZone, dayOrder, network },
    problems,
  };
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

async function* readParts(rows: AsyncIterable<FileRow>): AsyncGenerator<readonly FileRow[]> {
  let part: FileRow[] = [];
  for await (const row of rows) {
    part.push(row);
    if (part.length < PART_ROWS) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
