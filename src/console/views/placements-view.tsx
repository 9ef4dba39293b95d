import type { ConsoleFrame } from '../../core/console/console-page.ts';
import type { PlacementRow } from '../../core/console/pages-model.ts';
import type { PlacementsModel } from '../../core/console/placements-model.ts';
import { describePlacement } from '../../core/events/placement.ts';
import { Block } from '../block.tsx';
import { DataTable, type TableColumn } from '../data-table.tsx';
import { FilterLink } from '../filter-link.tsx';
import { TitledPage } from '../titled-page.tsx';
import type { ViewProps } from '../view-props.ts';
import { buildBreakdownColumns } from './breakdown-columns.tsx';
import { BreakdownPager } from './breakdown-pager.tsx';
import { CsvLink } from './export-links.tsx';
import { UncountedNote } from './pages-view.tsx';

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
