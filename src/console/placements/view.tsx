import { describePlacement } from '../../core/outbound/placement.ts';
import type { ConsoleFrame } from '../console-page.ts';
import type { ViewProps } from '../document.tsx';
import { BreakdownPager, buildBreakdownColumns } from '../frame/breakdown-columns.tsx';
import { Block, DataTable, type TableColumn } from '../frame/data-table.tsx';
import { CsvLink, FilterLink, TitledPage } from '../frame/links.tsx';
import type { PlacementRow } from '../pages/read.ts';
import { UncountedNote } from '../pages/view.tsx';
import type { PlacementsModel } from './read.ts';

/** Where on which page the links are that earn. */
export function PlacementsView({ model, frame }: ViewProps<'placements'>) {
  const { rows, sort, areClicksCounted } = model;
  return (
    <>
      {!areClicksCounted && <UncountedNote />}
      <Block
        title="Links by place"
        note="Click rate and RPM refer to the views of the page that has the link."
        links={<CsvLink frame={frame} />}
      >
        <DataTable
          caption="Placements by what they earn"
          columns={buildColumns(model, frame)}
          rows={rows}
          getKey={({ key }) => key}
          sorting={frame.viewer.kind === 'share' ? null : { view: 'placements', query: frame.query, sort }}
          empty="No link was clicked in this period."
        />
        <BreakdownPager view="placements" list={model} frame={frame} />
      </Block>
    </>
  );
}

function buildColumns(model: PlacementsModel, frame: ConsoleFrame): readonly TableColumn<PlacementRow>[] {
  return [
    {
      key: 'name',
      name: 'Placement',
      render: ({ key, place, page }) => (
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
      ),
    },
    ...buildBreakdownColumns<PlacementRow>(
      ['clicks', 'clickRate', 'conversions', 'certain', 'rpm', 'approved', 'pending', 'expected', 'reversed'],
      model,
    ),
  ];
}
