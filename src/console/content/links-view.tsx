import { findPayeeFile, type PayeeChange } from '../../content-files/payee.ts';
import { isAcceptable, type LinkState } from '../../core/outbound/link-state.ts';
import { describeUnchecked, isCheckable } from '../../core/outbound/watched-links.ts';
import type { ViewProps } from '../console-page.ts';
import { MoneyAmount, TimeText } from '../frame/cells.tsx';
import { Block, DataTable, showColumns, type TableColumn } from '../frame/data-table.tsx';
import { ActionButton, ActionForm, Submit, useAction } from '../frame/forms.tsx';
import { ListTable, Statement } from '../frame/list.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatCount, formatNumber, NO_FIGURE } from '../reports/format.ts';
import { buildFileAddress, buildPlaceAddress } from './file-address.ts';
import { LINK_COLUMNS, LINK_STATE_NAMES, type LinkRow, type readLinks } from './links.ts';

type LinksModel = Awaited<ReturnType<typeof readLinks>>;

type PayeeValue = PayeeChange['values'][number];
const PAYEE_COLUMNS: readonly TableColumn<PayeeValue>[] = [
  {
    name: 'Field',
    render: ({ field }) => <span className="inline-block min-w-36 wrap-anywhere">{field}</span>,
  },
  { name: 'Before', render: ({ before }) => <code>{before ?? NO_FIGURE}</code> },
  { name: 'After', render: ({ after }) => <code>{after ?? NO_FIGURE}</code> },
];

const PayeeValues = ({ what, values }: Pick<PayeeChange, 'what' | 'values'>) => (
  <DataTable caption={what} columns={PAYEE_COLUMNS} rows={values} getKey={({ field }) => field} />
);

/** Asks an operator to confirm who will be paid, before the text of the form is saved. */
export function NewPayee({ payee }: { readonly payee: PayeeChange }) {
  return (
    <Block
      title="Somebody else would be paid"
      note="The affiliate id and the destinations of a partner decide who gets the commissions. Operators who may manage are told."
    >
      <PayeeValues {...payee} />
      <input type="hidden" form="editor" name="payee" value={payee.hash} />
      <p className="form-row">
        <ActionButton of="save" form="editor" className="button">
          Save it as shown here
        </ActionButton>
      </p>
    </Block>
  );
}

/** Changes of who is paid, and of which hosts get secrets, that no operator has confirmed, each with the form that does. */
export function UnconfirmedPayees({ payees }: { readonly payees: readonly PayeeChange[] }) {
  if (payees.length === 0) return null;
  return (
    <Block
      title="To be confirmed"
      id="payees"
      note={
        'The affiliate id and the destinations of a partner decide who gets the commissions, the file of a network which ' +
        'hosts get secrets and whose messages count. Confirm each change, or put its file back.'
      }
    >
      {payees.map((payee) => (
        <ActionForm
          key={payee.partner}
          of="confirm-payee"
          fields={{ partner: payee.partner, hash: payee.hash }}
        >
          <p className="form-row">
            <a href={buildFileAddress(findPayeeFile(payee), { view: 'history' })}>{payee.name}</a>
          </p>
          <PayeeValues {...payee} />
          <p className="form-row">
            <Submit>{`Confirm ${payee.what.charAt(0).toLowerCase()}${payee.what.slice(1)}`}</Submit>
          </p>
        </ActionForm>
      ))}
    </Block>
  );
}

/** Nothing is left out of the sentence but states that no link has. */
const COUNTED: Readonly<Record<LinkState, (count: number) => string>> = {
  broken: (count) => `${formatNumber(count)} ${count === 1 ? 'is' : 'are'} broken`,
  changed: (count) => `${formatNumber(count)} ${count === 1 ? 'has' : 'have'} changed`,
  inconclusive: (count) => `${formatNumber(count)} ${count === 1 ? 'is' : 'are'} to check again`,
  unchecked: (count) => `${formatNumber(count)} ${count === 1 ? 'has' : 'have'} not been checked`,
  healthy: (count) => `${formatNumber(count)} answered`,
};

function describeLinks(counts: LinksModel['counts']): string {
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const [first, ...more] = counts.filter(([, count]) => count > 0);
  if (first === undefined) return 'No link yet.';
  const [state, count] = first;
  if (count === total) return `${formatCount(count, 'link')} ${COUNTED[state](count).replace(/^\S+ /, '')}.`;
  return `Of ${formatCount(total, 'link')}, ${[first, ...more].map(([one, number]) => COUNTED[one](number)).join(', ')}.`;
}

/** Where the links of the site lead, and what they answered. */
export function LinksView({ model }: ViewProps<LinksModel>) {
  const { list, counts, check, problem, canCheck, currency, now } = model;
  const mayAccept = useAction('accept-link');
  return (
    <>
      <Statement
        lead={
          check !== null && (
            <span data-refresh>
              {formatNumber(check.done)} of {formatNumber(check.of)} checked, at most one a second of each
              host. You can leave this page.
            </span>
          )
        }
        actions={
          <>
            {canCheck && check === null && (
              <ActionForm of="check-links">
                <Submit>Check now</Submit>
              </ActionForm>
            )}
            {check !== null && (
              <progress value={check.done} max={check.of} aria-label="Links that are checked" />
            )}
            <a href={buildLinksAddress('missing')}>Names without a link</a>
          </>
        }
      >
        {describeLinks(counts)}
      </Statement>
      {problem !== '' && <p className="problem">The links were not checked: {problem}.</p>}
      <ListTable
        title="Links"
        id="links"
        name="links"
        list={list}
        columns={showColumns(
          LINK_COLUMNS,
          {
            link: (row) => <LinkCell row={row} />,
            state: {
              render: (row) => <LinkStateCell row={row} mayAccept={mayAccept} />,
              onPhone: 'lead-unnamed',
            },
            since: ({ record }) => record !== null && <TimeText time={record.since} now={now} />,
            pages: ({ partner, pages }) => partner === null && formatNumber(pages.length),
            earned: ({ amount }) => amount > 0 && <MoneyAmount amount={amount} currency={currency} />,
          },
          LINK_COLUMNS.map(({ key }) => key).filter((key) => key !== 'earned' || currency !== null),
        )}
        getKey={({ key }) => key}
        empty="No link has these words and this state."
      />
    </>
  );
}

/** The address of the links in a state. */
const buildLinksAddress = (state: string) =>
  buildConsoleAddress('content', {}, { rest: ['links'], extra: { state } });

function LinkCell({ row: { link } }: { readonly row: LinkRow }) {
  const { url, partner, destinations } = link;
  return partner === null ? (
    <span className="wrap-anywhere">{url}</span>
  ) : (
    <>
      <a href={buildPlaceAddress({ file: `partners/${partner}.yaml`, at: 'destinations' })}>
        {destinations.join(', ')}
      </a>
      <small className="wrap-anywhere">{url}</small>
    </>
  );
}

/** What a link answered, and what is done about it. */
function LinkStateCell({ row, mayAccept }: { readonly row: LinkRow; readonly mayAccept: boolean }) {
  const { key, link, record, state, partner } = row;
  const replace = buildConsoleAddress('content', {}, { rest: ['replace'], extra: { find: key, code: 'on' } });
  return (
    <>
      <span className={`whitespace-nowrap${state === 'broken' ? ' text-danger' : ''}`}>
        {LINK_STATE_NAMES[state]}
      </span>
      {(record !== null || !isCheckable(link)) && <small>{record?.reason ?? describeUnchecked(link)}</small>}
      {state === 'broken' && partner === null && <a href={replace}>Replace everywhere</a>}
      {mayAccept && state === 'changed' && record !== null && isAcceptable(record) && (
        <ActionForm of="accept-link" action={buildConsoleAddress('content')} fields={{ url: key }}>
          <Submit className="text-button">
            That is right now<span className="hidden-text">: {key}</span>
          </Submit>
        </ActionForm>
      )}
    </>
  );
}
