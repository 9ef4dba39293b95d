import { Interval } from '../charts/charts.tsx';
import type { ConsoleFrame } from '../console-page.ts';
import { buildConsoleAddress } from '../figures/addresses.ts';
import type { BreakdownRow } from '../figures/breakdown.ts';
import { formatColumnShare, formatMoney, formatNumber, NO_FIGURE } from '../figures/format.ts';
import type { ListPage } from '../figures/list-page.ts';
import { buildMetricColumn, ListPager, type TableColumn } from './data-table.tsx';
import { MoneyAmount } from './figures.tsx';

type ColumnKey = keyof ReturnType<typeof buildColumns>;

/** Columns of pages, placements and campaigns, in the order of `keys`. */
export function buildBreakdownColumns<Row extends BreakdownRow>(
  keys: readonly ColumnKey[],
  { currency, maxEpc = 0 }: { readonly currency: string; readonly maxEpc?: number },
): readonly TableColumn<Row>[] {
  const columns = buildColumns<Row>(currency, maxEpc);
  return keys.map((key) => columns[key]);
}

function buildColumns<Row extends BreakdownRow>(currency: string, maxEpc: number) {
  const column = buildMetricColumn<Row>;
  const formatCount = (count: number | null) => (count === null ? NO_FIGURE : formatNumber(count));
  const format = (amount: number | null) => (amount === null ? NO_FIGURE : formatMoney(amount, currency));
  const money = (kind: 'approved' | 'pending' | 'expected' | 'reversed', name: string) =>
    column(kind, name, (row) => <MoneyAmount amount={row[kind]} currency={currency} kind={kind} />);
  return {
    views: column('views', 'Views', ({ views }) => formatCount(views)),
    clicks: column('clicks', 'Clicks', ({ clicks }) => formatCount(clicks)),
    clickRate: column('clickRate', 'Click rate', ({ clickRate }) => formatColumnShare(clickRate)),
    conversions: column('conversions', 'Conv.', ({ conversions }) => formatNumber(conversions)),
    certain: column('epc', 'EPC', (row) => <RankedEpc row={row} currency={currency} maxEpc={maxEpc} />, {
      key: 'certain',
      isDrawn: maxEpc > 0,
      onPhone: 'lead',
    }),
    epc: column('epc', 'EPC', ({ epc }) => format(epc)),
    rpm: column('rpm', 'RPM', ({ rpm }) => format(rpm)),
    approved: money('approved', 'Approved'),
    pending: money('pending', 'Pending'),
    expected: money('expected', 'Expected'),
    /** The same where nothing is ranked and it is the figure that leads on phones. */
    leadingExpected: { ...money('expected', 'Expected'), onPhone: 'lead' },
    reversed: money('reversed', 'Reversed'),
    needed: {
      key: 'needed',
      name: 'Still needed',
      isNumeric: true,
      isSortable: false,
      onPhone: 'lead-unnamed',
      render: ({ ranked }) => describeNeed(ranked),
    },
  } satisfies Readonly<Record<string, TableColumn<Row>>>;
}

/** The earnings of a click so far, with the interval in which they are expected to be. */
function RankedEpc(props: {
  readonly row: BreakdownRow;
  readonly currency: string;
  readonly maxEpc: number;
}) {
  const { row, currency, maxEpc } = props;
  const { ranked, epc } = row;
  const figure = epc === null ? NO_FIGURE : formatMoney(epc, currency);
  if (maxEpc === 0) return figure;
  const known = ranked?.isKnown === true ? ranked : null;
  return (
    <span className="ranked">
      <span>
        {figure}
        {known !== null && (
          <small>
            forecast {formatMoney(known.low, currency)} – {formatMoney(known.high, currency)}
          </small>
        )}
      </span>
      {/* Without an interval its room stays empty, so that the figures of a column are below each other. */}
      {known === null ? <span className="interval-room" /> : <Interval {...known} max={maxEpc} />}
    </span>
  );
}

/** Beyond this many clicks, waiting is no plan. */
const MAX_CLICKS_NAMED = 20_000;

function describeNeed(ranked: BreakdownRow['ranked']): string {
  if (ranked === null) return 'a first click';
  const { mean, clicksNeeded } = ranked;
  // Without any commission to go by, there is no rate that could turn conversions into clicks.
  if (mean === 0) return 'a first conversion';
  if (clicksNeeded === 0) return 'more time';
  if (clicksNeeded >= MAX_CLICKS_NAMED) return `over ${formatNumber(MAX_CLICKS_NAMED)} more clicks`;
  // One digit and a half are as exact as this estimate is: 5, 10, 15 … 95, 100, 150.
  const size = Math.max(5, 10 ** Math.floor(Math.log10(clicksNeeded)) / 2);
  return `about ${formatNumber(Math.ceil(clicksNeeded / size) * size)} more clicks`;
}

/** Links to the other pages of a breakdown. Those of a share link stay at its address. */
export function BreakdownPager(props: {
  readonly view: 'pages' | 'placements' | 'campaigns';
  readonly list: Omit<ListPage<unknown>, 'rows'>;
  readonly frame: ConsoleFrame;
}) {
  const { view, list, frame } = props;
  const { page, pages, total } = list;
  const target =
    frame.viewer.kind === 'share'
      ? { path: '', parameters: '' }
      : { path: buildConsoleAddress(view), parameters: frame.parameters };
  return (
    <ListPager name={view === 'pages' ? 'pages of the site' : view} {...{ page, pages, total }} {...target} />
  );
}

interface CountedRow {
  readonly clicks: number;
  readonly conversions: number;
}

/** The columns of tables whose rows have both counts. */
export const COUNT_COLUMNS = [
  buildMetricColumn<CountedRow>('clicks', 'Clicks', ({ clicks }) => formatNumber(clicks)),
  buildMetricColumn<CountedRow>('conversions', 'Conversions', ({ conversions }) => formatNumber(conversions)),
];
