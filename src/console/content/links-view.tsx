import { nameKey } from '../../content-files/edit/plan-form.ts';
import { findPayeeFile, type PayeeChange } from '../../content-files/payee.ts';
import type { ContentUpdate, KnownLink } from '../../core/outbound/content-updates.ts';
import { isAcceptable, type LinkState } from '../../core/outbound/link-state.ts';
import { describeUnchecked } from '../../core/outbound/watched-links.ts';
import { useFrame, type ViewProps } from '../console-page.ts';
import { TimeText } from '../frame/cells.tsx';
import { Block, DataTable, type TableColumn } from '../frame/data-table.tsx';
import { ActionButton, ActionForm, Submit, useAction } from '../frame/forms.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatMoney, formatNumber, NO_FIGURE } from '../reports/format.ts';
import { buildFileAddress, buildPlaceAddress } from './file-address.ts';
import type { ContentTask, readContentView } from './read.ts';

const KIND_NAMES: Readonly<Record<ContentUpdate['kind'], string>> = {
  link: 'Link',
  price: 'Price',
  copy: 'Text',
  claim: 'Claim',
  launch: 'Check',
  unchecked: 'Link',
};

type PayeeValue = PayeeChange['values'][number];
const PAYEE_COLUMNS: readonly TableColumn<PayeeValue>[] = [
  { name: 'Field', render: ({ field }) => <span className="field-name">{field}</span> },
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

const CLAIM_KINDS: Readonly<Record<ContentTask['kind'], string>> = {
  unproven: 'No evidence',
  undated: 'Evidence without a day',
  old: 'Old evidence',
  contradiction: 'Contradiction',
  unused: 'Not used',
  sample: 'Sample quotation',
  prices: 'Old prices',
  stale: 'Price differs',
};

type AttentionModel = Extract<Awaited<ReturnType<typeof readContentView>>, { kind: 'attention' }>;
type AttentionFile = AttentionModel['files'][number];

/** What is not right any more on the site: a fold for each file, with the field of everything in it. */
export function AttentionList({ model }: ViewProps<AttentionModel>) {
  const { files, currency } = model;
  const { exportHref } = useFrame();
  return (
    <Block
      title="What to update first"
      id="first"
      note={
        currency === null
          ? 'By the clicks on the pages that show it, or to its partner, in the last 30 days.'
          : 'By what the pages that show it, or the clicks to its partner, brought in the last 30 days.'
      }
      links={exportHref !== null && <a href={exportHref}>CSV</a>}
    >
      {files.length === 0 && (
        <p className="empty-note">Every link, price and claim is in order as far as it was checked.</p>
      )}
      {files.map((one) => (
        <details key={one.file} className="attention" open={files.length === 1}>
          <summary>
            <b>{one.title || 'No one file'}</b> {formatNumber(one.items.length)}
            {currency !== null && one.amount > 0 && ` · ${formatMoney(one.amount, currency)}`}
          </summary>
          <ul>
            {one.items.map((item) => (
              <AttentionItem key={item.key} item={item} isOpen={one.isOpen} />
            ))}
          </ul>
        </details>
      ))}
    </Block>
  );
}

function AttentionItem({
  item,
  isOpen,
}: {
  readonly item: AttentionFile['items'][number];
  readonly isOpen: boolean;
}) {
  const { kind, text, file, details = [], pages, at = '' } = item;
  const names = [{ ...KIND_NAMES, ...CLAIM_KINDS }[kind], at.split('.').map(nameKey).join(' › ')];
  const notes = [...names, ...pages.slice(0, 3)].filter((part) => part !== '');
  return (
    <li>
      {isOpen ? <a href={buildPlaceAddress({ ...item, file })}>{text}</a> : text}
      <small>{notes.join(' · ')}</small>
      {details.map((detail) => (
        <small key={detail}>{detail}</small>
      ))}
    </li>
  );
}

const STATE_NAMES: Readonly<Record<LinkState, string>> = {
  unchecked: 'Unchecked',
  healthy: 'Healthy',
  changed: 'Changed',
  broken: 'Broken',
  inconclusive: 'Inconclusive',
};
const ORDER: readonly LinkState[] = ['broken', 'changed', 'inconclusive', 'unchecked', 'healthy'];
const MAX_LINKS = 100;

const getState = ({ record }: KnownLink) => record?.state ?? 'unchecked';
const canAccept = ({ record }: KnownLink) => record?.state === 'changed' && isAcceptable(record);

const ACCEPT_COLUMN: TableColumn<KnownLink> = {
  name: 'Change',
  render: (one) =>
    canAccept(one) ? (
      <ActionForm of="accept-link" action={buildConsoleAddress('content')} fields={{ url: one.link.url }}>
        <Submit className="text-button">
          Accept<span className="hidden-text"> what {one.link.url} has become</span>
        </Submit>
      </ActionForm>
    ) : (
      NO_FIGURE
    ),
};

function buildLinkColumns(now: number): readonly TableColumn<KnownLink>[] {
  return [
    {
      name: 'Link',
      render: ({ link: { url, partner, destinations } }) => (
        <>
          {partner === null ? '' : `${destinations.join(', ')}: `}
          <span className="wrap-anywhere">{url}</span>
        </>
      ),
    },
    { name: 'State', onPhone: 'lead', render: (one) => STATE_NAMES[getState(one)] },
    {
      name: 'Result',
      render: ({ link, record }) =>
        record === null ? (
          <span className="text-muted">{describeUnchecked(link)}</span>
        ) : (
          <>
            {record.reason}
            <small>
              since <TimeText time={record.since} now={now} />
              {record.evidence !== null && `, evidence ${record.evidence.id}`}
            </small>
          </>
        ),
    },
  ];
}

function LinkTable(props: {
  readonly caption: string;
  readonly links: readonly KnownLink[];
  readonly columns: readonly (TableColumn<KnownLink> | false)[];
}) {
  const rest = props.links.length - MAX_LINKS;
  return (
    <>
      <div className="table-box">
        <DataTable
          {...props}
          rows={props.links.slice(0, MAX_LINKS)}
          getKey={({ link }) => link.url}
          empty="No link is checked."
        />
      </div>
      {rest > 0 && <p>and {formatNumber(rest)} more</p>}
    </>
  );
}

/** Links with their states, what needs the operator first, and the form that accepts what one has become. */
export function WatchedLinks({ known, now }: { readonly known: readonly KnownLink[]; readonly now: number }) {
  const counts = ORDER.map((state) => ({
    state,
    count: known.filter((one) => getState(one) === state).length,
  }));
  const sorted = ORDER.flatMap((state) => known.filter((one) => getState(one) === state));
  const isQuiet = (one: KnownLink) => ['unchecked', 'healthy'].includes(getState(one));
  const [quiet, wrong] = [sorted.filter(isQuiet), sorted.filter((one) => !isQuiet(one))];
  const mayAccept = useAction('accept-link');
  const note = counts
    .filter(({ count }) => count > 0)
    .map(({ state, count }) => `${formatNumber(count)} ${STATE_NAMES[state].toLowerCase()}`)
    .join(', ');
  return (
    <Block title="Links" id="links" note={note === '' ? 'None.' : `${note}.`}>
      {(wrong.length > 0 || quiet.length === 0) && (
        <LinkTable
          caption="Links"
          links={wrong}
          columns={[...buildLinkColumns(now), mayAccept && wrong.some(canAccept) && ACCEPT_COLUMN]}
        />
      )}
      {quiet.length > 0 && (
        <details className="attention">
          <summary>
            <b>
              Show {wrong.length > 0 ? 'the other' : 'all'} {formatNumber(quiet.length)}
            </b>
          </summary>
          <LinkTable
            caption="Links that are healthy or unchecked"
            links={quiet}
            columns={buildLinkColumns(now)}
          />
        </details>
      )}
    </Block>
  );
}
