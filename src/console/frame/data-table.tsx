import type { ReactNode } from 'react';
import type { ConsoleViewKey } from '../../core/console/console-view.ts';
import { buildConsoleAddress } from '../figures/addresses.ts';
import { formatNumber } from '../figures/format.ts';
import { LIST_PAGE_PARAMETER } from '../figures/list-page.ts';
import type { ConsoleQuery, ConsoleSort } from '../figures/query.ts';
import { type MetricKey, MetricName } from './figures.tsx';

/** A column of a table. The first one names the row. */
export interface TableColumn<Row> {
  /** What `sort=` has; unique in the table. */
  readonly key: string;
  readonly name: string;
  /** The metric whose definition the heading shows. */
  readonly metric?: MetricKey;
  readonly isNumeric?: boolean;
  /** false: the heading is no link. */
  readonly isSortable?: boolean;
  /**
   * On phones: `lead` is on the first line of a row, next to its name; `lead-unnamed` too, and says itself what it is;
   * `hidden` is left out.
   */
  readonly onPhone?: 'lead' | 'lead-unnamed' | 'hidden';
  /** A drawing is on the right of the figures: the heading stays above them. */
  readonly isDrawn?: boolean;
  readonly render: (row: Row) => ReactNode;
}

/** A column of figures whose heading shows the definition of their metric. */
export function buildMetricColumn<Row>(
  metric: MetricKey,
  name: string,
  render: (row: Row) => ReactNode,
  others: Partial<Pick<TableColumn<Row>, 'key' | 'onPhone' | 'isDrawn'>> = {},
): TableColumn<Row> {
  return { key: metric, name, metric, isNumeric: true, render, ...others };
}

/** A table with no more columns fits on a phone as it is. */
const MAX_FIXED_COLUMNS = 4;

/** A table of the console. On narrow screens every row becomes a block of two lines. */
export function DataTable<Row>(props: {
  /** What the rows are; read out, and printed. */
  readonly caption: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly getKey: (row: Row) => string;
  /** Address of the table: its headings sort by links. Null or left out: the order is fixed. */
  readonly sorting?: {
    readonly view: ConsoleViewKey;
    readonly query: ConsoleQuery;
    readonly sort: ConsoleSort;
  } | null;
  /** The sum below the rows: one cell for each column. */
  readonly footer?: readonly ReactNode[];
  /** What is shown instead of rows when there is no row. */
  readonly empty?: ReactNode;
}) {
  const { caption, columns, rows, getKey, sorting = null, footer, empty } = props;
  if (rows.length === 0) return <p className="empty-note">{empty}</p>;
  return (
    <div className={columns.length > MAX_FIXED_COLUMNS ? 'table-box' : undefined}>
      <table className="data-table">
        <caption className="hidden-text">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeadCell key={column.key} column={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={getKey(row)}>
              {columns.map((column, index) => (
                <BodyCell key={column.key} column={column} isName={index === 0}>
                  {column.render(row)}
                </BodyCell>
              ))}
            </tr>
          ))}
        </tbody>
        {footer !== undefined && (
          <tfoot>
            <tr>
              {columns.map((column, index) => (
                <BodyCell key={column.key} column={column} isName={index === 0}>
                  {footer[index]}
                </BodyCell>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}

function HeadCell<Row>(props: {
  readonly column: TableColumn<Row>;
  readonly sorting: NonNullable<Parameters<typeof DataTable>[0]['sorting']> | null;
}) {
  const { column, sorting } = props;
  const { key, name, metric, isNumeric = false, isSortable = true } = column;
  const common = {
    scope: 'col',
    'data-numeric': isNumeric || undefined,
    'data-drawn': column.isDrawn || undefined,
    'data-phone': column.onPhone === 'hidden' ? 'hidden' : undefined,
    'data-label': name,
  } as const;
  if (sorting === null || !isSortable) {
    const text = metric === undefined ? name : <MetricName metric={metric} name={name} />;
    return (
      <th {...common} data-fixed>
        {text}
      </th>
    );
  }
  const { view, query, sort } = sorting;
  const isSorted = sort.column === key;
  const isDescending = isSorted ? !sort.isDescending : isNumeric;
  const href = buildConsoleAddress(view, { ...query, sort: { column: key, isDescending } });
  const order = sort.isDescending ? 'descending' : 'ascending';
  return (
    <th {...common} aria-sort={isSorted ? order : undefined}>
      {metric === undefined ? (
        <a className="sort-link" href={href}>
          {name}
        </a>
      ) : (
        <MetricName metric={metric} name={name} href={href} />
      )}
    </th>
  );
}

function BodyCell<Row>(props: {
  readonly column: TableColumn<Row>;
  readonly isName: boolean;
  readonly children: ReactNode;
}) {
  const { column, isName, children } = props;
  if (isName) return <th scope="row">{children}</th>;
  return (
    <td data-numeric={column.isNumeric || undefined} data-phone={column.onPhone} data-label={column.name}>
      {children}
    </td>
  );
}

/** Links to the pages of a list; nothing when it has one page. */
export function ListPager(props: {
  /** What is listed, in the plural. */
  readonly name: string;
  readonly page: number;
  readonly pages: number;
  readonly total: number;
  /** Path and query of the list; both empty: only the page changes, at the same path. */
  readonly path: string;
  readonly parameters: string;
}) {
  const { name, page, pages, total, path, parameters } = props;
  if (pages <= 1) return null;
  const build = (number: number) => {
    const query = new URLSearchParams(parameters);
    if (number === 1) query.delete(LIST_PAGE_PARAMETER);
    else query.set(LIST_PAGE_PARAMETER, String(number));
    return query.size === 0 && path !== '' ? path : `${path}?${query}`;
  };
  return (
    <nav className="pager" aria-label={`Pages of ${name}`}>
      {page > 1 && (
        <a href={build(page - 1)} rel="prev">
          ‹ Previous
        </a>
      )}
      <span>
        Page {formatNumber(page)} of {formatNumber(pages)}, {formatNumber(total)} {name}
      </span>
      {page < pages && (
        <a href={build(page + 1)} rel="next">
          Next ›
        </a>
      )}
    </nav>
  );
}

/** A titled part of a view. */
export function Block(props: {
  readonly title: string;
  /** One sentence next to the title. */
  readonly note?: ReactNode;
  /** Links at the end of the title's line. */
  readonly links?: ReactNode;
  readonly id?: string;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  const { title, note, links, id, className, children } = props;
  return (
    <section className={className === undefined ? 'block' : `block ${className}`} id={id}>
      <header className="block-head">
        <h2>{title}</h2>
        {note !== undefined && <p>{note}</p>}
        {links !== undefined && <div className="block-links">{links}</div>}
      </header>
      {children}
    </section>
  );
}
