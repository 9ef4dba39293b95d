import { Sparkline } from '../charts/charts.tsx';
import type { ConsoleFrame, ViewProps } from '../console-page.ts';
import { PAGE_COLUMNS, type RankedPage } from '../figures/breakdown.ts';
import { formatNumber } from '../figures/format.ts';
import { BreakdownPager, buildRankedCells, NEEDED_COLUMN } from '../frame/breakdown-columns.tsx';
import { Block, DataTable, showColumns, type TableColumn } from '../frame/data-table.tsx';
import { CsvLink, PageNameCell } from '../frame/links.tsx';
import { PageDetailBlocks } from './detail.tsx';
import type { PageRow, readPages } from './read.ts';

type PagesModel = Awaited<ReturnType<typeof readPages>>;

/** The ranking of pages: what a click on each of them earns, and how sure that is. */
export function PagesView({ model, frame }: ViewProps<PagesModel>) {
  const { rows, unknownRows, unknownTotal, detail, isRanked, areClicksCounted } = model;
  if (detail !== null) return <PageDetailBlocks detail={detail} model={model} frame={frame} />;
  return (
    <>
      {!areClicksCounted && <UncountedNote />}
      {(rows.length > 0 || model.page === 1) && (
        <Block
          title={isRanked ? 'Known pages' : 'All pages'}
          note={isRanked ? 'Ordered by the least that a click is likely to earn (80% interval).' : undefined}
          links={<CsvLink frame={frame} />}
        >
          <DataTable
            caption="Pages by what their clicks earn"
            columns={[...buildColumns(model, frame, KNOWN), SPARKLINE_COLUMN]}
            rows={rows}
            getKey={({ key }) => key}
            sorting={
              frame.viewer.kind === 'share' ? null : { view: 'pages', query: frame.query, sort: model.sort }
            }
            empty={
              unknownRows.length > 0
                ? 'No page has enough clicks yet to be ranked.'
                : 'No page was viewed or earned anything in this period.'
            }
          />
        </Block>
      )}
      {unknownRows.length > 0 && (
        <Block title="Not known yet" note={describeUnknown(unknownTotal)}>
          <DataTable
            caption="Pages that cannot be ranked yet"
            columns={[...buildColumns(model, frame, UNKNOWN), NEEDED_COLUMN]}
            rows={unknownRows}
            getKey={({ key }) => key}
          />
        </Block>
      )}
      <BreakdownPager view="pages" list={model} frame={frame} />
    </>
  );
}

function describeUnknown(count: number): string {
  const pages = count === 1 ? '1 page has' : `${formatNumber(count)} pages have`;
  return `${pages} too few conversions to rank. Young clicks need time; clicks still needed are on top of those already made.`;
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
  key: 'series',
  name: 'Trend',
  isSortable: false,
  isNumeric: true,
  onPhone: 'hidden',
  render: ({ series }) => <Sparkline values={series} />,
};

const KNOWN = 'name views clicks clickRate conversions certain rpm approved pending reversed'.split(' ');
const UNKNOWN = 'name views clicks clickRate conversions approved pending reversed'.split(' ');

function buildColumns({ maxEpc }: PagesModel, frame: ConsoleFrame, keys: readonly string[]) {
  const name = ({ key, title }: RankedPage) => <PageNameCell frame={frame} page={key} title={title} />;
  return showColumns<RankedPage>(PAGE_COLUMNS, { name, ...buildRankedCells(maxEpc) }, keys);
}
