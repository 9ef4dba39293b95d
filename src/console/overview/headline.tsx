import type { ReactNode } from 'react';
import { getBooked, getEarned } from '../../core/commissions/metric-definitions.ts';
import { describePlacement } from '../../core/outbound/placement.ts';
import { Sparkline } from '../charts/charts.tsx';
import { useFrame, type ViewProps } from '../console-page.ts';
import { buildRankedCells, buildSumCells } from '../frame/breakdown-columns.tsx';
import { MetricName, MoneyAmount, MoneyText } from '../frame/cells.tsx';
import { DataTable, showColumns, type TableColumn } from '../frame/data-table.tsx';
import { FilterLink, PageNameCell } from '../frame/links.tsx';
import { VerdictCell } from '../frame/verdict.tsx';
import { addFilter, buildConsoleAddress, buildRowsAddress } from '../reports/addresses.ts';
import {
  BREAKDOWN_COLUMNS,
  type BreakdownRow,
  type PlacementRow,
  type RankedPage,
} from '../reports/breakdown.ts';
import type { MetricKey } from '../reports/columns.ts';
import type { Change, NoChange, PeriodComparison } from '../reports/comparison.ts';
import {
  formatChange,
  formatDay,
  formatMoney,
  formatNumber,
  formatPeriod,
  formatRoughShare,
  formatShare,
  formatShortMoney,
  formatTime,
  NO_FIGURE,
} from '../reports/format.ts';
import { CLOCK_NAMES } from '../reports/names.ts';
import { type ConsoleQuery, NO_VALUE } from '../reports/query.ts';
import type { Verdict } from '../reports/verdicts.ts';
import type { readOverview } from './read.ts';

type OverviewModel = Awaited<ReturnType<typeof readOverview>>;
type TopProps = ViewProps<OverviewModel>;

/** The figures of the period with their change and their trend: the states of money, then what follows from them. */
export function HeadlineFigures({ model }: TopProps) {
  return (
    <>
      <ul className="figures" aria-label="Figures of the period">
        <MoneyFigures model={model} />
        <ClickFigures model={model} />
      </ul>
      <ComparisonNote model={model} />
    </>
  );
}

/** The states of money, and what is expected of it. */
function MoneyFigures({ model: { figures, currency, buckets, clock, compared } }: TopProps) {
  const { query, viewer } = useFrame();
  const money = (amount: number) => formatShortMoney(amount, currency);
  const decided = getEarned(figures) + figures.reversed;
  const confirmed = getEarned(figures);
  const openRows = (kind: 'confirmed' | 'pending' | 'reversed' | 'expected' | 'paid') =>
    viewer.kind !== 'share' && { ...figures, confirmed }[kind] !== 0
      ? buildRowsAddress(query, currency, kind)
      : null;
  const paidRows = openRows('paid');
  return (
    <>
      <HeadlineFigure
        metric="confirmed"
        clock={clock}
        value={money(confirmed)}
        href={openRows('confirmed')}
        series={buckets.map(getEarned)}
      >
        <ChangeNote change={compared?.changes.confirmed} format={money} />
        {figures.paid !== 0 && (
          <small className="block">
            of it paid{' '}
            {paidRows === null ? money(figures.paid) : <a href={paidRows}>{money(figures.paid)}</a>}
          </small>
        )}
      </HeadlineFigure>
      <HeadlineFigure
        metric="pending"
        clock={clock}
        value={money(figures.pending)}
        href={openRows('pending')}
        series={buckets.map(({ pending }) => pending)}
      >
        <ChangeNote change={compared?.changes.pending} format={money} />
      </HeadlineFigure>
      <HeadlineFigure
        metric="reversed"
        clock={clock}
        value={
          figures.reversed === 0 ? (
            money(0)
          ) : (
            <MoneyAmount amount={figures.reversed} currency={currency} kind="reversed" isShort />
          )
        }
        href={openRows('reversed')}
        series={buckets.map(({ reversed }) => reversed)}
        isBad={figures.reversed > 0}
      >
        {decided > 0
          ? `${formatShare(figures.reversed / decided)} of what was decided`
          : 'nothing decided yet'}
      </HeadlineFigure>
      <HeadlineFigure
        metric="expected"
        clock={clock}
        value={money(figures.expected)}
        href={openRows('expected')}
        series={buckets.map(getBooked)}
      >
        <ChangeNote change={compared?.changes.expected} format={money} />
      </HeadlineFigure>
    </>
  );
}

/** The clicks, what one earned, and how much money found its click. */
function ClickFigures({ model }: TopProps) {
  const { query, viewer } = useFrame();
  const { figures, currency, buckets, clock, compared } = model;
  const isOpen = viewer.kind !== 'share';
  const places = isOpen ? buildConsoleAddress('placements', { ...query, currency, sort: null }) : null;
  const missing = buildRowsAddress(addFilter(query, 'page', NO_VALUE), currency, 'expected');
  const formatEpc = (amount: number) => formatMoney(amount, currency);
  return (
    <>
      <HeadlineFigure
        metric="clicks"
        value={figures.clicks === null ? NO_FIGURE : formatNumber(figures.clicks)}
        href={figures.clicks === null ? null : places}
        series={figures.clicks === null ? [] : buckets.map(({ clicks }) => clicks ?? 0)}
      >
        {figures.clicks !== null && <ChangeNote change={compared?.changes.clicks} format={formatNumber} />}
      </HeadlineFigure>
      <HeadlineFigure
        metric="epc"
        clock="click"
        value={figures.epc === null ? NO_FIGURE : formatEpc(figures.epc)}
        href={figures.epc === null ? null : places}
        series={figures.epc === null ? [] : model.epcs}
      >
        {figures.epc !== null && <ChangeNote change={compared?.changes.epc} format={formatEpc} />}
        {figures.epc !== null && figures.labelled !== 0 && (
          <small className="block">
            without {formatShortMoney(figures.labelled, currency)} by tracking id
          </small>
        )}
      </HeadlineFigure>
      <HeadlineFigure
        metric="matchRate"
        clock={clock}
        value={formatShare(figures.matchRate)}
        href={isOpen && figures.unmatched !== 0 ? missing : null}
        series={[]}
      >
        {figures.matchRate !== null &&
          (figures.unmatchedCount === 0
            ? 'everything found its click'
            : `${formatShortMoney(figures.unmatched, currency)} without a click`)}
      </HeadlineFigure>
    </>
  );
}

function HeadlineFigure(props: {
  readonly metric: MetricKey;
  /** The day by which its money is counted; left out for what is not money. */
  readonly clock?: ConsoleQuery['clock'];
  readonly value: ReactNode;
  /** Where the rows are that it sums; null where there is nothing to open. */
  readonly href: string | null;
  readonly series: readonly number[];
  readonly isBad?: boolean;
  readonly children: ReactNode;
}) {
  const { metric, clock, value, href, series, isBad = false, children } = props;
  const text = typeof value === 'string' ? <MoneyText text={value} /> : value;
  return (
    <li className={isBad ? 'figure figure-bad' : 'figure'}>
      <MetricName metric={metric} />
      <small className="text-muted">
        {clock === undefined ? '\u00a0' : `by ${CLOCK_NAMES[clock].toLowerCase()}`}
      </small>
      <b className="figure-value">
        {href === null ? (
          text
        ) : (
          <a className="filter-link" href={href}>
            {text}
          </a>
        )}
      </b>
      <span className="flex-1">{children}</span>
      <Sparkline values={series} width={104} />
    </li>
  );
}

const NO_CHANGE_TEXTS: Readonly<Record<NoChange, string>> = {
  'no-data': 'no earlier data',
  unknown: 'no comparison',
  immature: 'too early to compare',
  running: 'the day is not over',
};

/**
 * How a figure changed, and whether that may be chance: the direction is a sign and a word, and the color says no more
 * than they do. Left out: there is no comparison.
 */
function ChangeNote(props: {
  readonly change: Change | NoChange | undefined;
  readonly format: (amount: number) => string;
}) {
  const { change, format } = props;
  if (change === undefined) return null;
  if (typeof change === 'string') return NO_CHANGE_TEXTS[change];
  const { now, before, isChance } = change;
  if (now === before) return `as before, ${format(before)}`;
  const share = formatChange(now, before);
  const directionClass = now > before ? 'change text-positive' : 'change text-danger';
  const changeClass = isChance === false ? directionClass : 'change';
  return (
    <>
      {share !== null && <span className={changeClass}>{share}</span>} from {format(before)}
      {isChance === null ? ', cannot be told yet' : isChance ? ', may be chance' : ', beyond chance'}
    </>
  );
}

/** What the figures are compared with, and why some have no change. */
function ComparisonNote({ model }: { readonly model: OverviewModel }) {
  const { compared, buckets, timeZone } = model;
  if (compared === null) return null;
  const { range, asOf, isRunning, moneyBegins, eventsBegin, arrivedShare, changes } = compared;
  const today = buckets.at(-1)?.to;
  const period = formatPeriod(range.from, range.to, today);
  const reasons = new Set(Object.values(changes));
  const isCompared = Object.values(changes).some((change) => typeof change !== 'string');
  const isUntold = Object.values(changes).some(
    (change) => typeof change !== 'string' && change.isChance === null,
  );
  const notes = [
    ...(isCompared
      ? [`Compared with ${period} as it stood on ${formatTime(asOf, timeZone)}, at the same age.`]
      : []),
    ...(isUntold
      ? ['Whether a change is chance cannot be told without eight weeks of data before both periods.']
      : []),
    ...(isCompared && isRunning
      ? ['Clicks and what one earns are compared without today, which is not over.']
      : []),
    ...describeBeginning({ moneyBegins, eventsBegin }),
    ...(reasons.has('immature') && arrivedShare !== null
      ? [
          `About ${formatRoughShare(arrivedShare)} of the money of these clicks has usually arrived by now, too little to compare it.`,
        ]
      : []),
    ...(reasons.has('unknown')
      ? [`What had arrived of ${period} by ${formatTime(asOf, timeZone)} is not known.`]
      : []),
  ];
  return <p className="text-muted text-small pt-[.4rem]">{notes.join(' ')}</p>;
}

function describeBeginning({
  moneyBegins,
  eventsBegin,
}: {
  readonly moneyBegins: PeriodComparison['moneyBegins'];
  readonly eventsBegin: PeriodComparison['eventsBegin'];
}): readonly string[] {
  if (moneyBegins !== null && moneyBegins === eventsBegin)
    return [`There are no earlier data: they begin on ${formatDay(moneyBegins, '')}.`];
  return [
    ...(moneyBegins === null
      ? []
      : [`There is no earlier money: it begins on ${formatDay(moneyBegins, '')}.`]),
    ...(eventsBegin === null
      ? []
      : [`There are no earlier clicks: they begin on ${formatDay(eventsBegin, '')}.`]),
  ];
}

const PAGE_FIGURES = 'views clicks clickRate epc certain approved paid pending reversed rpm'.split(' ');

/** The pages whose clicks earn most with some certainty. */
export function TopPages({ model }: TopProps) {
  const { pages, unknownPages, pageCount } = model;
  const rows = pages.length > 0 ? pages : unknownPages;
  const columns: readonly TableColumn<RankedPage>[] = [
    { name: 'Page', render: ({ key }) => <PageNameCell page={key} /> },
    ...showColumns<BreakdownRow>(
      BREAKDOWN_COLUMNS,
      { ...buildRankedCells(model.maxEpc), ...buildSumCells('page') },
      PAGE_FIGURES,
    ),
  ];
  return (
    <>
      <DataTable
        caption="Pages that earn most per click"
        columns={columns}
        rows={rows}
        getKey={({ key }) => key}
        empty="No page was clicked on in this period."
      />
      {pages.length > 0 && pageCount > pages.length && unknownPages.length > 0 && (
        <p className="empty-note">
          <b>Not known yet:</b>{' '}
          {unknownPages
            .map(({ title, key, clicks }) => `${title ?? key} (${formatNumber(clicks ?? 0)} clicks)`)
            .join(' · ')}
        </p>
      )}
    </>
  );
}

const PLACEMENT_FIGURES = ['clicks', 'epc', 'expected'];

/** The places of links that earn most. */
export function TopPlacements({ model }: TopProps) {
  const sums = buildSumCells('placement');
  const columns: readonly TableColumn<PlacementRow>[] = [
    {
      name: 'Place on the page',
      render: ({ key, place, page, title }) => (
        <>
          <FilterLink view="placements" dimension="placement" value={key}>
            {describePlacement(place)}
          </FilterLink>
          <small>{title ?? page}</small>
        </>
      ),
    },
    ...showColumns<BreakdownRow>(
      BREAKDOWN_COLUMNS,
      // Its explanation begins beside it: the name stays in one line.
      { epc: { name: 'Per\u00a0click so\u00a0far' }, expected: { render: sums.expected, onPhone: 'lead' } },
      PLACEMENT_FIGURES,
    ),
  ];
  return (
    <DataTable
      caption="Places that earn most"
      columns={columns}
      rows={model.placements}
      getKey={({ key }) => key}
      empty="No link was clicked in this period."
    />
  );
}

/** The campaigns that earn most. */
export function TopCampaigns({
  model,
  verdicts,
}: TopProps & { readonly verdicts: ReadonlyMap<string, Verdict> }) {
  const sums = buildSumCells('campaign');
  const columns: readonly TableColumn<BreakdownRow>[] = [
    {
      name: 'Source / medium / campaign',
      render: ({ key }) => (
        <>
          <FilterLink view="campaigns" dimension="campaign" value={key} />
          {verdicts.has(key) && <VerdictCell verdict={verdicts.get(key)} />}
        </>
      ),
    },
    ...showColumns<BreakdownRow>(
      BREAKDOWN_COLUMNS,
      {
        ...sums,
        paid: { render: sums.paid, onPhone: 'hidden' },
        expected: { render: sums.expected, onPhone: 'lead' },
      },
      ['clicks', 'paid', 'expected'],
    ),
  ];
  return (
    <DataTable
      caption="Campaigns that earn most"
      columns={columns}
      rows={model.campaigns}
      getKey={({ key }) => key}
      empty="No campaign in this period."
    />
  );
}
