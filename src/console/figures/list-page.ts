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
export const ROWS_PER_PAGE = 50;

/** The number of a page, from 1; 1 for anything that is no number of a page. */
export function parseListPage(parameters: URLSearchParams): number {
  const text = parameters.get(LIST_PAGE_PARAMETER) ?? '';
  return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1;
}

/** How many pages a number of rows takes; at least 1. */
export function countListPages(rows: number, rowsPerPage = ROWS_PER_PAGE): number {
  return Math.max(1, Math.ceil(rows / rowsPerPage));
}

/** The rows of a page; the last page when the number is too high. */
export function buildListPage<Row>(
  rows: readonly Row[],
  wanted: number,
  rowsPerPage = ROWS_PER_PAGE,
): ListPage<Row> {
  const pages = countListPages(rows.length, rowsPerPage);
  const page = Math.min(wanted, pages);
  return {
    rows: rows.slice((page - 1) * rowsPerPage, page * rowsPerPage),
    total: rows.length,
    page,
    pages,
  };
}
