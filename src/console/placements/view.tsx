import { describePlacement } from '../../core/outbound/placement.ts';
import type { ConsoleFrame, ViewProps } from '../console-page.ts';
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
export function PlacementsView({ model, frame }: ViewProps<PlacementsModel>) {
  const { rows, sort, areClicksCounted, sum, unmatched } = model;
  const columns = buildColumns(model, frame);
  const total = { ...sum, page: '', title: null, place: '' };
  const name = `All ${formatNumber(model.total)} placements`;
  const clock = CLOCK_NAMES[frame.query.clock].toLowerCase();
  return (
    <>
      {!areClicksCounted && <UncountedNote />}
      <Block
        title="Links by place"
        note={`Money by ${clock}. Click rate and RPM refer to the views of the page that has the link.`}
        links={<CsvLink frame={frame} />}
      >
        <DataTable
          caption="Placements by what they earn"
          columns={columns}
          rows={rows}
          getKey={({ key }) => key}
          sorting={frame.viewer.kind === 'share' ? null : { view: 'placements', query: frame.query, sort }}
          footer={buildTotalCells({ columns, total, name, unmatched, frame })}
          empty="No link was clicked in this period."
        />
        <BreakdownPager view="placements" list={model} frame={frame} />
      </Block>
    </>
  );
}

const SHOWN =
  'name clicks clickRate conversions epc certain rpm approved paid pending expected reversed'.split(' ');

function buildColumns({ maxEpc }: PlacementsModel, frame: ConsoleFrame) {
  const name = ({ key, place, page }: PlacementRow) => (
    <>
      <FilterLink view="placements" frame={frame} dimension="placement" value={key}>
        {describePlacement(place)}
      </FilterLink>
      <span className="cell-page">
        <FilterLink view="placements" frame={frame} dimension="page" value={page}>
          <TitledPage names={frame.names} page={page} />
        </FilterLink>
      </span>
    </>
  );
  return showColumns<PlacementRow>(
    PLACEMENT_COLUMNS,
    { name, ...buildRankedCells(maxEpc), ...buildSumCells(frame, 'placement') },
    SHOWN,
  );
}
