import type { ReactNode } from 'react';
import { useFrame } from '../console-page.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import type { Column } from '../reports/columns.ts';
import type { Earned, EarnedRow, EarnedTable, Money } from '../reports/earned.ts';
import {
  formatCount,
  formatMoney,
  formatNumber,
  formatRoughShare,
  formatShortMoney,
  NO_FIGURE,
} from '../reports/format.ts';
import type { ConsoleSort } from '../reports/query.ts';
import { MoneyText } from './cells.tsx';
import { DataTable, showColumns } from './data-table.tsx';
import { OperatorLink } from './links.tsx';

const LIST = new Intl.ListFormat('en-US');

/** An amount with what other currencies have: `$94,245 and €2,205`, and no zero beside another. */
export function formatAmounts(amounts: readonly Money[]): string {
  const some = amounts.filter(({ amount }) => amount !== 0);
  const shown = some.length > 0 ? some : amounts.slice(0, 1);
  return LIST.format(shown.map(({ currency, amount }) => formatShortMoney(amount, currency)));
}

/** The amounts of something that was earned, that of the totals first. */
export const listAmounts = (earned: Earned, currency: string): readonly Money[] => [
  ...(earned.earned === 0 && earned.others.length > 0 ? [] : [{ currency, amount: earned.earned }]),
  ...earned.others,
];

/** What was earned, with its parts that are confirmed and pending as a bar below it, and other currencies. */
export function EarnedAmount(props: {
  readonly row: EarnedRow;
  readonly href?: string | undefined;
  readonly hasBar?: boolean;
}) {
  const { row, href, hasBar = false } = props;
  const { earned, confirmed, pending, currency, others } = row;
  if (earned === 0 && others.length === 0) return <span className="no-figure">{NO_FIGURE}</span>;
  const text = <MoneyText text={formatMoney(earned, currency)} />;
  const parts = `${formatMoney(confirmed, currency)} confirmed, ${formatMoney(pending, currency)} pending`;
  const share = earned <= 0 ? 0 : Math.min(1, Math.max(0, confirmed / earned));
  return (
    <>
      <b>{href === undefined ? text : <OperatorLink href={href}>{text}</OperatorLink>}</b>
      {hasBar && earned > 0 && (
        <svg
          className="block h-1 w-20 mt-1 ml-auto phone:ml-0"
          viewBox="0 0 100 4"
          preserveAspectRatio="none"
          aria-label={parts}
        >
          <title>{parts}</title>
          <rect className="fill-positive-wash stroke-positive stroke-1" width="100" height="4" />
          <rect className="fill-positive" width={Math.round(share * 100)} height="4" />
        </svg>
      )}
      {others.map((other) => (
        <small key={other.currency}>{formatMoney(other.amount, other.currency)}</small>
      ))}
    </>
  );
}

/** A line below the rows of a table of what was earned. */
interface ExtraRow {
  readonly key: string;
  readonly name: ReactNode;
  readonly row: EarnedRow;
}

interface Props {
  readonly caption: string;
  readonly columns: readonly Column<EarnedRow>[];
  readonly rows: readonly EarnedRow[];
  readonly table: Pick<EarnedTable, 'total' | 'noClick' | 'byLabel' | 'currency'>;
  readonly name: (row: EarnedRow) => ReactNode;
  /** Where the rows of an amount are. */
  readonly toHref?: (row: EarnedRow) => string | undefined;
  /** What is between the rows and the last lines: the sum of what is not listed. */
  readonly extra?: readonly ExtraRow[];
  readonly sort?: ConsoleSort | null;
  readonly empty: ReactNode;
  /** Whether what is confirmed and pending is drawn below each amount. */
  readonly hasBars?: boolean;
  /** The cells of columns that only this table has. */
  readonly cells?: Readonly<Record<string, (row: EarnedRow) => ReactNode>>;
  /** The name of the last line; `All` when left out. */
  readonly totalName?: string;
}

/** A table of what was earned: its rows and the lines below them add up to the last one. */
export function EarnedRows(props: Props) {
  const {
    caption,
    columns,
    rows,
    table,
    name,
    toHref,
    extra = [],
    sort = null,
    empty,
    totalName = 'All',
    cells = {},
  } = props;
  const { total, noClick, byLabel, currency } = table;
  const uncounted = (key: string, own: Earned): EarnedRow => ({
    key,
    currency,
    ...own,
    views: null,
    clicks: null,
    click: null,
  });
  const has = (own: Earned) => own.earned !== 0 || own.others.length > 0;
  const lines: readonly ExtraRow[] = [
    ...extra,
    ...(has(byLabel)
      ? [{ key: 'by label', name: 'By an id of the network', row: uncounted('by label', byLabel) }]
      : []),
    ...(has(noClick)
      ? [{ key: 'no click', name: <NoClick noClick={noClick} />, row: uncounted('no click', noClick) }]
      : []),
    { key: 'total', name: totalName, row: total },
  ];
  const names = new Map(lines.map((line) => [line.row, line.name]));
  const shown = showColumns(columns, {
    ...cells,
    name: (row) => names.get(row) ?? name(row),
    earned: (row) => (
      <EarnedAmount
        row={row}
        href={names.has(row) ? undefined : toHref?.(row)}
        hasBar={props.hasBars ?? false}
      />
    ),
    customers: (row) =>
      row.key === 'no click' || row.key === 'by label' ? NO_FIGURE : formatNumber(row.customers),
    click: (row) =>
      row.click === null || row === total ? (
        <span className="no-figure" title={row === total ? undefined : 'Fewer than 50 clicks'}>
          {row === total ? '' : NO_FIGURE}
        </span>
      ) : (
        formatMoney(row.click, row.currency)
      ),
  });
  if (rows.length === 0 && !has(total) && !total.clicks && !total.views)
    return <p className="empty-note">{empty}</p>;
  return (
    <DataTable
      caption={caption}
      columns={shown}
      rows={[...rows, ...lines.slice(0, -1).map(({ row }) => row)]}
      getKey={({ key }) => key}
      sort={sort}
      footer={shown.map(({ render }) => render(total))}
    />
  );
}

/** Money without a known click, and where it is matched. */
function NoClick({ noClick }: { readonly noClick: Earned }) {
  const count = formatCount(noClick.count, 'commission');
  return (
    <>
      No click known
      <small>
        {count}, on the day each was reported:{' '}
        <OperatorLink href={buildConsoleAddress('unmatched')}>match them</OperatorLink>
      </small>
    </>
  );
}

/** Says that most of the money of a range is still to come; nothing for other ranges. */
export function YoungNote({
  arrived,
  isYoung,
}: {
  readonly arrived: number | null;
  readonly isYoung: boolean;
}) {
  const { view, query } = useFrame();
  if (!isYoung || arrived === null) return null;
  return (
    <p className="form-note pb-[.8rem]">
      {arrived === 0
        ? 'It is too early to say what these clicks will bring.'
        : `About ${formatRoughShare(arrived)} of what these clicks will bring has arrived.`}{' '}
      {query.range !== '12mo' && (
        <>
          <OperatorLink href={buildConsoleAddress(view, { ...query, range: '12mo', sort: null })}>
            12 months compare {view === 'overview' ? 'pages' : view} fairly
          </OperatorLink>
          .
        </>
      )}
    </p>
  );
}
