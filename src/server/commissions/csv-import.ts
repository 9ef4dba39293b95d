import { createHash } from 'node:crypto';
import { z } from 'zod';
import { DAY_MS, reportProgress } from '../../core/clock.ts';
import { buildCommissionKey, type ReportedFact } from '../../core/commissions/ledger/commission-fact.ts';
import type { SourceReport } from '../../core/commissions/ledger/commission-source.ts';
import type { CommissionTerms } from '../../core/commissions/ledger/commission-terms.ts';
import {
  type FileRow,
  findMisfit,
  getReportFile,
  isNote,
  isTotalsRow,
  listProductColumns,
  type ParsedRow,
  parseReportRow,
} from '../../core/commissions/ledger/csv-columns.ts';
import { foldCommission } from '../../core/commissions/ledger/fold-commission.ts';
import { buildIdForm, buildLooseId, roundId } from '../../core/commissions/ledger/message-fields.ts';
import {
  type ImportProfile,
  importProfileSchema,
  type RowFormat,
  rowFormatSchema,
} from '../../core/commissions/ledger/stored-money.schema.ts';
import { addDays, getLocalDay, nameDay } from '../../core/commissions/local-time.ts';
import { isDocumented, type Networks } from '../../core/commissions/networks/network.schema.ts';
import type { Ledger } from '../../stores/ledger.ts';
import { detectImportFormat, type ImportFile } from './detect-import-format.ts';
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
  /** Rows that repeat an earlier one of the file, and nobody has said whether they are another commission. */
  repeated: count.default(0),
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
export type ImportContext = Awaited<ReturnType<typeof createImportContext>>;

/** A commission as the ledger has it. */
type KnownCommission = NonNullable<ReturnType<ImportContext['known']['get']>>;

interface SeenRow
  extends Pick<ReportedFact, keyof ReportState | 'changeTime' | 'eventTime' | 'saleAmount' | 'token'> {
  /** The line of the file on which it begins, from 1. */
  readonly line: number;
  readonly product: string;
}

/** Begins the ids of rows that are sums of a period; its first day follows. */
const SUM_ID = /^sum:(\d{4}-\d{2}-\d{2}):/;

function describeLabelled({ nativeId, label, eventTime }: ReportedFact) {
  if (label === undefined || eventTime === null || /^(?:ordered|bounty):/.test(nativeId)) return null;
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
export async function createImportContext({
  ledger,
  store,
  partner,
  terms,
}: Pick<ImportOptions, 'ledger' | 'store' | 'partner' | 'terms'>) {
  const all = await store.readFacts({ partner });
  const facts = Map.groupBy(all, (fact) =>
    buildCommissionKey({ ...fact, nativeId: buildIdForm(fact.nativeId) }),
  );
  const commissions = [...facts].map(([key, group]) => {
    const { account, nativeId, eventTime, currency, reversedAmount, ...folded } = foldCommission(group);
    const stated = group.findLast((fact) => fact.amount !== 0)?.amount ?? 0;
    // What it was worth before any reversal.
    const amount = folded.amount || reversedAmount || stated;
    const { status } = folded;
    const changeTime = group.at(-1)?.changeTime ?? eventTime;
    const own = {
      nativeId,
      eventTime,
      changeTime,
      amount,
      status,
      state: buildState({ ...folded, currency }),
    };
    // What another account has is no commission of this one.
    const amounts = account === terms.account ? [amount, ...group.map((fact) => fact.amount)] : [];
    const looks = [...new Set(amounts)].map((one) => describeLooks(nativeId, one, currency));
    return { key, own, looks };
  });
  const looking = commissions.flatMap(({ looks, own }) => looks.map((look) => ({ look, own })));
  const labelled = all.flatMap((fact) => (fact.label === undefined ? [] : (describeLabelled(fact) ?? [])));
  const byId = Map.groupBy(labelled, ({ id, isSum }) => `${id} ${isSum}`);
  return {
    /** Each commission that the ledger has of the account, by its key. */
    known: new Map(commissions.map(({ key, own }) => [key, own])),
    /** Those that agree in amount, currency and what their ids have in common. */
    alike: Map.groupBy(looking, ({ look }) => look),
    /** What the ledger has by ids of pages, as sums of a period or as single commissions: times in ms since 1970. */
    labelled: byId,
    /** Under which ids long ones go on. */
    settled: await ledger.readSettled(partner, terms.account),
    /** The row of the file that each commission has so far, by its key. */
    seen: new Map<string, SeenRow>(),
  };
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

/** Whether a row says what an earlier one with its id has said: twice the same commission, or two that are equal. */
const isRepeated = (report: ReportedFact, product: string, earlier: SeenRow) =>
  buildState(report) === buildState(earlier) &&
  report.changeTime === earlier.changeTime &&
  report.eventTime === earlier.eventTime &&
  report.saleAmount === earlier.saleAmount &&
  report.token === earlier.token &&
  product === earlier.product;

/** Whether a row takes back another amount than an earlier one with its id: another part of it, or one that has grown. */
const isPart = (report: ReportState, earlier: ReportState) =>
  report.amount !== earlier.amount && Math.max(report.amount, earlier.amount) < 0;

/**
 * Whether a row takes back something else than what the ledger has under its id. Without a day, nothing says that it does not; a day
 * without a time counts from its end, or from an import on that day.
 */
function isOtherReturn(
  report: ReportedFact,
  known: KnownCommission | undefined,
  { timeZone, now }: Pick<RowFormat, 'timeZone' | 'now'>,
): boolean {
  if (known === undefined || Math.max(report.amount, known.amount) >= 0) return false;
  if (report.status === 'reversed' || known.status === 'reversed') return false;
  const time = report.changeTime ?? report.eventTime;
  const knownTime = report.changeTime === null ? known.eventTime : known.changeTime;
  if (report.amount !== known.amount || time === null) return true;
  const day = getLocalDay(time, timeZone);
  const isWholeDay = time === now || day !== getLocalDay(time + 1, timeZone);
  return isWholeDay ? day !== getLocalDay(knownTime, timeZone) : time !== knownTime;
}

/** Why a row would replace an earlier one with its id; null when it is the same, or an older or newer state of it. */
function findConflict(
  { report, isUnnamed }: ParsedRow,
  product: string,
  earlier: SeenRow,
  joined: string,
): string | null {
  if (isRepeated(report, product, earlier)) return null;
  if (isUnnamed)
    return (
      `it has no id, and nothing tells it from line ${earlier.line}: one would replace the other. ` +
      'Name the column of its id (--column id=HEADER).'
    );
  const isOther =
    report.saleAmount !== earlier.saleAmount ||
    product !== earlier.product ||
    report.token !== earlier.token ||
    report.eventTime !== earlier.eventTime;
  if (isOther)
    return `it has the id of line ${earlier.line}, and another sale, product, click or day: one would replace the other. Name the column of the id, or several: ${joined} (--column id="${joined}").`;
  const isOrdered =
    isNewer(report.changeTime, earlier.changeTime) || isNewer(earlier.changeTime, report.changeTime);
  return isOrdered
    ? null
    : `it has the id of line ${earlier.line}, and nothing says which is newer. ` +
        'Name the column of the id (--column id=HEADER), or of the last change (--column changeTime=HEADER).';
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
  format: rowFormatSchema,
  /** Rows that were read, also those that cannot be imported. */
  line: z.number().int().nonnegative(),
  counts: importCountsSchema,
  problems: z.array(z.string()),
});
export type ImportState = Readonly<z.output<typeof importStateSchema>>;

const PART_ROWS = 1_000;
/** What a cell has beside its text in a stored value. */
const CELL_CHARACTERS = 3;
/** Three bytes each at most; D1 takes 2 MB as one value. */
const PART_CHARACTERS = 300_000;
const MAX_PROBLEMS = 10;

/** Reads a file, or its first parts, and says what importing it would bring. Rejects with `CommissionSourceError`. */
export async function previewImport(
  file: Omit<ImportFile, 'name'>,
  options: ImportOptions,
  maxParts?: number,
): Promise<ImportSummary> {
  return buildImportSummary(await runImport(file, options, false, maxParts), false);
}

/**
 * Imports a file: its facts are stored in parts that do not count, and count together once the last one is on disk, so
 * that an interrupted import is absent. Rejects with `CommissionSourceError` or `LedgerError`.
 */
export async function commitImport(file: ImportFile, options: ImportOptions): Promise<ImportSummary> {
  const state = await runImport(file, options, true);
  return buildImportSummary(state, await finishImport(state, file.name, options));
}

async function runImport(
  file: Omit<ImportFile, 'name'>,
  options: ImportOptions,
  isCommit: boolean,
  maxParts = Number.POSITIVE_INFINITY,
): Promise<ImportState> {
  let state = await startImport(file, options);
  const context = await createImportContext(options);
  let parts = 0;
  for await (const rows of divideRows(file.readRows())) {
    state = await importPart(state, rows, context, isCommit, options);
    parts += 1;
    if (parts === maxParts) break;
  }
  return state;
}

/** Finds out how a file is to be read. Rejects with `CommissionSourceError`. */
export async function startImport(
  file: Omit<ImportFile, 'name'>,
  options: ImportOptions,
): Promise<ImportState> {
  const known = await readProfile(options.store, options.partner);
  const format = await detectImportFormat(file, { ...options, known });
  const { now: _, watched: __, unread: ___, ...reading } = format;
  // The same file, read in the same way, is the same import.
  const { alike = [], repeated } = options.profile;
  const said = repeated === undefined ? [] : `repeated ${repeated}`;
  const content = JSON.stringify(
    [file.hash, options.partner, options.terms.account, reading].concat(alike, said),
  );
  const id = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return { id, format, line: 0, counts: NO_ROWS, problems: [] };
}

/**
 * Imports the next rows of a file, in one transaction; or only counts them. The same rows after the same state have the
 * same result: a part that was interrupted is repeated, and facts that it had stored are not stored twice. `file`: the name
 * of one of which these are all rows, which count with this transaction.
 */
export async function importPart(
  state: ImportState,
  rows: readonly FileRow[],
  context: ImportContext,
  isCommit: boolean,
  options: ImportOptions,
  file = '',
): Promise<ImportState> {
  reportProgress();
  const { ledger, partner, terms } = options;
  const { read, problems: found, totals, all, ...asked } = readPartRows(state, rows, context, options);
  const elsewhere = await findElsewhere(read, context, options);
  const problems = [...state.problems, ...found, ...elsewhere].slice(0, MAX_PROBLEMS);
  const reports: readonly SourceReport[] = read.map(({ report, strings }) => ({
    reported: report,
    strings,
  }));
  const importId = state.id;
  const network = getReportFile(options.networks, state.format.network);
  const isGuessed =
    network.report !== undefined && !isDocumented(network, 'report') && context.known.size === 0;
  const guessed = isGuessed ? network.title : '';
  const whole = file === '' ? undefined : buildImport(state, file, reports.length, options);
  const isAsked = problems.length > 0 || (whole !== undefined && isGuessed && !options.profile.isChecked);
  const matched =
    isCommit && !isAsked
      ? (await ledger.record({ partner, terms, source: 'csv', reports, importId, whole })).matched
      : (await ledger.matchClicks(reports)).clickIds.filter((clickId) => clickId !== null).length;
  const alike = state.counts.alike + asked.alike + elsewhere.length;
  const repeated = state.counts.repeated + asked.repeated;
  const counts = {
    ...addToCounts(state.counts, read, matched, context, options),
    totals,
    alike,
    repeated,
    guessed,
    all,
  };
  return { ...state, line: state.line + rows.length, counts, problems };
}

/** Why rows that are new may count money twice: another partner or account has them with the same day and amount. */
async function findElsewhere(
  read: readonly (ParsedRow & { readonly line: number })[],
  { known }: ImportContext,
  { ledger, store, partner, terms, profile }: ImportOptions,
): Promise<readonly string[]> {
  if (profile.alike === 'other') return [];
  await ledger.fold.foldMarked();
  const fresh = read.filter(
    ({ report, isUnnamed }) =>
      !isUnnamed &&
      report.eventTime !== null &&
      !known.has(buildCommissionKey({ partner, account: terms.account, nativeId: report.nativeId })),
  );
  const elsewhere = await store.folded.readElsewhere(
    { partner, account: terms.account },
    fresh.map(({ report }) => report),
  );
  return fresh.flatMap(({ report, line }) => {
    const other = elsewhere.get(report.nativeId);
    return other === undefined
      ? []
      : [
          `Line ${line}: the ${other.partner === partner ? `account ${other.account}` : `partner ${other.partner}`} has ${other.nativeId} with this day and amount. Import it there, or say that it is another commission (--alike other).`,
        ];
  });
}

/** The known commission that a new row looks like: it has its day and amount, and its id differs by zeros in front, case, spaces or signs alone. */
function findAlike({ report, isUnnamed }: ParsedRow, { alike }: ImportContext, timeZone: string) {
  const { nativeId, amount, currency, eventTime } = report;
  if (isUnnamed || eventTime === null) return undefined;
  return alike
    .get(describeLooks(nativeId, amount, currency))
    ?.find(({ own }) => getLocalDay(own.eventTime, timeZone) === getLocalDay(eventTime, timeZone))?.own;
}

type Timed = Pick<ReportedFact, 'changeTime' | 'eventTime'>;
const getTime = ({ changeTime, eventTime }: Timed) => changeTime ?? eventTime;

/** An id with the day of its row; with that of the ledger, which an import on the day itself may have named otherwise. */
function addDay(
  id: string,
  report: ReportedFact,
  timeZone: string,
  find: (id: string) => Timed | undefined,
): string {
  const time = getTime(report);
  if (time === null) return id;
  const day = nameDay(Math.floor(time / DAY_MS));
  const ids = [0, -1, 1].map((days) => `${id}:${addDays(day, days)}`);
  const isStored = (one: string) => {
    const stored = getTime(find(one) ?? { changeTime: null, eventTime: null });
    return stored !== null && getLocalDay(stored, timeZone) === getLocalDay(time, timeZone);
  };
  return ids.find(isStored) ?? ids[0] ?? id;
}

/**
 * A row with the other sign than what has its id is a correction of its own, whichever of them comes first; a reversal of the whole
 * amount stays one.
 */
function separateSign(
  report: ReportedFact,
  other: number | undefined,
  nameDayOf: (id: string) => string,
): ReportedFact {
  const { nativeId, amount, status } = report;
  const isWhole = status === 'reversed' && amount === -(other ?? 0);
  if (other === undefined || amount * other >= 0 || isWhole) return report;
  if (amount > 0) return { ...report, nativeId: `${nativeId}:sale` };
  const id = nameDayOf(`${nativeId}:correction`);
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
  let [alike, repeated] = [0, 0];
  const { seen, known } = context;
  const { numbersRows, returns } = getReportFile(networks, format.network).report ?? {};
  const { columns } = format;
  const getDay = (one: Timed) => getLocalDay(getTime(one) ?? 0, format.timeZone);
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
    const { row, line: number } = own;
    const isTotal = isNote(own) || isTotalsRow(own, format, all, networks);
    if (isTotal === true) {
      totals = [...totals, number].slice(0, MAX_WORDS);
      continue;
    }
    const misfit =
      isTotal === 'unclear'
        ? 'it may be one of totals, because its id is a word: take it out, or add its date'
        : findMisfit(own, needed);
    const sent = misfit === null ? parseReportRow(row, format, terms, networks) : { problem: misfit };
    if ('problem' in sent) {
      problems.push(`Line ${number}: ${sent.problem}.`);
      continue;
    }
    const id = context.settled.get(sent.report.nativeId) ?? sent.report.nativeId;
    const found = { ...sent, report: { ...sent.report, nativeId: id } };
    const buildKey = (nativeId: string) => buildCommissionKey({ partner, account: terms.account, nativeId });
    const isSeen = (id: string) => seen.has(buildKey(id));
    const findRounded = (long: string) =>
      roundId(long) === long ? undefined : known.get(buildKey(roundId(long)));
    const first = buildKey(id);
    const other = known.get(first) ?? seen.get(first);
    const nameDayOf = (name: string) =>
      addDay(name, found.report, format.timeZone, (one) => known.get(buildKey(one)));
    // A return by item on another day than the one with its id is one more.
    const isMore =
      returns !== undefined &&
      other !== undefined &&
      Math.max(found.report.amount, other.amount) < 0 &&
      getDay(other) !== getDay(found.report);
    const signed = numbersRows
      ? numberRow(found.report, isSeen)
      : found.isUnnamed
        ? { ...found.report, nativeId: isMore ? nameDayOf(id) : id }
        : separateSign(found.report, other?.amount, nameDayOf);
    const looks =
      other === undefined && profile?.alike !== 'other'
        ? (findRounded(id) ?? findAlike(found, context, format.timeZone))
        : undefined;
    if (looks !== undefined && profile?.alike === undefined) {
      alike += 1;
      problems.push(
        `Line ${number}: ${found.report.nativeId} is new, and looks like ${looks.nativeId}: say whether it is the same commission or another one (--alike same|other).`,
      );
    }
    const goods = listProductColumns(row, columns);
    const product = goods.map((name) => row[name]).join('\n');
    const joined = columns.id === null ? 'HEADER' : [columns.id, ...goods].join(' + ');
    const plain = { ...signed, ...(looks && { nativeId: looks.nativeId }) };
    const before = seen.get(buildKey(plain.nativeId));
    const isTwice = before !== undefined && (isRepeated(plain, product, before) || isPart(plain, before));
    // Totals of a click or of an item grow.
    const isTotals = numbersRows === true || (found.isUnnamed && returns === undefined);
    const isTaken = (id: string) =>
      isSeen(id) || (!isTotals && isOtherReturn(plain, known.get(buildKey(id)), format));
    const next =
      isTwice || (before === undefined && isTaken(plain.nativeId)) ? numberRow(plain, isTaken) : plain;
    const answer = before === undefined ? profile?.alike : profile?.repeated;
    const isNext = next !== plain && (answer === 'other' || known.has(buildKey(next.nativeId)));
    if (answer === undefined && !isNext && next !== plain) {
      if (before === undefined) alike += 1;
      else repeated += 1;
      problems.push(
        before === undefined
          ? `Line ${number}: the ledger has another return of ${plain.nativeId}: say whether it is the same one (--alike same|other).`
          : `Line ${number}: it repeats line ${before.line}: say whether it is the same commission or another one (--repeated same|other).`,
      );
    }
    const parsed = { ...found, report: isNext ? next : plain };
    const { nativeId, status, amount, currency, changeTime, eventTime, saleAmount, token } = parsed.report;
    const twice = findSecondCount(parsed.report, context);
    if (twice !== null) problems.push(`Line ${number}: ${twice}`);
    all[currency] = (all[currency] ?? 0) + amount;
    const key = buildKey(nativeId);
    const earlier = seen.get(key);
    const isAsked = isTwice && answer === undefined;
    const conflict = earlier === undefined || isAsked ? null : findConflict(parsed, product, earlier, joined);
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
    // What was taken back before its sale was known counts with it, once however many rows the sale has.
    if (other?.status !== 'reversed' || other.amount >= 0 || nativeId === found.report.nativeId) continue;
    const back = { ...parsed.report, nativeId: `${found.report.nativeId}:correction`, amount: other.amount };
    const backKey = buildKey(back.nativeId);
    if (seen.has(backKey)) continue;
    seen.set(backKey, { ...back, line: number, product });
    const correction = { ...back, kind: 'adjustment', status: 'approved', saleAmount: null } as const;
    read.push({ ...parsed, report: correction, strings, earlier: undefined, line: number });
  }
  return { read, problems, totals, alike, repeated, all };
}

/** A report with a number behind its id when earlier rows have it. */
function numberRow(report: ReportedFact, isKnown: (nativeId: string) => boolean): ReportedFact {
  const { nativeId } = report;
  let id = nativeId;
  for (let number = 2; isKnown(id); number += 1) id = `${nativeId}:${number}`;
  return id === nativeId ? report : { ...report, nativeId: id };
}

const buildImport = ({ id }: ImportState, file: string, rows: number, { partner, now }: ImportOptions) =>
  ({ id, partner, file, rows, changedAt: now, state: 'committed' }) as const;

/** Lets all rows of an import count, unless there are problems; returns whether they do. */
export async function finishImport(
  state: ImportState,
  file: string,
  options: ImportOptions,
): Promise<boolean> {
  const { counts, problems } = state;
  if (problems.length > 0 || (counts.guessed !== '' && !options.profile.isChecked)) return false;
  await options.store.writeImport(buildImport(state, file, counts.rows, options));
  await rememberFormat(state, options);
  return true;
}

/** Keeps what was said about a report, and what is known of its format after it was read. */
export const rememberFormat = ({ format }: ImportState, { store, partner, profile }: ImportOptions) => {
  const { statuses, columns } = format;
  return rememberProfile(store, partner, { ...profile, statuses, ...(columns.id && { id: columns.id }) });
};

/** Keeps what was said about a file for the next one of its partner, or of its platform of costs. */
export async function rememberProfile(
  store: Pick<Ledger, 'changeState'>,
  of: string,
  { alike: _, repeated: __, isChecked: ___, ...profile }: ImportProfile,
): Promise<void> {
  // That no column has something is known of this file alone.
  const named = Object.entries(profile.columns ?? {}).filter(([, header]) => header);
  await store.changeState(buildProfileKey(of), '{}', (before) => {
    const known = parseProfile(before);
    const columns = { ...known.columns, ...Object.fromEntries(named) };
    const unused = [...new Set([...(known.unused ?? []), ...(profile.unused ?? [])])];
    return JSON.stringify({ ...known, ...profile, columns, unused });
  });
}

/** Builds what is said about an import. */
export function buildImportSummary({ id, format, counts, problems }: ImportState, committed: boolean) {
  const { columns, unread, currency, timeZone, dayOrder, network } = format;
  const decimal = format.decimal === 'unknown' ? ('.' as const) : format.decimal;
  return {
    /** Id of the import, for `undo`. */
    import: id,
    committed,
    ...counts,
    columns,
    /** The headers of columns that nothing reads. */
    unused: unread,
    /** How amounts and dates are read; `currency`: of rows that name none, empty: each names its own. */
    reading: { decimal, currency, timeZone, dayOrder, network },
    /** The first rows that cannot be read; the file is not imported while there are any. */
    problems,
  };
}
/** What an import would bring, or has brought. */
export type ImportSummary = Readonly<ReturnType<typeof buildImportSummary>>;

/** Undoes a whole import. False when no import with this id counts. */
export async function undoImport(store: Ledger, id: string, now: number): Promise<boolean> {
  const known = (await store.readImports()).find((entry) => entry.id === id);
  if (known?.state !== 'committed') return false;
  await store.writeImport({ ...known, state: 'undone', changedAt: now });
  return true;
}

const buildProfileKey = (of: string) => `csv-profile ${of}`;

/** Reads what was said about the last file of a partner or a platform; empty before the first. */
export async function readProfile(store: Pick<Ledger, 'readState'>, of: string): Promise<ImportProfile> {
  return parseProfile((await store.readState(buildProfileKey(of))) ?? '{}');
}

const parseProfile = (text: string) => importProfileSchema.parse(JSON.parse(text));

/** Rows in parts, which are the same each time. */
export async function* divideRows(rows: AsyncIterable<FileRow>, maxRows = PART_ROWS) {
  let part: FileRow[] = [];
  let characters = 0;
  for await (const row of rows) {
    const cells = [...Object.values(row.row), ...row.extra];
    const length = cells.reduce((sum, text) => sum + (text?.length ?? 0) + CELL_CHARACTERS, 0);
    const isFull = part.length >= maxRows || characters + length > PART_CHARACTERS;
    if (part.length > 0 && isFull) {
      yield part;
      part = [];
      characters = 0;
    }
    part.push(row);
    characters += length;
  }
  if (part.length > 0) yield part;
}
