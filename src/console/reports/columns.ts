import type { METRICS } from '../../core/commissions/metric-definitions.ts';
import { formatDecimalAmount } from '../../core/commissions/money.ts';
import type { ConsoleSort } from './query.ts';

/** Key of a metric that has a definition. */
export type MetricKey = keyof typeof METRICS;

/** A cell of an exported table. */
export type Cell = string | number | null;

/** A table as `.csv` exports it: all rows, not the page on screen. */
export interface ExportTable {
  readonly columns: readonly string[];
  readonly rows: Iterable<readonly Cell[]> | AsyncIterable<readonly Cell[]>;
}

/** How a heading and its cells look on screen. */
export interface ColumnLook {
  /** What `sort=` has; unique in the table. Left out: the heading is no link. */
  readonly key?: string;
  readonly name: string;
  /** The metric whose definition the heading shows. */
  readonly metric?: MetricKey;
  readonly isNumeric?: boolean;
  /** false: the heading is no link. */
  readonly isSortable?: boolean;
  /**
   * On phones: `lead` is on the first line of a row, next to its name; `lead-unnamed` too, and says itself what it is;
   * `hidden` is left out; `rest`, the default, is below them, and `plain` too, without its heading.
   */
  readonly onPhone?: 'lead' | 'lead-unnamed' | 'hidden' | 'rest' | 'plain';
}

/** A column of a view's table, declared once for the screen, the export and sorting. */
export interface Column<Row> extends ColumnLook {
  readonly key: string;
  /** Heading in exports; null: the column is on screen only. */
  readonly exportName: string | null;
  /** The cell in exports. Amounts are decimals, shares are numbers from 0 to 1, times are ISO 8601. */
  readonly text: (row: Row) => Cell;
  /** What rows are sorted by, null where it is not known; null for a column that does not sort. */
  readonly sort: ((row: Row) => Cell) | null;
  /** The figure on screen; amounts are minor units of `currency`. */
  readonly figure?: (row: Row) => number | null;
  readonly format?: 'count' | 'share' | 'price' | 'money';
  readonly currency?: (row: Row) => string | null;
  /** false: the column is exported only. */
  readonly isShown?: false;
}

/** Declares a column of texts. */
export function column<Row>(
  key: string,
  name: string,
  text: (row: Row) => Cell,
  options: Partial<Column<Row>> = {},
): Column<Row> {
  return { key, name, exportName: key, text, sort: (row) => text(row) ?? '', ...options };
}

/** Declares a column of figures whose heading shows the definition of their metric. */
function metric<Row>(
  key: MetricKey,
  name: string,
  figure: (row: Row) => number | null,
  options: Partial<Column<Row>> = {},
): Column<Row> {
  const look = { metric: key, isNumeric: true, format: 'count' } as const;
  return { key, name, exportName: key, text: figure, sort: figure, figure, ...look, ...options };
}

/** Declares a column of amounts in minor units. */
function money<Row extends { readonly currency: string | null }>(
  key: MetricKey,
  name: string,
  amount: (row: Row) => number | null,
  options: Partial<Column<Row>> = {},
): Column<Row> {
  const text = (row: Row) => formatAmountCell(amount(row), row.currency);
  const currency = ({ currency: code }: Row) => code;
  return metric(key, name, amount, { text, currency, format: 'money', ...options });
}

/** Declares a column that is exported and not shown. */
export function exported<Row>(exportName: string, text: (row: Row) => Cell): Column<Row> {
  return { key: exportName, name: '', exportName, text, sort: null, isShown: false };
}

/** An amount of minor units as a decimal; in dollars where no currency is known. */
export const formatAmountCell = (amount: number | null, currency: string | null) =>
  amount === null ? null : formatDecimalAmount(Math.round(amount), currency ?? 'USD');

/** Columns that several views have, some of them reports of commands too. */
export const PAGE_VIEWS = metric('views', 'Views', ({ views }: { readonly views: number | null }) => views);
export const CLICKS = metric('clicks', 'Clicks', ({ clicks }: { readonly clicks: number | null }) => clicks);
export const CONVERSIONS = metric(
  'conversions',
  'Customers',
  (row: { readonly conversions: number | null }) => row.conversions,
);
export const PAYMENTS = metric(
  'payments',
  'Payments',
  (row: { readonly payments: number | null }) => row.payments,
);
export const CURRENCY = exported(
  'currency',
  ({ currency }: { readonly currency: string | null }) => currency,
);

/** A row with an amount; K is its name. */
type Priced<K extends string> = { readonly [key in K]: number | null } & { readonly currency: string | null };

export const APPROVED = money('approved', 'Approved', ({ approved }: Priced<'approved'>) => approved);
export const PAID = money('paid', 'Paid', ({ paid }: Priced<'paid'>) => paid);
export const PENDING = money('pending', 'Pending', ({ pending }: Priced<'pending'>) => pending);
export const REVERSED = money('reversed', 'Reversed', ({ reversed }: Priced<'reversed'>) => reversed);
export const EPC = money('epc', 'A click', ({ epc }: Priced<'epc'>) => epc, { format: 'price' });
/** A moment (ms since 1970) in ISO 8601. */
export const formatTimeCell = (time: number | null) => (time === null ? null : new Date(time).toISOString());

/** Builds the exported table of rows. */
export function buildTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[]) {
  const named = columns.filter(({ exportName }) => exportName !== null);
  return {
    columns: named.map(({ exportName }) => exportName ?? ''),
    rows: rows.map((row) => named.map(({ text }) => text(row))),
  };
}

/** Builds the exported table of rows that are read page by page, each when the one before was sent. */
export function buildPagedTable<Row>(
  pages: AsyncIterable<readonly Row[]>,
  columns: readonly Column<Row>[],
): ExportTable {
  async function* buildRows() {
    for await (const page of pages) yield* buildTable(page, columns).rows;
  }
  return { columns: buildTable([], columns).columns, rows: buildRows() };
}

/** The sort of a query if one of the columns has it, else a usual one. */
export function getSort<Row>(
  sort: ConsoleSort | null,
  columns: readonly Column<Row>[],
  usual: string,
): ConsoleSort {
  const isKnown = columns.some((column) => column.key === sort?.column && column.sort !== null);
  return sort !== null && isKnown ? sort : { column: usual, isDescending: true };
}

/** Sorts rows by a column; what is not known is last in either direction, equal rows are in the order of `compare`. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { column: key, isDescending }: ConsoleSort,
  compare: (one: Row, other: Row) => number,
): Row[] {
  const sign = isDescending ? -1 : 1;
  const getValue = columns.find((column) => column.key === key)?.sort ?? (() => null);
  return [...rows].sort((one, other) => {
    const [first, second] = [getValue(one), getValue(other)];
    if (first === second) return compare(one, other);
    if (first === null || second === null) return first === null ? 1 : -1;
    return first < second ? -sign : sign;
  });
}

/** Rows of one page of a list. */
export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** Rows on all pages. */
  readonly total: number;
  /** From 1. */
  readonly page: number;
  readonly pages: number;
}

/** The name of the parameter; `page` is a filter. */
export const LIST_PAGE_PARAMETER = 'p';
const ROWS_PER_PAGE = 50;

/** The number of a page, from 1; 1 for anything that is no number of a page. */
export function parseListPage(parameters: URLSearchParams): number {
  const text = parameters.get(LIST_PAGE_PARAMETER) ?? '';
  return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1;
}

/** The page of a list of which only so many rows are read; the last page when the number is too high. */
export function locateListPage(total: number, parameters: URLSearchParams, limit = ROWS_PER_PAGE) {
  const pages = Math.max(1, Math.ceil(total / limit));
  const page = Math.min(parseListPage(parameters), pages);
  return { place: { total, page, pages }, rows: { offset: (page - 1) * limit, limit } };
}

/** The rows of a page; the last page when the number is too high. */
export function buildListPage<Row>(
  rows: readonly Row[],
  parameters: URLSearchParams,
  rowsPerPage = ROWS_PER_PAGE,
): ListPage<Row> {
  const { place, rows: own } = locateListPage(rows.length, parameters, rowsPerPage);
  return { ...place, rows: rows.slice(own.offset, own.offset + own.limit) };
}
