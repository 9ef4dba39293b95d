import { DAY_MS } from '../clock.ts';
import type { ReportedFact } from './commission-fact.ts';
import type { CommissionTerms } from './commission-terms.ts';
import { type DayOrder, parseDate } from './local-time.ts';
import { parseKind, parseStatus, parseToken } from './message-fields.ts';
import { type DecimalSign, parseReportAmount } from './money.ts';

/** What a column of a report can hold, with the usual names of such columns, the most specific one first. */
const COLUMN_NAMES = {
  id: 'commission id, action id, reward key, reward id, event id, transaction id, id, key, order id, oid',
  subId:
    'sub id, sub id 1, subid, subid1, sub_id, sid, sid1, fp sid, click ref, click id, click, shared id, u1',
  status: 'commission status, reward status, action status, status, state',
  amount:
    'commission amount, commission, payout, action earnings, promoter earnings amount, earnings, reward amount, reward, ' +
    'publisher commission, amount',
  saleAmount: 'sale amount, order amount, sale, order value, revenue amount, revenue, amount',
  currency: 'commission currency, payout currency, currency, currency code',
  kind: 'kind, commission type, action type, type',
  eventTime:
    'event date, action date, transaction date, created at, creation date, created, date, period, day',
  changeTime:
    'status updated at, updated at, last updated, update date, modification date, modified, updated, changed',
  clickTime: 'click date, click time, referring date, clicked at',
} as const;

export type ReportColumn = keyof typeof COLUMN_NAMES;

/** Every kind of column, for messages and checks. */
export const REPORT_COLUMNS = Object.keys(COLUMN_NAMES) as readonly ReportColumn[];

/** The header of each column that was found; null for those that the file does not have. */
export type ColumnMap = Readonly<Record<ReportColumn, string | null>>;

const normalize = (header: string) =>
  header
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

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
        .map((name) => headers.find((text) => normalize(text) === normalize(name) && !taken.has(text)))
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
  /** For rows without a currency of their own. */
  readonly currency: string;
  readonly timeZone: string;
  readonly dayOrder: DayOrder;
  readonly decimal: DecimalSign;
  /** When the file is imported; ms since 1970. */
  readonly now: number;
}

/** Parses a row. Without an id, it is the total of a click (of a day, when there is a date). */
export function parseReportRow(
  row: Readonly<Record<string, string>>,
  format: RowFormat,
  terms: CommissionTerms,
): { readonly report: ReportedFact } | { readonly problem: string } {
  const { columns, timeZone, dayOrder } = format;
  const read = (column: ReportColumn) =>
    columns[column] === null ? '' : (row[columns[column]] ?? '').trim();
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
  const token = parseToken(read('subId'));
  const id = read('id') || (token === '' ? '' : ['sub', token, read('eventTime')].filter(Boolean).join(':'));
  if (id === '') return { problem: 'the row has neither an id nor a sub-id' };
  const saleText = read('saleAmount');
  return {
    report: {
      nativeId: id.slice(0, 128),
      kind: parseKind(read('kind')),
      status: parseStatus(read('status'), terms),
      amount,
      currency,
      saleAmount: saleText === '' ? null : parseReportAmount(saleText, currency, format.decimal),
      token,
      clickTime: times.clickTime ?? null,
      eventTime: times.eventTime ?? null,
      changeTime: buildChangeTime(times.changeTime ?? null, read('changeTime'), format.now),
      isTest: false,
    },
  };
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
