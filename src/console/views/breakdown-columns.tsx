import type { BreakdownRow } from '../../core/console/build-breakdown.ts';
import { formatMoney, formatNumber, formatShare, NO_FIGURE } from '../../core/console/format-figures.ts';
import { Interval } from '../charts/interval.tsx';
import type { TableColumn } from '../data-table.tsx';
import { MoneyAmount } from '../money-amount.tsx';

type ColumnKey =
  | 'views'
  | 'clicks'
  | 'clickRate'
  | 'conversions'
  | 'certain'
  | 'epc'
  | 'rpm'
  | 'approved'
  | 'pending'
  | 'expected'
  | 'reversed'
  | 'needed';

const formatCount = (count: number | null) => (count === null ? NO_FIGURE : formatNumber(count));

/** Columns of pages, placements and campaigns, in the order of `keys`. */
export function buildBreakdownColumns<Row extends BreakdownRow>(
  keys: readonly ColumnKey[],
  { currency, maxEpc = 0 }: { readonly currency: string; readonly maxEpc?: number },
): readonly TableColumn<Row>[] {
  const money = (amount: number | null) => (amount === null ? NO_FIGURE : formatMoney(amount, currency));
  const columns: Readonly<Record<ColumnKey, TableColumn<Row>>> = {
    views: {
      key: 'views',
      name: 'Views',
      metric: 'views',
      isNumeric: true,
      render: ({ views }) => formatCount(views),
    },
    clicks: {
      key: 'clicks',
      name: 'Clicks',
      metric: 'clicks',
      isNumeric: true,
      render: ({ clicks }) => formatCount(clicks),
    },
    clickRate: {
      key: 'clickRate',
      name: 'Click rate',
      metric: 'clickRate',
      isNumeric: true,
      render: ({ clickRate }) => formatShare(clickRate),
    },
    conversions: {
      key: 'conversions',
      name: 'Conv.',
      metric: 'conversions',
      isNumeric: true,
      render: ({ conversions }) => formatNumber(conversions),
    },
    certain: {
      key: 'certain',
      name: 'EPC',
      metric: 'epc',
      isNumeric: true,
      isDrawn: maxEpc > 0,
      onPhone: 'lead',
      render: (row) => <RankedEpc row={row} currency={currency} maxEpc={maxEpc} />,
    },
    epc: { key: 'epc', name: 'EPC', metric: 'epc', isNumeric: true, render: ({ epc }) => money(epc) },
    rpm: {
      key: 'rpm',
      name: 'RPM',
      metric: 'rpm',
      isNumeric: true,
      render: ({ rpm }) => money(rpm),
    },
    approved: {
      key: 'approved',
      name: 'Approved',
      metric: 'approved',
      isNumeric: true,
      render: ({ approved }) => <MoneyAmount amount={approved} currency={currency} />,
    },
    pending: {
      key: 'pending',
      name: 'Pending',
      metric: 'pending',
      isNumeric: true,
      render: ({ pending }) => <MoneyAmount amount={pending} currency={currency} kind="pending" />,
    },
    expected: {
      key: 'expected',
      name: 'Expected',
      metric: 'expected',
      isNumeric: true,
      render: ({ expected }) => <MoneyAmount amount={expected} currency={currency} kind="expected" />,
    },
    reversed: {
      key: 'reversed',
      name: 'Reversed',
      metric: 'reversed',
      isNumeric: true,
      render: ({ reversed }) => <MoneyAmount amount={reversed} currency={currency} kind="reversed" />,
    },
    needed: {
      key: 'needed',
      name: 'Still needed',
      isNumeric: true,
      isSortable: false,
      onPhone: 'lead-unnamed',
      render: ({ ranked }) => describeNeed(ranked),
    },
  };
  return keys.map((key) => columns[key]);
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
