import { getShareRange, MIN_SHARED_ITEMS } from '../../core/commissions/credit/labels.ts';
import { isAllowed } from '../../core/console/capabilities.ts';
import { describePlacement } from '../../core/outbound/placement.ts';
import { Sparkline, TrendChart, WeekChart } from '../charts/charts.tsx';
import { useFrame, type ViewProps } from '../console-page.ts';
import { buildFileAddress } from '../content/file-address.ts';
import {
  BreakdownPager,
  buildRankedCells,
  buildSumCells,
  buildTotalCells,
  NEEDED_COLUMN,
} from '../frame/breakdown-columns.tsx';
import { MoneyAmount } from '../frame/cells.tsx';
import { Block, showColumns, TableBlock, type TableColumn } from '../frame/data-table.tsx';
import { CsvLink, FilterLink, PageNameCell, TitledPage } from '../frame/links.tsx';
import { BookedLine, VerdictSentence } from '../frame/verdict.tsx';
import {
  BREAKDOWN_COLUMNS,
  type BreakdownRow,
  getRangeOfViews,
  PAGE_COLUMNS,
  type PlacementRow,
  type RankedPage,
} from '../reports/breakdown.ts';
import { ROWS_PER_PAGE } from '../reports/columns.ts';
import {
  formatChosenPeriod,
  formatColumnShare,
  formatMoney,
  formatNumber,
  formatShortMoney,
  NO_FIGURE,
} from '../reports/format.ts';
import { CLOCK_NAMES } from '../reports/names.ts';
import type { ConsoleQuery } from '../reports/query.ts';
import { type JourneyShare, LABEL_COLUMNS, type PageDetail, type PageRow, type readPages } from './read.ts';

type PagesModel = Awaited<ReturnType<typeof readPages>>;

/** The ranking of pages: what a click on each of them earns, and how sure that is. */
export function PagesView({ model }: ViewProps<PagesModel>) {
  const { clock } = useFrame().query;
  const { rows, unknownRows, unknownTotal, detail, isRanked, areClicksCounted, sum, unmatched, labelled } =
    model;
  if (detail !== null) return <PageDetailBlocks detail={detail} model={model} />;
  const known = [...buildColumns(model, KNOWN), SPARKLINE_COLUMN];
  const others = [...buildColumns(model, UNKNOWN), NEEDED_COLUMN];
  const total = { ...sum, title: null, series: [] };
  const sums = { total, name: `All ${formatNumber(model.total)} pages`, unmatched, labelled };
  const order = isRanked ? ', ordered by what a click earns at least, in 9 of 10 cases' : '';
  return (
    <>
      {!areClicksCounted && <UncountedNote />}
      {(rows.length > 0 || model.page === 1) && (
        <TableBlock
          title={isRanked ? 'Known pages' : 'All pages'}
          note={`Money by ${CLOCK_NAMES[clock].toLowerCase()}${order}.`}
          links={<CsvLink />}
          caption="Pages by what their clicks earn"
          columns={known}
          rows={rows}
          getKey={({ key }) => key}
          sort={model.sort}
          empty={
            unknownRows.length > 0
              ? 'No page has enough clicks yet to be ranked.'
              : 'No page was viewed or earned anything in this period.'
          }
          {...(unknownRows.length === 0 && { footer: buildTotalCells({ columns: known, ...sums }) })}
        />
      )}
      {unknownRows.length > 0 && (
        <TableBlock
          title="Not known yet"
          note={describeUnknown(unknownTotal)}
          caption="Pages that cannot be ranked yet"
          columns={others}
          rows={unknownRows}
          getKey={({ key }) => key}
          footer={buildTotalCells({ columns: others, ...sums })}
        />
      )}
      <BreakdownPager list={model} />
      <LabelledMoney model={model} />
    </>
  );
}

/** Money that networks report without a click, by the ids that links of pages carry; nothing without any. */
function LabelledMoney({ model }: ViewProps<PagesModel>) {
  const { labels, unmatched, detail } = model;
  if (labels === null) return null;
  const rest = labels.rows.length - ROWS_PER_PAGE;
  const columns = showColumns(LABEL_COLUMNS, {
    page: ({ key, group }) => (group === '' ? <PageNameCell page={key} /> : group),
    by_share: (row) => {
      const { low, high } = getShareRange(row);
      return (
        <>
          <MoneyAmount amount={row.byShare} currency={row.currency} />
          {high > low && (
            <small>
              {formatMoney(low, row.currency)} – {formatMoney(high, row.currency)}
            </small>
          )}
        </>
      );
    },
  });
  const name = (
    <>
      All pages and groups
      {unmatched !== 0 && <small>without {formatMoney(unmatched, model.currency)} that found neither</small>}
    </>
  );
  return (
    <TableBlock
      title="Money by label"
      id="by-label"
      note={
        'By label: the id names one page. By share: divided among its pages by their clicks, with the range in 8 of 10 cases. ' +
        `In group: fewer than ${MIN_SHARED_ITEMS} items in a month are not divided.` +
        (rest > 0 ? ` ${formatNumber(rest)} more rows are in the CSV.` : '')
      }
      caption="Approved, paid and pending money by how its page is known"
      columns={columns}
      rows={labels.rows.slice(0, ROWS_PER_PAGE)}
      getKey={({ key, group }) => `${key} ${group}`}
      {...(detail === null && {
        footer: buildTotalCells({ columns, total: labels.total, name, unmatched: 0 }),
      })}
    />
  );
}

function describeUnknown(count: number): string {
  const pages = count === 1 ? '1 page has' : `${formatNumber(count)} pages have`;
  return `${pages} too few customers to rank. Young clicks need time; clicks still needed are on top of those already made.`;
}

/** Why clicks are missing. */
export function UncountedNote() {
  return (
    <p className="problem">
      Clicks are counted by page, placement and partner, or by campaign, but not by both at once: with these
      filters only money is shown.
    </p>
  );
}

const SPARKLINE_COLUMN: TableColumn<PageRow> = {
  name: 'Trend',
  isNumeric: true,
  onPhone: 'hidden',
  render: ({ series }) => <Sparkline values={series} />,
};

const KNOWN = 'name views clicks clickRate conversions epc certain rpm approved paid pending reversed'.split(
  ' ',
);
const UNKNOWN = 'name views clicks clickRate conversions epc rpm approved paid pending reversed'.split(' ');

/** Money for 1,000 views with its range in 8 of 10 cases by the day of the click, or the range alone, in gray. */
function ForViews({ row }: { readonly row: RankedPage }) {
  const { rpm, ranked, currency } = row;
  if (rpm === null) return <span className="no-figure">{NO_FIGURE}</span>;
  const range = getRangeOfViews(row);
  const ends = range && [range.low, range.high].map((end) => formatShortMoney(end, currency)).join(' – ');
  if (range?.isAlone) return <span className="unripe whitespace-normal">{ends}</span>;
  return (
    <>
      <span className={ranked?.isKnown === false ? 'unripe' : undefined}>{formatMoney(rpm, currency)}</span>
      {ends !== null && <small>{ends}</small>}
    </>
  );
}

function buildColumns({ maxEpc }: PagesModel, keys: readonly string[]) {
  const name = ({ key }: RankedPage) => <PageNameCell page={key} />;
  return showColumns<RankedPage>(
    PAGE_COLUMNS,
    { name, ...buildRankedCells(maxEpc), ...buildSumCells('page'), rpm: (row) => <ForViews row={row} /> },
    keys,
  );
}

/** One page: its placements, the campaigns that entered there, where earning readers came from and went. */
function PageDetailBlocks({ detail, model }: ViewProps<PagesModel> & { readonly detail: PageDetail }) {
  const { query, names } = useFrame();
  const { currency } = model;
  const figures = [...model.rows, ...model.unknownRows];
  return (
    <>
      <VerdictSentence verdict={detail.verdict} />
      <PageChange change={detail.change} />
      <BookedLine booked={detail.booked} />
      <TableBlock
        title={names.pages.get(detail.page) ?? detail.page}
        note={detail.page}
        links={<CsvLink />}
        className="pb-[.4rem]"
        caption={`Figures of ${detail.page}`}
        columns={buildFigureColumns(model, query)}
        rows={figures}
        getKey={({ key }) => key}
        empty="The page was not viewed and earned nothing in this period."
      />
      {detail.trend.length > 0 && (
        <Block title="Earnings per click" note="By the week of the click, or the month of longer periods.">
          <TrendChart points={detail.trend} currency={currency} annotations={detail.annotations} />
        </Block>
      )}
      <TableBlock
        title="Places on the page"
        note={detail.isInOrder ? 'In the order of the page.' : 'By clicks.'}
        caption={`Places of ${detail.page}`}
        columns={buildPlacementColumns(detail)}
        rows={detail.placements}
        getKey={({ key }) => key}
        empty="No link of this page was clicked in this period."
      />
      <LabelledMoney model={model} />
      <EarningVisits detail={detail} currency={currency} />
    </>
  );
}

/** The clicks of 13 weeks, what happened, why they may have fallen, and where that is repaired. */
function PageChange({ change }: { readonly change: PageDetail['change'] }) {
  const { weeks, usual, events, reasons, places, now, before, file } = change;
  const { viewer } = useFrame();
  const isEditor = viewer.kind === 'operator' && isAllowed(viewer, 'content');
  const fell = `${formatNumber(before.clicks)} clicks to partners, then ${formatNumber(now.clicks)}`;
  return (
    <Block
      title="Clicks by week"
      id="change"
      note={`${fell}, in the last 28 days; readers ${formatNumber(before.views)}, then ${formatNumber(now.views)}.`}
      links={file !== '' && isEditor && <a href={buildFileAddress(file)}>Edit this page</a>}
    >
      <WeekChart
        weeks={weeks}
        usual={usual}
        finding={
          usual === null
            ? 'Clicks to partners in each of 13 weeks.'
            : `Clicks to partners in each of 13 weeks; ${formatNumber(usual.low)} to ${formatNumber(usual.high)} were usual.`
        }
        annotations={events}
      />
      {reasons.length > 0 && (
        <TableBlock
          title="Likely reasons"
          note="By how much of the lost clicks they explain. No reason is certain."
          columns={[
            { name: 'How likely', render: ({ word }) => word },
            {
              name: 'What',
              render: ({ word, text, undo }) => (
                <>
                  {text}
                  {undo !== undefined && isEditor && word !== 'ruled out' && (
                    <>
                      {' '}
                      <a href={undo}>Put the link back</a>
                    </>
                  )}
                </>
              ),
            },
          ]}
          rows={reasons}
          getKey={({ text }) => text}
        />
      )}
      {reasons.length > 0 && (
        <TableBlock
          title="Where the clicks were lost"
          columns={[
            { name: 'Place on the page', render: ({ place }) => describePlacement(place) },
            { name: 'Before', isNumeric: true, render: (row) => formatNumber(row.before) },
            { name: 'Since', isNumeric: true, onPhone: 'lead', render: (row) => formatNumber(row.now) },
          ]}
          rows={places.slice(0, 6)}
          getKey={({ place }) => place}
        />
      )}
    </Block>
  );
}

function EarningVisits({ detail, currency }: { readonly detail: PageDetail; readonly currency: string }) {
  const flows = [
    {
      title: 'Campaigns that led here',
      note: 'Visits that began on this page and earned.',
      rows: detail.entryCampaigns,
      first: 'Campaign',
    },
    {
      title: 'Read before',
      note: 'The page before this one, in visits that earned.',
      rows: detail.before,
      first: 'Page',
    },
    {
      title: 'Clicked from',
      note: 'Where visits that read this page clicked.',
      rows: detail.after,
      first: 'Page',
    },
  ];
  return (
    <div className="columns columns-three">
      {flows.map(({ title, note, rows, first }) => (
        <TableBlock
          key={title}
          title={title}
          note={note}
          columns={buildShareColumns(first, currency)}
          rows={rows}
          getKey={({ name }) => name}
          empty="No visit that earned."
        />
      ))}
    </div>
  );
}

/** What 1,000 views bring is the verdict of a page. */
const FIGURES = KNOWN.filter((key) => key !== 'name' && key !== 'rpm');
const PLACEMENT_FIGURES = 'clicks clickRate conversions epc approved paid pending reversed'.split(' ');

function buildFigureColumns(
  { isRanked, rows, maxEpc }: PagesModel,
  query: ConsoleQuery,
): readonly TableColumn<PageRow>[] {
  return [
    { name: 'Period', render: () => formatChosenPeriod(query) },
    ...showColumns<BreakdownRow>(
      BREAKDOWN_COLUMNS,
      { ...buildRankedCells(maxEpc), ...buildSumCells('page') },
      FIGURES,
    ),
    ...(isRanked && rows.length === 0 ? [NEEDED_COLUMN] : []),
  ];
}

function buildPlacementColumns({ placements }: PageDetail): readonly TableColumn<PlacementRow>[] {
  const clicks = placements.reduce((sum, row) => sum + (row.clicks ?? 0), 0);
  return [
    {
      name: 'Place',
      render: ({ key, place }) => (
        <FilterLink view="placements" dimension="placement" value={key}>
          {describePlacement(place)}
        </FilterLink>
      ),
    },
    {
      name: 'Share of clicks',
      isNumeric: true,
      render: (row) => (
        <span className="inline-grid grid-cols-[auto_minmax(3.2rem,auto)] items-center gap-2">
          <meter className="share-bar" min={0} max={Math.max(1, clicks)} value={row.clicks ?? 0}>
            {formatColumnShare(clicks === 0 ? null : (row.clicks ?? 0) / clicks)}
          </meter>
          {formatColumnShare(clicks === 0 ? null : (row.clicks ?? 0) / clicks)}
        </span>
      ),
    },
    ...showColumns<BreakdownRow>(BREAKDOWN_COLUMNS, buildSumCells('placement'), PLACEMENT_FIGURES),
  ];
}

function buildShareColumns(first: string, currency: string): readonly TableColumn<JourneyShare>[] {
  return [
    { name: first, render: ({ name }) => (name === '' ? 'began here' : <TitledPage page={name} />) },
    { name: 'Customers', metric: 'conversions', isNumeric: true, render: ({ conversions }) => conversions },
    {
      name: 'Earned and pending',
      isNumeric: true,
      onPhone: 'lead',
      render: ({ amount }) => <MoneyAmount amount={amount} currency={currency} />,
    },
  ];
}
