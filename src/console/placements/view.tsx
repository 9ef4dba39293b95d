import { describePlacement } from '../../core/outbound/placement.ts';
import { useFrame, type ViewProps } from '../console-page.ts';
import {
  BreakdownPager,
  buildRankedCells,
  buildSumCells,
  buildTotalCells,
} from '../frame/breakdown-columns.tsx';
import { Block, DataTable, showColumns } from '../frame/data-table.tsx';
import { CsvLink, FilterLink, TitledPage } from '../frame/links.tsx';
import { UncountedNote } from '../pages/view.tsx';
import type { PlacementRow } from '../reports/breakdown.ts';
import { formatNumber } from '../reports/format.ts';
import { CLOCK_NAMES } from '../reports/names.ts';
import { PLACEMENT_COLUMNS, type readPlacements } from './read.ts';

type PlacementsModel = Awaited<ReturnType<typeof readPlacements>>;

/** Where on which page the links are that earn. */
export function PlacementsView({ model }: ViewProps<PlacementsModel>) {
  const { rows, sort, areClicksCounted, sum, unmatched, labelled } = model;
  const columns = buildColumns(model);
  const total = { ...sum, page: '', title: null, place: '' };
  const name = `All ${formatNumber(model.total)} places`;
  const clock = CLOCK_NAMES[useFrame().query.clock].toLowerCase();
  return (
    <>
      {!areClicksCounted && <UncountedNote />}
      <Block
        title="Links by place"
        note={`Money by ${clock}. Click rate and money for 1,000 views refer to the views of the page that has the link.`}
        links={<CsvLink />}
      >
        <DataTable
          caption="Places by what they earn"
          columns={columns}
          rows={rows}
          getKey={({ key }) => key}
          sort={sort}
          footer={buildTotalCells({ columns, total, name, unmatched, labelled })}
          empty="No link was clicked in this period."
        />
        <BreakdownPager list={model} />
      </Block>
    </>
  );
}

const SHOWN =
  'name clicks clickRate conversions epc certain rpm approved paid pending expected reversed'.split(' ');

function buildColumns({ maxEpc }: PlacementsModel) {
  const name = ({ key, place, page }: PlacementRow) => (
    <>
      <FilterLink view="placements" dimension="placement" value={key}>
        {describePlacement(place)}
      </FilterLink>
      <span className="cell-page">
        <FilterLink view="placements" dimension="page" value={page}>
          <TitledPage page={page} />
        </FilterLink>
      </span>
    </>
  );
  return showColumns<PlacementRow>(
    PLACEMENT_COLUMNS,
    { name, ...buildRankedCells(maxEpc), ...buildSumCells('placement') },
    SHOWN,
  );
}
