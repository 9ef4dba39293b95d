import type { ViewProps } from '../console-page.ts';
import { TimeText } from '../frame/cells.tsx';
import { Block, DataTable } from '../frame/data-table.tsx';
import { ActionForm, Select, Submit } from '../frame/forms.tsx';
import { formatNumber } from '../reports/format.ts';
import { buildNetworkAddress } from './networks.ts';
import type { readImport } from './read.ts';

type ImportModel = Awaited<ReturnType<typeof readImport>>;
/** What the list of addresses needs of a page. */
type PostbackModel = Readonly<{
  [Name in 'postbacks' | 'hasPostbacks' | 'canChange' | 'now']: ImportModel[Name];
}>;
type PostbackRow = ImportModel['postbacks'][number];
type SyncRow = ImportModel['syncs'][number];

/** Where the networks send their messages. The addresses are secret. `at`: the address of the page. */
export function PostbackList({ model, at: action }: ViewProps<PostbackModel> & { readonly at: string }) {
  const { postbacks, hasPostbacks, canChange } = model;
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
                  <SecretAddress row={row} />
                  <Renewal row={row} now={model.now} />
                </>
              ),
            },
            {
              name: 'Network',
              render: ({ network, title }) => <a href={buildNetworkAddress(network)}>{title}</a>,
            },
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

/** For how long what is renewed is accepted, as forms offer it. */
const PERIODS = { 7: 'for 7 more days', 30: 'for 30 more days', 1: 'for one more day', 0: 'no longer' };

/** The address, if it was asked for, and what is entered at the network with its variables. */
const SecretAddress = ({ row: { address, template } }: { readonly row: PostbackRow }) =>
  address === null ? null : (
    <>
      <code className="secret-address">{address}</code>
      {template !== null && (
        <>
          <small>With the variables of the network:</small>
          <code className="secret-address">{`${address}?${template}`}</code>
        </>
      )}
    </>
  );

/** Chooses for how long what is renewed is accepted. */
export const AcceptFormer = ({ label }: { readonly label: string }) => (
  <Select label={<>{label} </>} name="days" defaultValue="7" options={Object.entries(PERIODS)} />
);

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
          <AcceptFormer label="Accept this one" />
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
    <Block
      title="Network APIs"
      id="sync"
      note="Read every few hours."
      links={<a href={buildNetworkAddress()}>All networks and their secrets</a>}
    >
      <DataTable
        caption="Network APIs"
        columns={[
          {
            name: 'Network',
            render: ({ network, title, partners }) => (
              <a href={buildNetworkAddress(network)}>{`${title} (${partners.join(', ')})`}</a>
            ),
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
        empty="No network has credentials. The page of a network has forms for its secrets."
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
