import type { ConsoleFrame, ViewProps } from '../console-page.ts';
import { formatShare } from '../figures/format.ts';
import { MODEL_NAMES } from '../figures/names.ts';
import { BreakdownPager, buildRankedCells } from '../frame/breakdown-columns.tsx';
import { Block, DataTable, showColumns } from '../frame/data-table.tsx';
import { CsvLink, FilterLink } from '../frame/links.tsx';
import { UncountedNote } from '../pages/view.tsx';
import { type readSources, SOURCE_COLUMNS, type SourceRow } from './read.ts';

type SourcesModel = Awaited<ReturnType<typeof readSources>>;

/** Where visitors came from, and what they earned. */
export function SourcesView({ model, frame }: ViewProps<SourcesModel>) {
  const { rows, sort, areClicksCounted, unnamed } = model;
  const share = unnamed?.visitShare ?? null;
  return (
    <>
      {!areClicksCounted && <UncountedNote />}
      <Block
        title="Channel / source"
        note={`Money by ${MODEL_NAMES[model.model].toLowerCase()}.${
          share === null ? '' : ` ${formatShare(share)} of the visits have no source.`
        }`}
        links={<CsvLink frame={frame} />}
      >
        <DataTable
          caption="Sources by what they earn"
          columns={buildColumns(model, frame)}
          rows={rows}
          getKey={({ key }) => key}
          sorting={frame.viewer.kind === 'share' ? null : { view: 'sources', query: frame.query, sort }}
          empty="No visit and no money in this period."
        />
        <BreakdownPager view="sources" list={model} frame={frame} />
      </Block>
    </>
  );
}

const SHOWN =
  'name visits clicks visitClickRate conversions certain approved pending expected reversed'.split(' ');

function buildColumns({ maxEpc }: SourcesModel, frame: ConsoleFrame) {
  const name = ({ key, source }: SourceRow) => (
    <>
      <FilterLink view="sources" frame={frame} dimension="source" value={key} />
      {source.channel === 'AI assistant' && <small>at least</small>}
    </>
  );
  return showColumns<SourceRow>(SOURCE_COLUMNS, { name, ...buildRankedCells(maxEpc) }, SHOWN);
}
