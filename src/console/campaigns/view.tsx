import { Fragment } from 'react';
import { sumProfits } from '../../core/commissions/cost/campaign-cost.ts';
import { useFrame, type ViewProps } from '../console-page.ts';
import {
  BreakdownPager,
  buildRankedCells,
  buildSumCells,
  buildTotalCells,
  selectRow,
} from '../frame/breakdown-columns.tsx';
import { MoneyAmount, MoneyText, PaymentsNote } from '../frame/cells.tsx';
import { Block, DataTable, showColumns, TableBlock } from '../frame/data-table.tsx';
import { ActionForm, CurrencyField, Submit, TextField } from '../frame/forms.tsx';
import { CsvLink, FilterLink, OpenAmount, OperatorLink } from '../frame/links.tsx';
import { BookedLine, VerdictCell, VerdictSentence } from '../frame/verdict.tsx';
import { UncountedNote } from '../pages/view.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { getMaxEpc } from '../reports/breakdown.ts';
import {
  formatDay,
  formatMoney,
  formatNumber,
  formatPeriod,
  formatRoughShare,
  formatShortMoney,
  NO_FIGURE,
} from '../reports/format.ts';
import { CLOCK_NAMES, MODEL_NAMES } from '../reports/names.ts';
import {
  CAMPAIGN_COLUMNS,
  type CampaignRow,
  type JudgedCampaign,
  PROFIT_COLUMNS,
  type readCampaigns,
} from './read.ts';

type CampaignsModel = Awaited<ReturnType<typeof readCampaigns>>;

type Props = ViewProps<CampaignsModel>;

/** Campaigns under the chosen credit model, with first and last touch side by side. */
export function CampaignsView({ model }: Props) {
  const { rows, sort, areClicksCounted, sum, unmatched, labelled } = model;
  const columns = buildColumns(model);
  const name = `All ${formatNumber(model.total)} campaigns`;
  const basis = `${MODEL_NAMES[model.model]} and ${CLOCK_NAMES[useFrame().query.clock]}`.toLowerCase();
  return (
    <>
      {!areClicksCounted && <UncountedNote />}
      {model.only !== null && <VerdictSentence verdict={model.only.verdict} />}
      <BookedLine booked={model.booked} />
      <ProfitBlock model={model} />
      <Block
        title="Source / medium / campaign"
        note={`Money by ${basis}; clicks by the campaign that they arrived with.`}
        links={<CsvLink />}
      >
        <DataTable
          caption="Campaigns by what they earn, the first campaign of a visit against the last"
          columns={columns}
          rows={rows}
          getKey={({ key }) => key}
          sort={sort}
          footer={buildTotalCells({ columns, total: sum, name, unmatched, labelled })}
          empty="No visit and no money in this period."
        />
        <BreakdownPager list={model} />
      </Block>
      <CostDetail model={model} />
      {model.canChange && <CostForm model={model} />}
    </>
  );
}

/** What campaigns cost and what they bring for it. */
function ProfitBlock({ model }: Props) {
  const { query, viewer } = useFrame();
  const { profits, otherCosts, areCostsShown, currency, isForecastKnown } = model;
  if (!areCostsShown)
    return (
      <Block title="Cost and profit" id="costs">
        <p className="empty-note">
          A cost belongs to a whole campaign: with filters by page, place, partner, answer, status or visits
          it is not shown.
        </p>
      </Block>
    );
  const others = Object.entries(otherCosts);
  return (
    <Block
      title="What ads bring"
      id="costs"
      note={`In ${currency}, by the day of the click. ${isForecastKnown ? FORECAST : NO_FORECAST}`}
      links={
        viewer.kind === 'operator' && (
          <a href={buildConsoleAddress('import', {}, { rest: ['costs'] })}>Imported costs</a>
        )
      }
    >
      <DataTable
        caption="Campaigns that cost something, losing ones first"
        columns={PROFIT_CELLS}
        rows={profits}
        getKey={({ campaign }) => campaign}
        {...(profits.length > 1 && { footer: buildFooter(profits) })}
        empty={`No cost in ${currency} is known in this period.`}
      />
      {others.length > 0 && (
        <div className="form-row">
          <p className="form-note">
            Also spent, in no figure here:{' '}
            {others.map(([code, amount], index) => (
              <Fragment key={code}>
                {index > 0 && ', '}
                <OperatorLink
                  href={`${buildConsoleAddress('campaigns', { ...query, currency: code })}#costs`}
                >
                  {formatMoney(amount, code)}
                </OperatorLink>
              </Fragment>
            ))}
            .
          </p>
        </div>
      )}
    </Block>
  );
}

const FORECAST =
  'In the end: once the clicks are six months old, in 8 of 10 cases. While less than half of the money has arrived, there is ' +
  'no single figure. Verdicts are about the last 28 full days.';
const NO_FORECAST =
  'What comes in the end is known from 20 customers on whose clicks are older than six months.';

const PROFIT_CELLS = showColumns<JudgedCampaign>(PROFIT_COLUMNS, {
  name: {
    isSortable: false,
    render: ({ campaign }) => <FilterLink view="campaigns" dimension="campaign" value={campaign} />,
  },
  verdict: { isSortable: false, render: ({ verdict }) => <VerdictCell verdict={verdict} /> },
  visits: { isSortable: false },
  cost: { isSortable: false, render: (row) => <Cost row={row} /> },
  expected: { isSortable: false, render: (row) => <Expected row={row} /> },
  profit: { isSortable: false, render: (row) => <FinalProfit row={row} /> },
  breakEven: { isSortable: false, render: (row) => <BreakEven row={row} /> },
  perVisit: { isSortable: false },
});

/** A cost, with its first day where nothing is known of the days before it. */
function Cost({ row: { cost, costSince, currency } }: { readonly row: JudgedCampaign }) {
  const { from } = useFrame().query;
  // A month begins before the period or in it.
  const isPartial = costSince > from && !from.startsWith(costSince);
  const since = costSince.length === 7 ? `${costSince}-01` : costSince;
  return (
    <>
      <MoneyAmount amount={cost} currency={currency} />{' '}
      {isPartial && <small className="range">known since {formatDay(since, from)}</small>}
    </>
  );
}

/** Expected money, with that in other currencies, which the profit leaves out. */
function Expected({ row: { expected, otherMoney, currency } }: { readonly row: JudgedCampaign }) {
  const others = Object.entries(otherMoney);
  return (
    <>
      <MoneyAmount amount={expected} currency={currency} kind="expected" />{' '}
      {others.length > 0 && (
        <small>
          not in the profit: {others.map(([code, amount]) => formatMoney(amount, code)).join(', ')}
        </small>
      )}
    </>
  );
}

/** The profit in the end, with what it is so far; while less than half of the money has arrived it is hatched, and says how much has. */
function FinalProfit({ row }: { readonly row: JudgedCampaign }) {
  const { finalProfit, profit, arrived, currency } = row;
  const [low, high] = [finalProfit?.low ?? 0, finalProfit?.high ?? 0].map((amount) =>
    formatShortMoney(amount, currency),
  );
  return (
    <>
      {finalProfit === null ? (
        <span className="no-figure">{NO_FIGURE}</span>
      ) : (
        <span className={profit === null ? 'unripe' : undefined}>
          <MoneyText text={low ?? ''} />
          {low !== high && (
            <>
              {' – '}
              <MoneyText text={high ?? ''} />
            </>
          )}
        </span>
      )}
      {profit !== null ? (
        <small>{formatMoney(profit, currency)} so far</small>
      ) : (
        finalProfit !== null && arrived !== null && <small>{formatRoughShare(arrived)} has arrived</small>
      )}
    </>
  );
}

/** The most that a visit may cost, with its range. */
function BreakEven({ row: { breakEven, currency } }: { readonly row: JudgedCampaign }) {
  if (breakEven === null) return NO_FIGURE;
  const [low, mean, high] = [breakEven.low, breakEven.mean, breakEven.high].map((amount) =>
    formatMoney(amount, currency),
  );
  return (
    <>
      <MoneyText text={mean ?? ''} />{' '}
      <small className="range">
        ({low} – {high})
      </small>
    </>
  );
}

function buildFooter(profits: readonly JudgedCampaign[]) {
  const [sum] = sumProfits(profits, () => 'All with a cost');
  if (sum === undefined) return [];
  const all = { ...sum, verdict: null };
  return PROFIT_CELLS.map(({ key, render }) =>
    key === 'name' ? sum.campaign : key === 'verdict' ? '' : render(all),
  );
}

/** The cost of one campaign by day, week or month. */
function CostDetail({ model }: Props) {
  const { costDetail, currency } = model;
  if (costDetail === null) return null;
  const { campaign, unit, buckets } = costDetail;
  const highest = buckets.reduce((most, { amount }) => Math.max(most, amount), 1);
  return (
    <TableBlock
      title={`Cost by ${unit}`}
      note={campaign}
      caption={`The cost of ${campaign} by ${unit}`}
      columns={[
        { name: UNIT_NAMES[unit], render: ({ from, to }) => formatPeriod(from, to) },
        {
          name: 'Cost',
          isNumeric: true,
          render: ({ amount }) => <MoneyAmount amount={amount} currency={currency} />,
        },
        {
          name: 'Share of the highest',
          onPhone: 'hidden',
          render: ({ amount }) => <CostBar share={amount / highest} />,
        },
      ]}
      rows={buckets}
      getKey={({ from }) => from}
    />
  );
}

const UNIT_NAMES = { day: 'Day', week: 'Week', month: 'Month' } as const;

function CostBar({ share }: { readonly share: number }) {
  const width = 160;
  return (
    <svg viewBox={`0 0 ${width} 14`} width={width} height="14" aria-hidden="true" focusable="false">
      <rect className="touch-first" x="0" y="3" width={Math.max(0, Math.round(share * width))} height="8" />
    </svg>
  );
}

/** The form with which an operator says what a campaign cost in a month or on a day. */
function CostForm({ model }: Props) {
  const { names, currency, costDetail } = model;
  return (
    <Block
      title="Type in a cost"
      note="It replaces what was typed in for the same campaign and month or day."
    >
      <ActionForm of="set-cost" className="form-grid">
        <TextField
          label="Campaign, as the reports name it"
          name="campaign"
          required
          list="cost-campaigns"
          maxLength={400}
          defaultValue={costDetail?.campaign}
          placeholder="google / cpc / brand"
        />
        <TextField
          label="Month or day"
          name="period"
          required
          pattern="\d{4}-\d{2}(-\d{2})?"
          placeholder="2026-11"
          defaultValue={useFrame().query.to.slice(0, 7)}
        />
        <TextField
          label="Cost"
          name="amount"
          required
          inputMode="decimal"
          pattern="\d+(\.\d+)?"
          placeholder="412.50"
        />
        <CurrencyField label="Currency" required defaultValue={currency} />
        <p className="form-note">A month is divided equally among its days.</p>
        <Submit>Store the cost</Submit>
        <datalist id="cost-campaigns">
          {names.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </ActionForm>
    </Block>
  );
}

const SHOWN =
  'name sessions clicks conversions epc certain approved paid pending expected reversed touches'.split(' ');

function buildColumns({ highest, rows }: CampaignsModel) {
  const sums = buildSumCells('campaign');
  return showColumns<CampaignRow>(
    CAMPAIGN_COLUMNS,
    {
      name: ({ key, contents }) => (
        <>
          <FilterLink view="campaigns" dimension="campaign" value={key} />
          {contents.length > 0 && <small>{describeContents(contents)}</small>}
        </>
      ),
      ...sums,
      conversions: (row) => <Conversions row={row} />,
      expected: { render: sums.expected, onPhone: 'lead' },
      certain: { render: buildRankedCells(getMaxEpc(rows)).certain, onPhone: 'rest' },
      touches: (row) => <FirstAgainstLast row={row} highest={highest} />,
    },
    SHOWN,
  );
}

function Conversions({ row }: { readonly row: CampaignRow }) {
  const { conversions, payments } = row;
  const query = { ...selectRow(useFrame().query, 'campaign', row), sort: null };
  if (conversions + payments === 0) return formatNumber(0);
  return (
    <>
      <OperatorLink href={buildConsoleAddress('commissions', query)}>
        {formatNumber(conversions)}
        <span className="hidden-text"> with their commissions</span>
      </OperatorLink>
      <PaymentsNote payments={payments} />
    </>
  );
}

/** What one end of the journey would give a campaign, leading to the commissions under that model. */
function TouchAmount({ row, model }: { readonly row: CampaignRow; readonly model: 'first' | 'last' }) {
  const query = selectRow({ ...useFrame().query, model }, 'campaign', row);
  const { currency } = row;
  const amount = row[model];
  return (
    <OpenAmount query={query} amount={amount} currency={currency} kind="expected">
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
function FirstAgainstLast({ row, highest }: { readonly row: CampaignRow; readonly highest: number }) {
  const { first, last } = row;
  return (
    <span className="touches">
      <TouchBars first={first} last={last} highest={highest} />
      <small>
        <TouchAmount row={row} model="first" /> – <TouchAmount row={row} model="last" />
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
    <svg viewBox="0 0 74 14" width="74" height="14" aria-hidden="true" focusable="false">
      <rect className="touch-first" x={half - getLength(first)} y="3" width={getLength(first)} height="8" />
      <rect className="fill-ink" x={half + 2} y="3" width={getLength(last)} height="8" />
      <line className="stroke-line" x1={half + 1} x2={half + 1} y1="0" y2="14" />
    </svg>
  );
}
