import type { ReactNode } from 'react';
import type { Ranked } from '../../core/commissions/ranges/rank-by-earnings.ts';
import { Interval } from '../charts/charts.tsx';
import { useFrame } from '../console-page.ts';
import { addFilter, buildConsoleAddress, type SumKind } from '../reports/addresses.ts';
import { type BreakdownRow, TOTAL_KEY } from '../reports/breakdown.ts';
import type { ListPage } from '../reports/columns.ts';
import { formatMoney, formatNumber, NO_FIGURE } from '../reports/format.ts';
import type { CreditDimension } from '../reports/period-figures.ts';
import { type ConsoleQuery, NO_VALUE } from '../reports/query.ts';
import { MoneyText, PaymentsNote } from './cells.tsx';
import { ListPager, type TableColumn } from './data-table.tsx';
import { OpenAmount, OperatorLink } from './links.tsx';

/** The cells of a ranked breakdown: expected earnings per click with their range, on a scale that ends at `maxEpc`. */
export const buildRankedCells = (maxEpc: number) => ({
  certain: (row: BreakdownRow) => <ExpectedEpc ranked={row.ranked} currency={row.currency} maxEpc={maxEpc} />,
});

/** Customers, and how often they paid later, leading to their commissions. */
function Conversions(props: { readonly row: BreakdownRow; readonly dimension: CreditDimension }) {
  const { row, dimension } = props;
  const query = selectRow(useFrame().query, dimension, row);
  return (
    <OpenAmount query={query} amount={row.conversions + row.payments} currency={row.currency} kind="expected">
      {formatNumber(row.conversions)}
      <PaymentsNote payments={row.payments} />
    </OpenAmount>
  );
}

/** The query for the commissions of a row of a breakdown. The row of all has no key. */
export function selectRow(query: ConsoleQuery, dimension: CreditDimension, { key }: BreakdownRow) {
  return key === TOTAL_KEY ? addFilter(query, dimension, NO_VALUE, true) : addFilter(query, dimension, key);
}

/** A sum of money that leads to the commissions of its row. */
function SumCell(props: {
  readonly row: BreakdownRow;
  readonly dimension: CreditDimension;
  readonly kind: Exclude<SumKind, 'unknown' | 'confirmed'>;
}) {
  const { row, dimension, kind } = props;
  const query = selectRow(useFrame().query, dimension, row);
  return <OpenAmount query={query} amount={row[kind]} currency={row.currency} kind={kind} />;
}

/** The cells of sums of money and of the customers who brought it. */
export function buildSumCells(dimension: CreditDimension) {
  const build = (kind: Exclude<SumKind, 'unknown' | 'confirmed'>) => (row: BreakdownRow) => (
    <SumCell row={row} dimension={dimension} kind={kind} />
  );
  return {
    conversions: (row: BreakdownRow) => <Conversions row={row} dimension={dimension} />,
    approved: build('approved'),
    paid: build('paid'),
    pending: build('pending'),
    expected: build('expected'),
    reversed: build('reversed'),
  };
}

/**
 * The cells below a breakdown: the sums of all of its rows, with the money that no row has beside their name. Columns that
 * say something about one row alone have no sum: those without a key, and the touches.
 */
export function buildTotalCells<Row extends { readonly currency: string }>(props: {
  readonly columns: readonly TableColumn<Row>[];
  readonly total: Row;
  /** What is summed: `All 12 pages`. */
  readonly name: ReactNode;
  readonly unmatched: number;
  /** Money that an id of a network gives to pages. */
  readonly labelled?: number;
}): readonly ReactNode[] {
  const { columns, total, name, unmatched, labelled = 0 } = props;
  return columns.map((column, index) =>
    index > 0 ? (
      column.key !== undefined && column.key !== 'touches' && column.render(total)
    ) : (
      <>
        {name}
        {(unmatched !== 0 || labelled !== 0) && (
          <UnmatchedNote amount={unmatched + labelled} labelled={labelled} currency={total.currency} />
        )}
      </>
    ),
  );
}

function UnmatchedNote(props: {
  readonly amount: number;
  readonly labelled: number;
  readonly currency: string;
}) {
  const { amount, labelled, currency } = props;
  const { query: all } = useFrame();
  const query = addFilter(all, 'page', NO_VALUE);
  return (
    <small>
      without{' '}
      <OpenAmount query={query} amount={amount} currency={currency} kind="expected">
        {formatMoney(amount, currency)}
      </OpenAmount>{' '}
      that found no click
      {labelled !== 0 && (
        <>
          ,{' '}
          <OperatorLink href={`${buildConsoleAddress('pages', all)}#by-label`}>
            {formatMoney(labelled, currency)}
          </OperatorLink>{' '}
          of it by label
        </>
      )}
    </small>
  );
}

/** What a row needs to be ranked. */
export const NEEDED_COLUMN: TableColumn<BreakdownRow> = {
  name: 'Still needed',
  isNumeric: true,
  onPhone: 'lead-unnamed',
  render: ({ ranked }) => describeNeed(ranked),
};

/** The ends of a range are in one line up to this length. */
const MAX_IN_ONE_LINE = 7;

/** What a click is expected to earn, with the range of that figure, as text and drawn; `maxEpc` 0: as text alone. */
export function ExpectedEpc(props: {
  readonly ranked: Ranked | null;
  readonly currency: string;
  readonly maxEpc: number;
}) {
  const { ranked, currency, maxEpc } = props;
  if (ranked?.isKnown !== true) return <span className="no-figure">{NO_FIGURE}</span>;
  const { mean, low, high } = ranked;
  const format = (amount: number) => <MoneyText text={formatMoney(amount, currency)} />;
  return (
    <span className="ranked">
      {format(mean)}
      <small>
        {format(low)}
        {formatMoney(high, currency).length > MAX_IN_ONE_LINE ? ' – ' : '\u00a0–\u00a0'}
        {format(high)}
      </small>
      <SiteShare share={ranked.siteShare} />
      {maxEpc > 0 && <Interval low={low} mean={mean} high={high} max={maxEpc} />}
    </span>
  );
}

/** How much of a range is the site's average, where few conversions are known. */
const SiteShare = ({ share }: { readonly share: number | null | undefined }) =>
  share != null && <small>{Math.round(share * 100)}% taken from the site’s average</small>;

/** Beyond this many clicks, waiting is no plan. */
const MAX_CLICKS_NAMED = 20_000;

function describeNeed(ranked: BreakdownRow['ranked']): string {
  if (ranked === null) return 'a first click';
  const { mean, clicksNeeded } = ranked;
  // Without any commission to go by, there is no rate that could turn conversions into clicks.
  if (mean === 0) return 'a first customer';
  if (clicksNeeded === 0) return 'more time';
  if (clicksNeeded >= MAX_CLICKS_NAMED) return `over ${formatNumber(MAX_CLICKS_NAMED)} more clicks`;
  // One digit and a half are as exact as this estimate is: 5, 10, 15 … 95, 100, 150.
  const size = Math.max(5, 10 ** Math.floor(Math.log10(clicksNeeded)) / 2);
  return `about ${formatNumber(Math.ceil(clicksNeeded / size) * size)} more clicks`;
}

/** Links to the other pages of a breakdown. Those of a share link stay at its address. */
export function BreakdownPager({ list }: { readonly list: Omit<ListPage<unknown>, 'rows'> }) {
  const { view, viewer, parameters } = useFrame();
  const target =
    viewer.kind === 'share' ? { path: '', parameters: '' } : { path: buildConsoleAddress(view), parameters };
  return <ListPager name={view === 'pages' ? 'pages of the site' : view} list={list} {...target} />;
}
