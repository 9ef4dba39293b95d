import type { ConsoleFrame, ViewProps } from '../console-page.ts';
import { addFilter, buildConsoleAddress } from '../figures/addresses.ts';
import { getMaxEpc, TOTAL_KEY } from '../figures/breakdown.ts';
import { formatNumber, formatShortMoney } from '../figures/format.ts';
import { CLOCK_NAMES, MODEL_NAMES } from '../figures/names.ts';
import { NO_VALUE } from '../figures/query.ts';
import {
  BreakdownPager,
  buildRankedCells,
  buildSumCells,
  buildTotalCells,
} from '../frame/breakdown-columns.tsx';
import { Block, DataTable, showColumns } from '../frame/data-table.tsx';
import { MoneyText, PaymentsNote } from '../frame/figures.tsx';
import { CsvLink, FilterLink, OpenAmount, OperatorLink } from '../frame/links.tsx';
import { UncountedNote } from '../pages/view.tsx';
import { CAMPAIGN_COLUMNS, type CampaignRow, type readCampaigns } from './read.ts';

type CampaignsModel = Awaited<ReturnType<typeof readCampaigns>>;

/** Campaigns under the chosen credit model, with first and last touch side by side. */
export function CampaignsView({ model, frame }: ViewProps<CampaignsModel>) {
  const { rows, sort, areClicksCounted, sum, unmatched } = model;
  const columns = buildColumns(model, frame);
  const name = `All ${formatNumber(model.total)} campaigns`;
  return (
    <>
      {!areClicksCounted && <UncountedNote />}
      <Block
        title="Source / medium / campaign"
        note={`Money by ${MODEL_NAMES[model.model].toLowerCase()} and ${CLOCK_NAMES[frame.query.clock].toLowerCase()}; clicks by the campaign that they arrived with.`}
        links={<CsvLink frame={frame} />}
      >
        <DataTable
          caption="Campaigns by what they earn, first touch against last touch"
          columns={columns}
          rows={rows}
          getKey={({ key }) => key}
          sorting={frame.viewer.kind === 'share' ? null : { view: 'campaigns', query: frame.query, sort }}
          footer={buildTotalCells({ columns, total: sum, name, unmatched, frame })}
          empty="No visit and no money in this period."
        />
        <BreakdownPager view="campaigns" list={model} frame={frame} />
      </Block>
    </>
  );
}

const SHOWN =
  'name sessions clicks conversions epc certain approved paid pending expected reversed touches'.split(' ');

function buildColumns({ highest, rows }: CampaignsModel, frame: ConsoleFrame) {
  const sums = buildSumCells(frame, 'campaign');
  return showColumns<CampaignRow>(
    CAMPAIGN_COLUMNS,
    {
      name: ({ key, contents }) => (
        <>
          <FilterLink view="campaigns" frame={frame} dimension="campaign" value={key} />
          {contents.length > 0 && <small>{describeContents(contents)}</small>}
        </>
      ),
      ...sums,
      conversions: (row) => <Conversions row={row} frame={frame} />,
      expected: { render: sums.expected, onPhone: 'lead' },
      certain: { render: buildRankedCells(getMaxEpc(rows)).certain, onPhone: 'rest' },
      touches: (row) => <FirstAgainstLast row={row} highest={highest} frame={frame} />,
    },
    SHOWN,
  );
}

function Conversions({ row, frame }: { readonly row: CampaignRow; readonly frame: ConsoleFrame }) {
  const { key, conversions, payments } = row;
  if (conversions + payments === 0) return formatNumber(0);
  const isTotal = key === TOTAL_KEY;
  const query = { ...addFilter(frame.query, 'campaign', isTotal ? NO_VALUE : key, isTotal), sort: null };
  return (
    <>
      <OperatorLink frame={frame} href={buildConsoleAddress('journeys', query)}>
        {formatNumber(conversions)}
        <span className="hidden-text"> with their journeys</span>
      </OperatorLink>
      <PaymentsNote payments={payments} />
    </>
  );
}

/** What one end of the journey would give a campaign, leading to the commissions under that model. */
function TouchAmount(props: {
  readonly row: CampaignRow;
  readonly model: 'first' | 'last';
  readonly frame: ConsoleFrame;
}) {
  const { row, model, frame } = props;
  const isTotal = row.key === TOTAL_KEY;
  const query = addFilter({ ...frame.query, model }, 'campaign', isTotal ? NO_VALUE : row.key, isTotal);
  const { currency } = row;
  const amount = row[model];
  return (
    <OpenAmount frame={frame} query={query} amount={amount} currency={currency} kind="expected">
      <MoneyText text={formatShortMoney(amount, currency)} />
    </OpenAmount>
  );
}

const MAX_CONTENTS = 4;

function describeContents(contents: CampaignRow['contents']): string {
  const shown = contents.slice(0, MAX_CONTENTS).map(({ name, clicks }) => `${name} ${formatNumber(clicks)}`);
  const more = contents.length - shown.length;
  return `Clicks by content: ${shown.join(', ')}${more > 0 ? `, ${more} more` : ''}`;
}

/** What a campaign began and what it finished, drawn above the two amounts. */
function FirstAgainstLast(props: {
  readonly row: CampaignRow;
  readonly highest: number;
  readonly frame: ConsoleFrame;
}) {
  const { row, highest, frame } = props;
  const { first, last } = row;
  return (
    <span className="touches">
      <TouchBars first={first} last={last} highest={highest} />
      <small>
        <TouchAmount row={row} model="first" frame={frame} /> –{' '}
        <TouchAmount row={row} model="last" frame={frame} />
      </small>
    </span>
  );
}

/** Two bars from one axis: what a campaign began to the left, what it finished to the right. */
function TouchBars(props: { readonly first: number; readonly last: number; readonly highest: number }) {
  const { first, last, highest } = props;
  const half = 36;
  const getLength = (amount: number) => Math.round((Math.max(0, amount) / highest) * half * 10) / 10;
  return (
    <svg
      className="touch-bars"
      viewBox="0 0 74 14"
      width="74"
      height="14"
      aria-hidden="true"
      focusable="false"
    >
      <rect className="touch-first" x={half - getLength(first)} y="3" width={getLength(first)} height="8" />
      <rect className="touch-last" x={half + 2} y="3" width={getLength(last)} height="8" />
      <line className="interval-scale" x1={half + 1} x2={half + 1} y1="0" y2="14" />
    </svg>
  );
}
