import { describePlacement } from '../../core/outbound/placement.ts';
import type { BreakdownRow } from '../figures/build-breakdown.ts';
import { formatNumber } from '../figures/format-figures.ts';
import { buildBreakdownColumns } from '../frame/breakdown-columns.tsx';
import { DataTable, type TableColumn } from '../frame/data-table.tsx';
import { FilterLink } from '../frame/filter-link.tsx';
import { PageNameCell } from '../frame/page-name-cell.tsx';
import type { LeagueRow, PlacementRow } from '../pages/pages-model.ts';
import type { ViewProps } from '../view-props.ts';

type TopProps = ViewProps<'overview'>;

/** The pages whose clicks earn most with some certainty. */
export function TopPages({ model, frame }: TopProps) {
  const { pages, unknownPages, pageCount } = model;
  const rows = pages.length > 0 ? pages : unknownPages;
  const columns: readonly TableColumn<LeagueRow>[] = [
    {
      key: 'name',
      name: 'Page',
      render: ({ key, title }) => <PageNameCell frame={frame} page={key} title={title} view="pages" />,
    },
    ...buildBreakdownColumns<LeagueRow>(
      ['views', 'clicks', 'clickRate', 'certain', 'approved', 'pending', 'reversed', 'rpm'],
      model,
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

/** The places of links that earn most. */
export function TopPlacements({ model, frame }: TopProps) {
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
    ...buildBreakdownColumns<PlacementRow>(['clicks', 'epc', 'leadingExpected'], model),
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
  const columns: readonly TableColumn<BreakdownRow>[] = [
    {
      key: 'name',
      name: 'Source / medium / campaign',
      render: ({ key }) => <FilterLink view="campaigns" frame={frame} dimension="campaign" value={key} />,
    },
    ...buildBreakdownColumns<BreakdownRow>(['clicks'], model),
    ...buildBreakdownColumns<BreakdownRow>(['approved'], model).map(
      (column) => ({ ...column, onPhone: 'hidden' }) as const,
    ),
    ...buildBreakdownColumns<BreakdownRow>(['leadingExpected'], model),
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
