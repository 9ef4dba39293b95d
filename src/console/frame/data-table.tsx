import { Fragment, type ReactNode } from 'react';
import { useFrame } from '../console-page.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { type Column, type ColumnLook, LIST_PAGE_PARAMETER, type ListPage } from '../reports/columns.ts';
import { formatColumnShare, formatMoney, formatNumber, NO_FIGURE } from '../reports/format.ts';
import type { ConsoleSort } from '../reports/query.ts';
import { MetricName, MoneyAmount, MoneyText } from './cells.tsx';

/** A column of a table on screen. The first one names the row. */
export interface TableColumn<Row> extends ColumnLook {
  readonly render: (row: Row) => ReactNode;
}

/** What a view changes about a column: its cells, or how it looks. */
type ColumnChange<Row> = ((row: Row) => ReactNode) | Partial<TableColumn<Row>>;

/**
 * Builds the columns of a table on screen from those that were declared: all that are not exported only, or those with
 * the keys, in their order. `changes` has cells by key where they show more than their figure or text.
 */
export function showColumns<Row>(
  columns: readonly Column<Row>[],
  changes: Readonly<Record<string, ColumnChange<Row>>> = {},
  keys: readonly string[] = columns.filter(({ isShown }) => isShown !== false).map(({ key }) => key),
): readonly TableColumn<Row>[] {
  return keys.map((key) => {
    const column = columns.find((one) => one.key === key);
    if (column === undefined) throw new RangeError(`There is no column ${key}.`);
    const { name, metric, isNumeric, onPhone, sort } = column;
    const change = changes[key] ?? {};
    return {
      key,
      name,
      isNumeric: isNumeric ?? false,
      isSortable: sort !== null,
      ...(metric && { metric }),
      ...(onPhone && { onPhone }),
      render: (row) => renderCell(column, row),
      ...(typeof change === 'function' ? { render: change } : change),
    };
  });
}

function renderCell<Row>({ key, text, figure, format, currency }: Column<Row>, row: Row): ReactNode {
  if (figure === undefined) return text(row);
  const value = figure(row);
  const code = currency?.(row) ?? null;
  switch (format) {
    case 'money':
      return <MoneyAmount amount={value} currency={code} kind={MONEY_KINDS.find((kind) => kind === key)} />;
    case 'price':
      return value === null ? NO_FIGURE : <MoneyText text={formatMoney(value, code ?? '')} />;
    case 'share':
      return formatColumnShare(value);
    default:
      return value === null ? NO_FIGURE : formatNumber(value);
  }
}

const MONEY_KINDS = ['approved', 'paid', 'pending', 'expected', 'reversed'] as const;

/** A table with no more columns fits on a phone as it is. */
const MAX_FIXED_COLUMNS = 4;
/** A table with more columns needs the window of a laptop for its rows. */
const MAX_NARROW_COLUMNS = 6;
interface TableProps<Row> {
  /** What the rows are; read out, and printed. */
  readonly caption: string;
  /** `false` is a column that this operator does not see. */
  readonly columns: readonly (TableColumn<Row> | false)[];
  readonly rows: readonly Row[];
  readonly getKey: (row: Row) => string;
  /** How its rows are sorted; its headings are links. Null or left out: the order is fixed, as behind a share link. */
  readonly sort?: ConsoleSort | null;
  /** A row, where it is more than the cells of its columns. */
  readonly renderRow?: ((row: Row) => ReactNode) | undefined;
  /** The sum below the rows: one cell for each column. */
  readonly footer?: readonly ReactNode[];
  /** What is shown instead of rows when there is no row. */
  readonly empty?: ReactNode;
}

/** A table of the console. On narrow screens every row becomes a block of two lines. */
export function DataTable<Row>(props: TableProps<Row>) {
  const { caption, rows, getKey, sort = null, renderRow, footer, empty } = props;
  const columns = props.columns.filter((column) => column !== false);
  if (rows.length === 0) return <p className="empty-note">{empty}</p>;
  const renderCells = (renderCell: (column: TableColumn<Row>, index: number) => ReactNode) => (
    <tr>
      {columns.map((column, index) => (
        <BodyCell key={column.key ?? column.name} column={column} isName={index === 0}>
          {showFigure(renderCell(column, index))}
        </BodyCell>
      ))}
    </tr>
  );
  return (
    <div className={getBoxClass(columns.length)}>
      <table className="data-table">
        <caption className="hidden-text">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <HeadCell
                key={column.key ?? column.name}
                column={column}
                sort={sort}
                isAtEnd={index >= Math.floor(columns.length / 2)}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Fragment key={getKey(row)}>
              {renderRow?.(row) ?? renderCells((column) => column.render(row))}
            </Fragment>
          ))}
        </tbody>
        {footer !== undefined && <tfoot>{renderCells((_, index) => footer[index])}</tfoot>}
      </table>
    </div>
  );
}

/** Rows on phones leave out what has no figure. */
const showFigure = (cell: ReactNode) =>
  cell === NO_FIGURE ? <span className="no-figure">{NO_FIGURE}</span> : cell;

function getBoxClass(columns: number): string {
  if (columns <= MAX_FIXED_COLUMNS) return 'short-table';
  return columns > MAX_NARROW_COLUMNS ? 'table-box wide-table' : 'table-box';
}

function HeadCell<Row>(props: {
  readonly column: TableColumn<Row>;
  readonly sort: ConsoleSort | null;
  /** Explains itself to the left. */
  readonly isAtEnd: boolean;
}) {
  const { column, sort, isAtEnd } = props;
  const { view, rest, parameters, viewer } = useFrame();
  const { key, name, metric, isNumeric = false, isSortable = true } = column;
  const common = {
    scope: 'col',
    'data-numeric': isNumeric || undefined,
    'data-phone': column.onPhone === 'hidden' ? 'hidden' : undefined,
    'data-label': name,
    'data-end': isAtEnd || undefined,
  } as const;
  if (sort === null || key === undefined || viewer.kind === 'share' || !isSortable) {
    const text = metric === undefined ? name : <MetricName metric={metric} name={name} />;
    return (
      <th {...common} data-fixed>
        {text}
      </th>
    );
  }
  const isSorted = sort.column === key;
  const isDescending = isSorted ? !sort.isDescending : isNumeric;
  // What else the address asks for stays, but for the page of the list.
  const asked = new URLSearchParams(parameters);
  asked.delete(LIST_PAGE_PARAMETER);
  asked.set('sort', `${isDescending ? '-' : ''}${key}`);
  const href = `${buildConsoleAddress(view, {}, { rest })}?${asked}`;
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
  readonly list: Omit<ListPage<unknown>, 'rows'>;
  /** Path and query of the list; both empty: only the page changes, at the same path. */
  readonly path: string;
  /** Those of the view when left out. */
  readonly parameters?: string;
}) {
  const frame = useFrame();
  const { name, path, parameters = frame.parameters } = props;
  const { page, pages, total } = props.list;
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

/** One line of a definition list. */
export const FactRow = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

interface BlockProps {
  readonly title: string;
  /** One sentence next to the title. */
  readonly note?: ReactNode;
  /** Links at the end of the title's line. */
  readonly links?: ReactNode;
  readonly id?: string;
  readonly className?: string;
}

/** A titled part of a view. */
export function Block(props: BlockProps & { readonly children: ReactNode }) {
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

/** A titled part of a view that is one table, whose caption is the title when none is given. */
export function TableBlock<Row>(
  props: BlockProps &
    Omit<TableProps<Row>, 'caption'> & { readonly caption?: string; readonly isBoxed?: true },
) {
  const table = <DataTable {...props} caption={props.caption ?? props.title} />;
  return <Block {...props}>{props.isBoxed ? <div className="table-box">{table}</div> : table}</Block>;
}
