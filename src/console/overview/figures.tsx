import type { ReactNode } from 'react';
import { getBooked, getEarned } from '../../core/commissions/metric-definitions.ts';
import { describePlacement } from '../../core/outbound/placement.ts';
import { Sparkline } from '../charts/charts.tsx';
import type { ViewProps } from '../console-page.ts';
import { addFilter, buildConsoleAddress, buildRowsAddress, type SumKind } from '../figures/addresses.ts';
import {
  BREAKDOWN_COLUMNS,
  type BreakdownRow,
  type PlacementRow,
  type RankedPage,
} from '../figures/breakdown.ts';
import type { MetricKey } from '../figures/columns.ts';
import {
  formatChange,
  formatMoney,
  formatNumber,
  formatPeriod,
  formatShare,
  formatShortMoney,
  NO_FIGURE,
} from '../figures/format.ts';
import { NO_VALUE } from '../figures/query.ts';
import { buildRankedCells, buildSumCells } from '../frame/breakdown-columns.tsx';
import { DataTable, showColumns, type TableColumn } from '../frame/data-table.tsx';
import { MetricName, MoneyAmount, MoneyText } from '../frame/figures.tsx';
import { FilterLink, PageNameCell } from '../frame/links.tsx';
import type { readOverview } from './read.ts';

type OverviewModel = Awaited<ReturnType<typeof readOverview>>;
type TopProps = ViewProps<OverviewModel>;

/** The figures of the period with their change and their trend: the states of money, then what follows from them. */
export function HeadlineFigures({ model, frame }: TopProps) {
  const { figures, currency, compared, buckets } = model;
  const { query } = frame;
  const before = compared?.figures;
  const money = (amount: number) => formatShortMoney(amount, currency);
  const decided = getEarned(figures) + figures.reversed;
  const epcs = buckets.map((bucket) => (bucket.clicks ? getBooked(bucket) / bucket.clicks : 0));
  // Less money from immature clicks is no bad news yet.
  const isFair = model.immatureShare === null;
  const isOpen = frame.viewer.kind !== 'share';
  const openRows = (kind: SumKind, amount: number) =>
    isOpen && amount !== 0 ? buildRowsAddress(query, currency, kind) : null;
  const places = isOpen ? buildConsoleAddress('placements', { ...query, currency, sort: null }) : null;
  const missing = buildRowsAddress(addFilter(query, 'page', NO_VALUE), currency, 'expected');
  return (
    <>
      <ul className="figures" aria-label="Figures of the period">
        {(['approved', 'paid', 'pending'] as const).map((kind) => (
          <HeadlineFigure
            key={kind}
            metric={kind}
            value={money(figures[kind])}
            href={openRows(kind, figures[kind])}
            series={buckets.map((bucket) => bucket[kind])}
          >
            <Change now={figures[kind]} before={before?.[kind]} format={money} isFair={isFair} />
          </HeadlineFigure>
        ))}
        <HeadlineFigure
          metric="reversed"
          value={
            figures.reversed === 0 ? (
              money(0)
            ) : (
              <MoneyAmount amount={figures.reversed} currency={currency} kind="reversed" isShort />
            )
          }
          href={openRows('reversed', figures.reversed)}
          series={buckets.map(({ reversed }) => reversed)}
          isBad={figures.reversed > 0}
        >
          {decided > 0 ? `${formatShare(figures.reversed / decided)} of decided` : 'nothing decided yet'}
        </HeadlineFigure>
        <HeadlineFigure
          metric="expected"
          value={money(figures.expected)}
          href={openRows('expected', figures.expected)}
          series={buckets.map(getBooked)}
        >
          <Change now={figures.expected} before={before?.expected} format={money} isFair={isFair} />
        </HeadlineFigure>
        <HeadlineFigure
          metric="clicks"
          value={figures.clicks === null ? NO_FIGURE : formatNumber(figures.clicks)}
          href={figures.clicks === null ? null : places}
          series={figures.clicks === null ? [] : buckets.map(({ clicks }) => clicks ?? 0)}
        >
          {figures.clicks !== null && (
            <Change now={figures.clicks} before={before?.clicks ?? undefined} format={formatNumber} />
          )}
        </HeadlineFigure>
        <HeadlineFigure
          metric="epc"
          value={figures.epc === null ? NO_FIGURE : formatMoney(figures.epc, currency)}
          href={figures.epc === null ? null : places}
          series={figures.epc === null ? [] : epcs}
        >
          {figures.epc !== null && (
            <Change
              now={figures.epc}
              before={before?.epc ?? undefined}
              format={(amount) => formatMoney(amount, currency)}
              isFair={isFair}
            />
          )}
        </HeadlineFigure>
        <HeadlineFigure
          metric="matchRate"
          value={formatShare(figures.matchRate)}
          href={isOpen && figures.unmatched !== 0 ? missing : null}
          series={[]}
        >
          {figures.matchRate !== null &&
            (figures.unmatchedCount === 0
              ? 'everything found its click'
              : `${money(figures.unmatched)} without a click`)}
        </HeadlineFigure>
      </ul>
      {compared !== null && (
        <p className="figures-note">
          Compared with {formatPeriod(compared.range.from, compared.range.to, buckets.at(-1)?.to)}
          {model.immatureShare !== null && ', whose clicks had more time to earn'}.
        </p>
      )}
    </>
  );
}

function HeadlineFigure(props: {
  readonly metric: MetricKey;
  readonly value: ReactNode;
  /** Where the rows are that it sums; null where there is nothing to open. */
  readonly href: string | null;
  readonly series: readonly number[];
  readonly isBad?: boolean;
  readonly children: ReactNode;
}) {
  const { metric, value, href, series, isBad = false, children } = props;
  const text = typeof value === 'string' ? <MoneyText text={value} /> : value;
  return (
    <li className={isBad ? 'figure figure-bad' : 'figure'}>
      <MetricName metric={metric} />
      <b className="figure-value">
        {href === null ? (
          text
        ) : (
          <a className="filter-link" href={href}>
            {text}
          </a>
        )}
      </b>
      <span className="figure-note">{children}</span>
      <Sparkline values={series} width={104} />
    </li>
  );
}

/** How a figure changed: the direction is a sign and a word, and the color says no more than they do. */
function Change(props: {
  readonly now: number;
  readonly before: number | undefined;
  readonly format: (amount: number) => string;
  /** Whether both periods had the same time to earn; without that the direction has no color. */
  readonly isFair?: boolean;
}) {
  const { now, before, format, isFair = true } = props;
  const change = before === undefined ? null : formatChange(now, before);
  if (before === undefined) return null;
  if (change === null) return now === 0 ? 'as before' : `from ${format(before)}`;
  const directionClass = now > before ? 'change change-up' : now < before ? 'change change-down' : 'change';
  const changeClass = isFair ? directionClass : 'change';
  return (
    <>
      <span className={changeClass}>{change}</span> from {format(before)}
    </>
  );
}

const PAGE_FIGURES = 'views clicks clickRate certain approved paid pending reversed rpm'.split(' ');

/** The pages whose clicks earn most with some certainty. */
export function TopPages({ model, frame }: TopProps) {
  const { pages, unknownPages, pageCount } = model;
  const rows = pages.length > 0 ? pages : unknownPages;
  const columns: readonly TableColumn<RankedPage>[] = [
    {
      key: 'name',
      name: 'Page',
      render: ({ key, title }) => <PageNameCell frame={frame} page={key} title={title} view="pages" />,
    },
    ...showColumns<BreakdownRow>(
      BREAKDOWN_COLUMNS,
      { ...buildRankedCells(model.maxEpc), ...buildSumCells(frame, 'page') },
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
export function TopPlacements({ model, frame }: TopProps) {
  const sums = buildSumCells(frame, 'placement');
  const columns: readonly TableColumn<PlacementRow>[] = [
    {
      key: 'name',
      name: 'Place on the page',
      render: ({ key, place, page, title }) => (
        <>
          <FilterLink view="placements" frame={frame} dimension="placement" value={key}>
            {describePlacement(place)}
          </FilterLink>
          <small>{title ?? page}</small>
        </>
      ),
    },
    ...showColumns<BreakdownRow>(
      BREAKDOWN_COLUMNS,
      { expected: { render: sums.expected, onPhone: 'lead' } },
      PLACEMENT_FIGURES,
    ),
  ];
  return (
    <DataTable
      caption="Placements that earn most"
      columns={columns}
      rows={model.placements}
      getKey={({ key }) => key}
      empty="No link was clicked in this period."
    />
  );
}

/** The campaigns that earn most. */
export function TopCampaigns({ model, frame }: TopProps) {
  const sums = buildSumCells(frame, 'campaign');
  const columns: readonly TableColumn<BreakdownRow>[] = [
    {
      key: 'name',
      name: 'Source / medium / campaign',
      render: ({ key }) => <FilterLink view="campaigns" frame={frame} dimension="campaign" value={key} />,
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
