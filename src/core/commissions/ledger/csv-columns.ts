import { DAY_MS } from '../../clock.ts';
import { type DayOrder, parseDate } from '../local-time.ts';
import { type DecimalSign, parseReportAmount } from '../money.ts';
import type { CommissionStatus, ReportedFact } from './commission-fact.ts';
import type { CommissionTerms } from './commission-terms.ts';
import {
  buildNativeId,
  buildTotalId,
  findReportProblem,
  parseKind,
  parseStatus,
  parseToken,
} from './message-fields.ts';

/**
 * What a column of a report can hold, with the usual names of such columns, the most specific one first. A report without a
 * status can say by columns of their own that a commission is voided, locked or paid.
 */
const COLUMN_NAMES = {
  id: 'commission id, action id, reward key, reward id, event id, transaction id, trans id, id, key, transaction, order id, oid',
  subId:
    'sub id, sub id 1, sid, sid1, fp sid, click ref, click id, click, shared id, afftrack, affiliate tracking, u1',
  status: 'commission status, reward status, action status, status, state',
  amount:
    'commission amount, commission, payout, action earnings, promoter earnings amount, earnings, reward amount, reward, ' +
    'publisher commission, ad fees, amount',
  saleAmount: 'sale amount, order amount, sale, order value, revenue amount, revenue, amount',
  currency: 'commission currency, payout currency, currency, currency code',
  kind: 'kind, commission type, action type, type',
  eventTime:
    'event date, action date, transaction date, trans date, date shipped, created at, creation date, created, date, period, day',
  changeTime:
    'status updated at, updated at, last updated, update date, modification date, validation date, modified, updated, changed',
  clickTime: 'click date, click time, referring date, clicked at',
  voided: 'voided, is voided',
  locked: 'locked, is locked',
  paid: 'paid date, date paid, paid at',
} as const;

export type ReportColumn = keyof typeof COLUMN_NAMES;

/** Every kind of column, for messages and checks. */
export const REPORT_COLUMNS = Object.keys(COLUMN_NAMES) as readonly ReportColumn[];

/** The header of each column that was found; null for those that the file does not have. */
export type ColumnMap = Readonly<Record<ReportColumn, string | null>>;

/** A heading without case, separators and the unit in parentheses: `Publisher Commission (USD)`, `Ad Fees($)`. */
const simplify = (header: string) =>
  header
    .replace(/\s*\([^()]*\)\s*$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '');

/** The currency that a heading names: `USD` of `Publisher Commission (USD)`; null without one. */
export function getHeaderCurrency(header: string | null): string | null {
  return /\(([A-Z]{3})\)\s*$/.exec(header ?? '')?.[1] ?? null;
}

/** What tells the rows of a report by item apart, which names no id: of Amazon's earnings. */
const ITEM_COLUMNS = ['asin', 'dateshipped', 'trackingid', 'seller', 'price', 'devicetypegroup', 'name'];

/** Whether rows without an id are told apart by what was sold when. */
export const isItemReport = (headers: readonly string[]) =>
  ITEM_COLUMNS.slice(0, 2).every((name) => headers.some((header) => simplify(header) === name));

/** Finds columns by their names; `chosen` ones are taken as they are, and no header serves twice. */
export function detectColumns(
  headers: readonly string[],
  chosen: Readonly<Partial<Record<ReportColumn, string>>>,
): ColumnMap {
  const taken = new Set<string>(Object.values(chosen));
  const found: Partial<Record<ReportColumn, string | null>> = {};
  for (const column of REPORT_COLUMNS) {
    const names = COLUMN_NAMES[column].split(', ');
    const header =
      chosen[column] ??
      names
        .map((name) => headers.find((text) => simplify(text) === simplify(name) && !taken.has(text)))
        .find((text) => text !== undefined) ??
      null;
    if (header !== null) taken.add(header);
    found[column] = header;
  }
  return found as ColumnMap;
}

/** How the rows of a file are read. */
export interface RowFormat {
  readonly columns: ColumnMap;
  /** For rows without a currency of their own: that of the heading, else what the operator said. */
  readonly currency: string;
  readonly timeZone: string;
  readonly dayOrder: DayOrder;
  readonly decimal: DecimalSign;
  /** When the file is imported; ms since 1970. */
  readonly now: number;
}

/** A row that was read. */
export interface ParsedRow {
  readonly report: ReportedFact;
  /** The file's word for the status. */
  readonly statusWord: string;
  /** Whether the row has no id of its own: another row of its click and day would have the same. */
  readonly isUnnamed: boolean;
}

/**
 * Parses a row. Without an id, it is an item of a report by item, or the total of a click (of a day, when there is a date).
 * A negative amount is a correction.
 */
export function parseReportRow(
  row: Readonly<Record<string, string>>,
  format: RowFormat,
  terms: CommissionTerms,
): ParsedRow | { readonly problem: string } {
  const { columns, timeZone, dayOrder } = format;
  const read = (column: ReportColumn) => {
    const header = columns[column];
    return header === null ? '' : (row[header] ?? '').trim();
  };
  const currency = (read('currency') || format.currency).toUpperCase();
  if (!/^[A-Z]{3}$/.test(currency)) return { problem: `"${currency.slice(0, 20)}" is no currency code` };
  const amountText = read('amount');
  const amount = amountText === '' ? 0 : parseReportAmount(amountText, currency, format.decimal);
  if (amount === null) return { problem: `"${amountText.slice(0, 20)}" is no amount` };
  const times: Partial<Record<ReportColumn, number | null>> = {};
  for (const column of ['eventTime', 'changeTime', 'clickTime'] as const) {
    const text = read(column);
    times[column] = text === '' ? null : parseDate(text, timeZone, dayOrder);
    if (text !== '' && times[column] === null) return { problem: `"${text.slice(0, 30)}" is no date` };
  }
  const click = read('subId');
  const token = parseToken(click);
  const ownId = read('id');
  const id =
    ownId === ''
      ? buildRowId(row, token === '' ? '' : click, read('eventTime'), amount)
      : buildNativeId(ownId);
  if (id === '') return { problem: 'the row has neither an id nor a sub-id' };
  const saleText = read('saleAmount');
  const report: ReportedFact = {
    nativeId: id,
    kind: amount < 0 ? 'adjustment' : parseKind(read('kind')),
    status: readStatus(read, columns, terms),
    amount,
    currency,
    saleAmount: saleText === '' ? null : parseReportAmount(saleText, currency, format.decimal),
    token,
    clickTime: times.clickTime ?? null,
    eventTime: times.eventTime ?? null,
    changeTime: buildChangeTime(times.changeTime ?? null, read('changeTime'), format.now),
    isTest: false,
  };
  const problem = findReportProblem(report, read('kind'));
  return problem === null ? { report, statusWord: read('status'), isUnnamed: ownId === '' } : { problem };
}

/** The id of a row that names none; empty when it cannot have one. */
function buildRowId(
  row: Readonly<Record<string, string>>,
  click: string,
  period: string,
  amount: number,
): string {
  if (!isItemReport(Object.keys(row))) return click === '' ? '' : buildTotalId(click, period);
  const entries = Object.entries(row);
  const parts = ITEM_COLUMNS.map(
    (name) =>
      entries
        .find(([header]) => simplify(header) === name)?.[1]
        .trim()
        .slice(0, 40) ?? '',
  );
  // A return on the day of a sale is a row of its own.
  return `item:${[...parts, amount < 0 ? 'return' : ''].filter(Boolean).join(':')}`;
}

/** Awin's report writes numbers (help.awin.com, Understanding the data fields in the Transactions report). */
const AWIN_STATUSES: Readonly<Record<string, CommissionStatus>> = {
  '0': 'pending',
  '1': 'approved',
  '2': 'reversed',
};

function readStatus(
  read: (column: ReportColumn) => string,
  columns: ColumnMap,
  terms: CommissionTerms,
): CommissionStatus {
  const isSet = (column: ReportColumn) => !/^(0|no?|false|n\/a|-|0000-.*)?$/i.test(read(column));
  if (isSet('voided')) return 'reversed';
  if (columns.status === null) return isSet('paid') ? 'paid' : isSet('locked') ? 'approved' : 'pending';
  const isAwin = terms.network === 'awin' || columns.status === 'commission_status';
  const statuses = isAwin ? { ...AWIN_STATUSES, ...terms.statuses } : terms.statuses;
  return parseStatus(read('status'), { statuses });
}

/** A change on a day without a time counts from the end of that day, so that it follows messages of the same day. */
function buildChangeTime(time: number | null, text: string, now: number): number | null {
  if (time === null || text.includes(':') || /^\d{10,13}$/.test(text)) return time;
  return Math.max(time, Math.min(time + DAY_MS - 1, now));
}

/**
 * Detects whether dates such as `03/04/2026` begin with the day; null when the values do not say it or contradict each
 * other.
 */
export function detectDayOrder(values: readonly string[]): DayOrder | null {
  let order: DayOrder | null = null;
  let isAmbiguous = false;
  for (const value of values) {
    const match = /^(\d{1,2})[/-](\d{1,2})[/-]\d{4}/.exec(value.trim());
    if (match === null) continue;
    const found = Number(match[1]) > 12 ? 'day-first' : Number(match[2]) > 12 ? 'month-first' : null;
    if (found === null) isAmbiguous = true;
    else if (order !== null && order !== found) return null;
    else order = found;
  }
  return order ?? (isAmbiguous ? null : 'month-first');
}
