import { type NetworkFile, nameFirstTask } from '../../core/commissions/networks/network.schema.ts';
import type { ViewProps } from '../console-page.ts';
import { TimeText } from '../frame/cells.tsx';
import { Block, DataTable, FactRow } from '../frame/data-table.tsx';
import { ActionForm, Select, Submit } from '../frame/forms.tsx';
import { IMPORT_PATH } from '../reports/addresses.ts';
import { formatCount, formatNumber } from '../reports/format.ts';
import { buildNetworkAddress, type readConnection } from './networks.ts';
import type { readImport } from './read.ts';

type ImportModel = Awaited<ReturnType<typeof readImport>>;
/** What the list of addresses needs of a page. */
type PostbackModel = Readonly<{
  [Name in 'postbacks' | 'hasPostbacks' | 'canChange' | 'now']: ImportModel[Name];
}>;
type PostbackRow = ImportModel['postbacks'][number];
type SyncRow = ImportModel['syncs'][number];

/** What a network asks of a partner's links and messages, and when it pays. */
export function NetworkFacts({ file: { note, link, template, payments } }: { file: NetworkFile }) {
  return (
    <>
      {note !== undefined && <FactRow name="Before you begin">{note}</FactRow>}
      <FactRow name="The click is in">
        {link?.parameter === undefined ? (
          <span className="text-muted">not known</span>
        ) : (
          <>
            <code>{link.parameter}</code>
            {link.place === 'path' && ', in the path of the link'}
            {link.maxLength !== undefined && `, at most ${formatCount(link.maxLength, 'character')}`}
            {link.clickIds === 'forbidden' && ', which may name no single click'}
          </>
        )}
      </FactRow>
      {template !== undefined && (
        <FactRow name="Postback line">
          <code>ADDRESS?{template}</code>
        </FactRow>
      )}
      {payments !== undefined && <FactRow name="Pays">{payments.text}</FactRow>}
    </>
  );
}

/** How the commissions of one partner arrive: what its network asks for, the line for it, and the test. */
export function PartnerConnection(
  props: ViewProps<NonNullable<Awaited<ReturnType<typeof readConnection>>>> & { readonly at: string },
) {
  const { model, at } = props;
  return (
    <>
      <Block
        title={`Connection to ${model.file.title}`}
        links={<a href={buildNetworkAddress(model.network)}>Its secrets and messages</a>}
      >
        <dl className="facts">
          <NetworkFacts file={model.file} />
        </dl>
      </Block>
      {model.postbacks.length > 0 ? (
        <PostbackList model={model} at={at} />
      ) : (
        <a href={IMPORT_PATH}>{nameFirstTask(model.file)}</a>
      )}
    </>
  );
}

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
            <ActionForm of="create-postbacks" action={IMPORT_PATH} fields={{ from: action }}>
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
                  <Renewal row={row} now={model.now} from={action} />
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
                  <ActionForm of="test-postback" action={IMPORT_PATH} fields={{ partner, from: action }}>
                    <Submit className="text-button">
                      Send a test<span className="hidden-text"> message to the address of {name}</span>
                    </Submit>
                  </ActionForm>
                ),
            },
          ]}
          rows={postbacks}
          getKey={({ partner }) => partner}
          empty="No network of a partner sends messages."
        />
      )}
    </Block>
  );
}

/** For how long what is renewed is accepted, as forms offer it. */
const PERIODS = { 7: 'for 7 more days', 30: 'for 30 more days', 1: 'for one more day', 0: 'no longer' };

/** What is entered at the network, if it was asked for: the address with the variables of the network. */
function SecretAddress({ row: { partner, name, address, template } }: { readonly row: PostbackRow }) {
  if (address === null) return null;
  const [id, line] = [`postback-${partner}`, template === null ? address : `${address}?${template}`];
  return (
    <>
      <textarea
        id={id}
        className={'secret-address'}
        readOnly={true}
        defaultValue={line}
        aria-label={`What ${name} sends its messages to`}
        rows={Math.ceil(line.length / 60)}
      />
      <button type="button" className="button" data-copy={id} data-needs-script hidden>
        Copy the line
      </button>{' '}
      <span aria-live="polite" data-copy-status />
    </>
  );
}

/** Chooses for how long what is renewed is accepted. */
export const AcceptFormer = ({ label }: { readonly label: string }) => (
  <Select label={<>{label} </>} name="days" defaultValue="7" options={Object.entries(PERIODS)} />
);

/** What became of a renewed address, and with a shown one the form that renews it. */
function Renewal(props: { readonly row: PostbackRow; readonly now: number; readonly from: string }) {
  const { row, now, from } = props;
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
        <ActionForm
          of="renew-postback"
          action={IMPORT_PATH}
          fields={{ partner, from: buildShownAddress(from, partner) }}
          className="form-row"
        >
          <AcceptFormer label="Accept this one" />
          <button type="submit" className="button button-quiet">
            Renew<span className="hidden-text"> the address of {name}</span>
          </button>
        </ActionForm>
      )}
    </>
  );
}

/** A page with the address of a partner. */
const buildShownAddress = (page: string, partner: string) =>
  `${page}${page.includes('?') ? '&' : '?'}show=${encodeURIComponent(partner)}`;

function AddressLink(props: { readonly row: PostbackRow; readonly action: string }) {
  const { partner, name, address } = props.row;
  const isShown = address !== null;
  return (
    <a href={`${isShown ? props.action : buildShownAddress(props.action, partner)}#postbacks`}>
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
