import type { ViewProps } from '../console-page.ts';
import { TimeText } from '../frame/cells.tsx';
import { Block, DataTable } from '../frame/data-table.tsx';
import { ActionForm, Submit } from '../frame/forms.tsx';
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
              <Submit>Create them</Submit>
            </ActionForm>
          )}
        </div>
      )}
      {hasPostbacks && (
        <DataTable
          caption="Postback addresses"
          columns={[
            {
              name: 'Partner',
              render: (row) => (
                <>
                  {row.name}
                  {row.address !== null && <code className="secret-address">{row.address}</code>}
                  <Renewal row={row} now={model.now} />
                </>
              ),
            },
            { name: 'Network', render: ({ network }) => network },
            {
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
              name: 'Address',
              onPhone: 'lead',
              render: (row) => canChange && <AddressLink row={row} action={action} />,
            },
            {
              name: 'Test',
              onPhone: 'lead',
              render: ({ partner, name }) =>
                canChange && (
                  <ActionForm of="test-postback" fields={{ partner }}>
                    <Submit className="text-button">
                      Send a test<span className="hidden-text"> message to the address of {name}</span>
                    </Submit>
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

/** For how long the present address is accepted after a renewal, as the form offers it. */
const PERIODS = { 7: 'for 7 more days', 30: 'for 30 more days', 1: 'for one more day', 0: 'no longer' };

/** What became of a renewed address, and with a shown one the form that renews it. */
function Renewal({ row, now }: { readonly row: PostbackRow; readonly now: number }) {
  const { partner, name, address, former } = row;
  return (
    <>
      {former !== null && (
        <p className="text-muted">
          The former address is accepted until <TimeText time={former.until} />,{' '}
          {former.lastUsedAt === null ? (
            'and not used since'
          ) : (
            <>
              last used <TimeText time={former.lastUsedAt} now={now} />
            </>
          )}
          .
        </p>
      )}
      {address !== null && (
        <ActionForm of="renew-postback" fields={{ partner }} className="form-row">
          <label>
            Accept this one
            <select name="days" defaultValue="7">
              {Object.entries(PERIODS).map(([days, text]) => (
                <option key={days} value={days}>
                  {text}
                </option>
              ))}
            </select>
          </label>
          <button type="submit" className="button button-quiet">
            Renew<span className="hidden-text"> the address of {name}</span>
          </button>
        </ActionForm>
      )}
    </>
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
            name: 'Network',
            render: ({ title, partners }) => `${title} (${partners.join(', ')})`,
          },
          { name: 'Last run', onPhone: 'lead', render: (row) => <RunState row={row} /> },
          {
            name: 'Ended',
            isNumeric: true,
            render: ({ last }) => last && <TimeText time={last.at} now={now} />,
          },
          {
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
          <Submit className="button button-quiet">Read now</Submit>
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
