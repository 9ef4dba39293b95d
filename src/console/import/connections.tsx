import type { ViewProps } from '../console-page.ts';
import { TimeText } from '../frame/cells.tsx';
import { Block, DataTable } from '../frame/data-table.tsx';
import { ActionForm } from '../frame/forms.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatNumber } from '../reports/format.ts';
import type { readImport } from './read.ts';

type ImportModel = Awaited<ReturnType<typeof readImport>>;
type PostbackRow = ImportModel['postbacks'][number];
type SyncRow = ImportModel['syncs'][number];

/** Where the networks send their messages. The addresses are secret. */
export function PostbackList({ model }: ViewProps<ImportModel>) {
  const { postbacks, hasPostbacks, canChange } = model;
  const action = buildConsoleAddress('import');
  return (
    <Block
      title="Postback addresses"
      id="postbacks"
      note="Anyone who knows an address can report commissions: give it to the network only."
    >
      {!hasPostbacks && (
        <div className="form-row">
          <p>There are no addresses yet.</p>
          {canChange && (
            <ActionForm of="create-postbacks">
              <button type="submit" className="button">
                Create them
              </button>
            </ActionForm>
          )}
        </div>
      )}
      {hasPostbacks && (
        <DataTable
          caption="Postback addresses"
          columns={[
            {
              key: 'name',
              name: 'Partner',
              render: ({ name, address }) => (
                <>
                  {name}
                  {address !== null && <code className="secret-address">{address}</code>}
                </>
              ),
            },
            { key: 'network', name: 'Network', render: ({ network }) => network },
            {
              key: 'last',
              name: 'Last message',
              isNumeric: true,
              render: ({ lastMessageAt }) =>
                lastMessageAt === null ? (
                  <span className="text-muted">none yet</span>
                ) : (
                  <TimeText time={lastMessageAt} now={model.now} />
                ),
            },
            {
              key: 'show',
              name: 'Address',
              onPhone: 'lead',
              render: (row) => canChange && <AddressLink row={row} action={action} />,
            },
            {
              key: 'test',
              name: 'Test',
              onPhone: 'lead',
              render: ({ partner, name }) =>
                canChange && (
                  <ActionForm of="test-postback" fields={{ partner }}>
                    <button type="submit" className="text-button">
                      Send a test<span className="hidden-text"> message to the address of {name}</span>
                    </button>
                  </ActionForm>
                ),
            },
          ]}
          rows={postbacks}
          getKey={({ partner }) => partner}
          empty="There are no partners."
        />
      )}
    </Block>
  );
}

function AddressLink(props: { readonly row: PostbackRow; readonly action: string }) {
  const { partner, name, address } = props.row;
  const isShown = address !== null;
  return (
    <a href={`${props.action}${isShown ? '' : `?show=${encodeURIComponent(partner)}`}#postbacks`}>
      {isShown ? 'Hide' : 'Show'}
      <span className="hidden-text"> the address of {name}</span>
    </a>
  );
}

/** The networks whose API is read, with what the last run brought. */
export function SyncList({ model }: ViewProps<ImportModel>) {
  const { syncs, canChange, now } = model;
  return (
    <Block title="Network APIs" id="sync" note="Read every few hours.">
      <DataTable
        caption="Network APIs"
        columns={[
          {
            key: 'network',
            name: 'Network',
            render: ({ title, partners }) => `${title} (${partners.join(', ')})`,
          },
          { key: 'state', name: 'Last run', onPhone: 'lead', render: (row) => <RunState row={row} /> },
          {
            key: 'at',
            name: 'Ended',
            isNumeric: true,
            render: ({ last }) => last && <TimeText time={last.at} now={now} />,
          },
          {
            key: 'next',
            name: 'Next, about',
            isNumeric: true,
            render: ({ nextAt }) => nextAt !== null && <TimeText time={nextAt} />,
          },
        ]}
        rows={syncs}
        getKey={({ network }) => network}
        empty="No network has credentials. Set the secrets that its file names, such as IMPACT_TOKEN, in the environment."
      />
      {canChange && syncs.length > 0 && (
        <ActionForm of="sync" className="form-row">
          <button type="submit" className="button button-quiet">
            Read now
          </button>
        </ActionForm>
      )}
    </Block>
  );
}

function RunState({ row: { last } }: { readonly row: SyncRow }) {
  if (last === null) return <span className="text-muted">not run yet</span>;
  if (last.state === 'failed') return <span className="text-danger">failed: {last.problem}</span>;
  return <>{`${formatNumber(last.stored)} new or changed, ${formatNumber(last.matched)} matched`}</>;
}
