import type { ReactNode } from 'react';
import { COMMISSION_STATUSES } from '../../core/commissions/ledger/commission-fact.ts';
import { MESSAGE_MEANINGS } from '../../core/commissions/ledger/message-mapping.ts';
import type { ViewProps } from '../console-page.ts';
import { StatusTag, TimeText } from '../frame/cells.tsx';
import { Block, DataTable, FactRow, TableBlock } from '../frame/data-table.tsx';
import { ActionForm, CurrencyField, Select, Submit, TextField, useAction } from '../frame/forms.tsx';
import { IMPORT_PATH } from '../reports/addresses.ts';
import { formatCount, formatMoney, formatNumber } from '../reports/format.ts';
import { MESSAGE_MEANING_NAMES, SOURCE_NAMES } from '../reports/names.ts';
import { AcceptFormer, NetworkFacts, PostbackList } from './connections.tsx';
import {
  buildNetworkAddress,
  type readNetwork,
  type readNetworkList,
  type readNewNetwork,
} from './networks.ts';
import { ExampleTable } from './unread.tsx';

type NetworkModel = NonNullable<Awaited<ReturnType<typeof readNetwork>>>;
type NewNetworkModel = NonNullable<Awaited<ReturnType<typeof readNewNetwork>>>;

const BackLink = ({ href, children }: { readonly href: string; readonly children: ReactNode }) => (
  <p className="back-link">
    <a href={href}>‹ {children}</a>
  </p>
);

/** Every network that is known. */
export function AllNetworks({ model: { rows } }: ViewProps<Awaited<ReturnType<typeof readNetworkList>>>) {
  return (
    <>
      <BackLink href={IMPORT_PATH}>Connections</BackLink>
      <h1 className="view-title">Networks</h1>
      <TableBlock
        title="Networks"
        note="Those of your partners come first. Your own are files in content/networks."
        columns={[
          { name: 'Network', render: ({ name, title }) => <a href={buildNetworkAddress(name)}>{title}</a> },
          { name: 'Level', render: ({ level }) => level },
          { name: 'Partners', render: ({ partners }) => partners.join(', ') },
          { name: 'Known', render: ({ ways }) => ways.join(', ') || 'the documented postback' },
          {
            name: 'Reversals',
            render: ({ reversal }) =>
              reversal === null ? 'known' : <span className="text-warning">not known</span>,
          },
        ]}
        rows={rows}
        getKey={({ name }) => name}
      />
    </>
  );
}

/** What a network is, how it is connected, and what came of it. */
export function NetworkView({ model }: ViewProps<NetworkModel>) {
  const { file, messages, unread, now } = model;
  return (
    <>
      <BackLink href={buildNetworkAddress()}>Networks</BackLink>
      <h1 className="view-title">{file.title}</h1>
      <KnownFacts model={model} />
      {model.postbacks.length > 0 && <PostbackList model={model} at={buildNetworkAddress(model.name)} />}
      <SecretList model={model} />
      <TestBlock model={model} />
      <TableBlock
        title="Last messages"
        note={
          unread > 0 && (
            <a href={`${IMPORT_PATH}#unread`}>{formatCount(unread, 'message')} could not be read.</a>
          )
        }
        columns={[
          { name: 'Commission', render: ({ nativeId }) => <code>{nativeId}</code> },
          {
            name: 'Amount',
            isNumeric: true,
            onPhone: 'lead',
            render: (one) => formatMoney(one.amount, one.currency),
          },
          { name: 'Status', render: ({ status }) => <StatusTag status={status} /> },
          { name: 'Way', render: ({ source }) => SOURCE_NAMES[source] },
          {
            name: 'Arrived',
            isNumeric: true,
            render: ({ arrivedAt }) => <TimeText time={arrivedAt} now={now} />,
          },
        ]}
        rows={messages}
        getKey={({ sequence }) => String(sequence)}
        empty="No message has arrived yet."
      />
    </>
  );
}

const LEVELS: Readonly<Record<string, string>> = {
  tried: 'Tried: a real message was stored',
  documented: 'Documented by the network, not tried here',
  guessed: 'Guessed from other programs, not tried here',
};
const MARKS = {
  documented: 'documented',
  code: 'seen in code',
  secondary: 'from a secondary source',
} as const;
const PARTS = {
  push: 'Messages',
  interface: 'Interface',
  report: 'Reports',
  link: 'Links',
  status: 'Status',
  payments: 'Payments',
} as const;

function KnownFacts({ model: { name, level, file, partners, sync, now } }: ViewProps<NetworkModel>) {
  const { seen, sources, reversal } = file;
  const marks = Object.entries(PARTS).flatMap(([part, text]) => {
    const mark = seen[part as keyof typeof PARTS];
    return mark === undefined ? [] : [`${text}: ${MARKS[mark]}`];
  });
  return (
    <Block title="What is known" note={partners.map((one) => one.name).join(', ') || 'No partner is on it.'}>
      {reversal === 'unknown' && (
        <p className="text-warning">
          How {file.title} reports a reversal is not known: a commission that it takes back may go on
          counting.
        </p>
      )}
      <dl className="facts">
        <FactRow name="How sure">{[LEVELS[level], ...marks].join(' · ')}</FactRow>
        <NetworkFacts file={file} />
        {sync !== null && (
          <FactRow name="Interface">
            read <TimeText time={sync.at} now={now} />
            {sync.state === 'failed' && <span className="text-danger">, failed: {sync.problem}</span>}
          </FactRow>
        )}
        <FactRow name="Sources">{sources.map(({ text, day }) => `${text} (${day})`).join('; ')}</FactRow>
        <FactRow name="File">
          <code>networks/{name}.yaml</code>
        </FactRow>
      </dl>
    </Block>
  );
}

const USES = {
  interface: 'Needed to read the interface',
  optional: 'Optional for the interface',
  signature: 'Signs messages',
  encryption: 'Encrypts messages',
} as const;

function SecretList({ model }: ViewProps<NetworkModel>) {
  const { name: network, secrets, storesSecrets, isConfirmed, now } = model;
  const maySet = useAction('set-secret') && storesSecrets;
  if (secrets.length === 0) return null;
  return (
    <Block
      title="Secrets"
      id="secrets"
      note={
        storesSecrets
          ? 'Stored in the data folder for the site alone, and never shown again. A variable of the environment wins.'
          : 'Set them as secrets of the platform: wrangler secret put NAME.'
      }
    >
      {maySet && !isConfirmed && (
        <ActionForm of="unlock-secrets" fields={{ network }} className="form-row">
          <Submit className="button button-quiet">Change secrets</Submit>
          <p className="form-note">You give your password first, so that no page repeats what you type.</p>
        </ActionForm>
      )}
      {secrets.map((row) => (
        <fieldset
          key={row.name}
          className="m-[1.2rem_0] p-[.4rem_0_0] hairline-t [&_legend]:pr-[.7rem] [&_legend]:weight-600"
        >
          <legend>
            <code>{row.name}</code>
          </legend>
          <p>
            {USES[row.use]}: <SecretState row={row} now={now} />
          </p>
          <FormerSecret row={row} now={now} />
          {maySet && isConfirmed && <SecretForm row={row} network={network} />}
        </fieldset>
      ))}
    </Block>
  );
}

type SecretRow = NetworkModel['secrets'][number];

function SecretState({ row, now }: { readonly row: SecretRow; readonly now: number }) {
  const { isInEnvironment, isMissing, set, lastUsedAt } = row;
  if (isMissing)
    return <span className="text-danger">typed in and gone: type it in again, or remove it.</span>;
  if (!isInEnvironment && set === null) return <span className="text-muted">not set.</span>;
  return (
    <>
      {isInEnvironment ? (
        `in the environment${set === null ? '' : ', which wins over what was typed in'}`
      ) : (
        <>
          set <TimeText time={set?.at ?? 0} /> by {set?.by}
        </>
      )}
      {lastUsedAt !== null && (
        <>
          , last used <TimeText time={lastUsedAt} now={now} />
        </>
      )}
      .
    </>
  );
}

/** Until when the former secret is accepted, and whether anybody still uses it. */
function FormerSecret({ row: { former }, now }: { readonly row: SecretRow; readonly now: number }) {
  if (former === null) return null;
  const { until, lastUsedAt } = former;
  return (
    <p className="text-muted">
      The former one is accepted until <TimeText time={until} />,{' '}
      {lastUsedAt === null ? (
        'and was not used yet'
      ) : (
        <>
          last used <TimeText time={lastUsedAt} now={now} />
        </>
      )}
      .
    </p>
  );
}

function SecretForm({ row, network }: { readonly row: SecretRow; readonly network: string }) {
  const { name, use, set, isInEnvironment, isMissing } = row;
  if (isInEnvironment) return null;
  const isRenewed = set !== null && (use === 'signature' || use === 'encryption');
  return (
    <>
      <ActionForm
        of="set-secret"
        fields={{ network, name, ...(!isRenewed && { days: '0' }) }}
        className="form-row"
        autoComplete="off"
      >
        <TextField
          label={<span className="hidden-text">Text of {name}</span>}
          type="password"
          name="secret"
          required
          maxLength={2_000}
          autoComplete="off"
          placeholder={set === null ? 'Type it in' : 'Type the new one in'}
        />
        {isRenewed && <AcceptFormer label="Accept the former" />}
        <Submit className="button button-quiet">
          Store<span className="hidden-text"> {name}</span>
        </Submit>
      </ActionForm>
      {(set !== null || isMissing) && (
        <ActionForm of="remove-secret" fields={{ network, name }}>
          <Submit className="text-button">
            Remove<span className="hidden-text"> {name}</span>
          </Submit>
        </ActionForm>
      )}
    </>
  );
}

type Replayed = NetworkModel['replayed'][number];

function TestBlock({ model: { replayed, unshown } }: ViewProps<NetworkModel>) {
  const wrong = replayed.filter(({ problem }) => problem !== null).length;
  const found = wrong === 0 ? 'each becomes what the file says' : `${wrong} become something else`;
  return (
    <Block
      title="Test"
      note={[`The messages of its file, read just now without storing them: ${found}.`, ...unshown].join(' ')}
    >
      <DataTable
        caption="Messages of the file, and what they become"
        columns={[
          {
            name: 'Message',
            render: ({ name, is }) => (
              <>
                {name}
                <small>{is}</small>
              </>
            ),
          },
          { name: 'Becomes', render: (one) => <Outcome of={one} /> },
        ]}
        rows={replayed}
        getKey={({ name }) => name}
      />
    </Block>
  );
}

function Outcome({ of: { becomes, problem } }: { readonly of: Replayed }) {
  const texts = {
    test: 'a test, which counts nothing',
    ignored: 'nothing',
    unread: 'a question to you',
  } as const;
  return (
    <>
      {typeof becomes === 'string'
        ? texts[becomes]
        : becomes
            .map(({ id, status, amount, currency }) => `${id}: ${formatMoney(amount, currency)}, ${status}`)
            .join('; ')}
      {problem !== null && <small className="text-danger">{problem}</small>}
    </>
  );
}

/** Asks what the fields of unread messages mean, shows what they become, and writes the file of a network. */
export function NewNetworkView({ model }: ViewProps<NewNetworkModel>) {
  const { partnerName, former, count, text, problem, examples, refusal, name } = model;
  const isReadable = examples.some(({ report }) => report !== null);
  return (
    <>
      <BackLink href={`${IMPORT_PATH}#unread`}>Connections</BackLink>
      <h1 className="view-title">A network of messages of {partnerName}</h1>
      <Block
        title="What its fields mean"
        note={`${count === 1 ? 'One message has' : `${formatNumber(count)} messages have`} these fields. Nothing is written before you have seen what they become.`}
      >
        <ChoiceForm model={model} />
      </Block>
      <Block title="What they become">
        {problem !== null && <p className="text-danger">Not yet: {problem}.</p>}
        <ExampleTable
          caption="What the newest messages become by this network"
          examples={examples}
          now={model.now}
        />
        {text !== null && (
          <details className="raw-message">
            <summary>The file networks/{name}.yaml</summary>
            <pre>{text}</pre>
          </details>
        )}
        {refusal !== null && <p className="empty-note">{refusal}</p>}
        {refusal === null && problem === null && isReadable && (
          <ActionForm of="make-network" fields={listChosen(model)} className="form-row">
            <Submit>Write networks/{name}.yaml</Submit>
            <p className="form-note">
              {partnerName} is read by it from then on: <code>network: {name}</code> in its file
              {former !== null && `, and no longer by the interface and the reports of ${former}`}. Add a
              message of a reversal when one arrives.
            </p>
          </ActionForm>
        )}
      </Block>
    </>
  );
}

/** What was chosen, by the names of the form's fields. */
function listChosen({ message, name, title, choice, others }: NewNetworkModel): Record<string, string> {
  const { means, words, unit, dates = '', currency = '' } = choice;
  return {
    message,
    name,
    title,
    unit,
    dates,
    currency,
    ...Object.fromEntries([...means].map(([path, meaning]) => [`means ${path}`, meaning])),
    ...Object.fromEntries(Object.entries(words).map(([word, status]) => [`word ${word}`, status])),
    ...Object.fromEntries(
      others.flatMap(({ at, word, status }) => [
        [`other-word-${at}`, word],
        [`other-status-${at}`, status],
      ]),
    ),
  };
}

const STATUSES = COMMISSION_STATUSES.map((status) => [status, status] as const);

/** Sending it shows what the messages become, and changes nothing. */
function ChoiceForm({ model }: ViewProps<NewNetworkModel>) {
  const { message, name, title, fields, choice, others } = model;
  const { means, found, words, unit, dates = 'month-first', currency = '' } = choice;
  return (
    <form method="get" className="form-grid">
      <input type="hidden" name="message" value={message} />
      <TextField
        label="Name of the file"
        name="name"
        defaultValue={name}
        pattern="[a-z0-9\-]{1,40}"
        required
      />
      <TextField label="Name of the network" name="title" defaultValue={title} maxLength={60} required />
      {fields.map(({ path, text }) => (
        <Select
          key={path}
          label={`${path}: ${text.slice(0, 40)}`}
          name={`means ${path}`}
          defaultValue={means.get(path) ?? ''}
          options={MESSAGE_MEANINGS.map((meaning) => [meaning, MESSAGE_MEANING_NAMES[meaning]])}
        >
          <option value="">not needed</option>
        </Select>
      ))}
      <Select label="Amounts are written" name="unit" defaultValue={unit}>
        <option value="decimal">as decimals: 12.50</option>
        <option value="minor">in cents: 1250</option>
        <option value="fractions">in cents with decimals: 1250.4</option>
      </Select>
      <Select label="Dates such as 03/04/2026" name="dates" defaultValue={dates}>
        <option value="month-first">begin with the month</option>
        <option value="day-first">begin with the day</option>
      </Select>
      <CurrencyField label="Currency, where a message names none" defaultValue={currency} />
      {found.map((word) => (
        <Select
          key={word}
          label={`Status “${word.slice(0, 40)}” means`}
          name={`word ${word}`}
          defaultValue={words[word] ?? ''}
          options={STATUSES}
        >
          <option value="">as usual</option>
        </Select>
      ))}
      {found.length > 0 &&
        others.map(({ at, word, status }) => (
          <div key={at} className="form-row">
            <TextField
              label="Another word of status"
              name={`other-word-${at}`}
              defaultValue={word}
              placeholder="declined"
            />
            <Select label="means" name={`other-status-${at}`} defaultValue={status} options={STATUSES}>
              <option value="">not said</option>
            </Select>
          </div>
        ))}
      <Submit className="button button-quiet">Show what they become</Submit>
    </form>
  );
}
