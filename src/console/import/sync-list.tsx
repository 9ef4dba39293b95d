import { FormFields } from '../access/form-fields.tsx';
import { buildConsoleAddress } from '../figures/build-console-address.ts';
import { getNetworkName } from '../figures/console-names.ts';
import { formatNumber } from '../figures/format-figures.ts';
import { Block } from '../frame/block.tsx';
import { DataTable } from '../frame/data-table.tsx';
import { TimeText } from '../frame/time-text.tsx';
import type { ViewProps } from '../view-props.ts';
import type { SyncRow } from './import-model.ts';

/** The networks whose API is read, with what the last run brought. */
export function SyncList({ model, frame }: ViewProps<'import'>) {
  const { syncs, canChange, formToken, now } = model;
  return (
    <Block title="Network APIs" id="sync" note="Read every few hours.">
      <DataTable
        caption="Network APIs"
        columns={[
          {
            key: 'network',
            name: 'Network',
            render: ({ network, partners }) => `${getNetworkName(network)} (${partners.join(', ')})`,
          },
          { key: 'state', name: 'Last run', onPhone: 'lead', render: (row) => <RunState row={row} /> },
          {
            key: 'at',
            name: 'Ended',
            isNumeric: true,
            render: ({ last }) => last && <TimeText time={last.at} timeZone={frame.timeZone} now={now} />,
          },
          {
            key: 'next',
            name: 'Next, about',
            isNumeric: true,
            render: ({ nextAt }) => nextAt !== null && <TimeText time={nextAt} timeZone={frame.timeZone} />,
          },
        ]}
        rows={syncs}
        getKey={({ network }) => network}
        empty="No network has credentials. They are settings, listed in .env.example after COMMISSION_SYNC_HOURS."
      />
      {canChange && syncs.length > 0 && (
        <form method="post" action={buildConsoleAddress('import')} className="form-row">
          <FormFields token={formToken} fields={{ action: 'sync' }} />
          <button type="submit" className="button button-quiet">
            Read now
          </button>
        </form>
      )}
    </Block>
  );
}

function RunState({ row: { last } }: { readonly row: SyncRow }) {
  if (last === null) return <span className="no-figure-note">not run yet</span>;
  if (last.state === 'failed') return <span className="failure">failed: {last.problem}</span>;
  return <>{`${formatNumber(last.stored)} new or changed, ${formatNumber(last.matched)} matched`}</>;
}
