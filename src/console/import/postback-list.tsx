import { FormFields } from '../access/form-fields.tsx';
import { buildConsoleAddress } from '../figures/build-console-address.ts';
import { getNetworkName } from '../figures/console-names.ts';
import { Block } from '../frame/block.tsx';
import { DataTable } from '../frame/data-table.tsx';
import { TimeText } from '../frame/time-text.tsx';
import type { ViewProps } from '../view-props.ts';
import type { PostbackRow } from './import-model.ts';

/** Where the networks send their messages. The addresses are secret. */
export function PostbackList({ model, frame }: ViewProps<'import'>) {
  const { postbacks, hasPostbacks, canChange, formToken } = model;
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
            <form method="post" action={action}>
              <FormFields token={formToken} fields={{ action: 'create-postbacks' }} />
              <button type="submit" className="button">
                Create them
              </button>
            </form>
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
            { key: 'network', name: 'Network', render: ({ network }) => getNetworkName(network) },
            {
              key: 'last',
              name: 'Last message',
              isNumeric: true,
              render: ({ lastMessageAt }) =>
                lastMessageAt === null ? (
                  <span className="no-figure-note">none yet</span>
                ) : (
                  <TimeText time={lastMessageAt} timeZone={frame.timeZone} now={model.now} />
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
                  <form method="post" action={action}>
                    <FormFields token={formToken} fields={{ action: 'test-postback', partner }} />
                    <button type="submit" className="text-button">
                      Send a test<span className="hidden-text"> message to the address of {name}</span>
                    </button>
                  </form>
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

function AddressLink({
  row: { partner, name, address },
  action,
}: {
  readonly row: PostbackRow;
  readonly action: string;
}) {
  const isShown = address !== null;
  return (
    <a href={`${action}${isShown ? '' : `?show=${encodeURIComponent(partner)}`}#postbacks`}>
      {isShown ? 'Hide' : 'Show'}
      <span className="hidden-text"> the address of {name}</span>
    </a>
  );
}
