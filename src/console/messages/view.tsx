import { MESSAGE_STATES } from '../../core/contact/contact-message.ts';
import { useFrame, type ViewProps } from '../console-page.ts';
import { TimeText } from '../frame/cells.tsx';
import { Block, ListPager } from '../frame/data-table.tsx';
import { ActionForm, Submit } from '../frame/forms.tsx';
import { TitledPage } from '../frame/links.tsx';
import { Statement } from '../frame/list.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatNumber } from '../reports/format.ts';
import type { MessageRow, readMessages } from './read.ts';

type Props = ViewProps<Awaited<ReturnType<typeof readMessages>>>;

/** The messages of the contact form, with what was done with them. */
export function MessagesView({ model }: Props) {
  const { rows, state, counts } = model;
  const path = buildConsoleAddress('messages');
  const { exportHref } = useFrame();
  if (counts.new + counts.read + counts.answered === 0) return <Statement>No message yet.</Statement>;
  return (
    <>
      <Statement>{describeWaiting(counts)}</Statement>
      <nav className="segments" aria-label="Messages by state">
        <a className="segment" href={path} aria-current={state === null ? 'page' : undefined}>
          All
        </a>
        {MESSAGE_STATES.map((key) => (
          <a
            key={key}
            className="segment"
            href={`${path}?state=${key}`}
            aria-current={state === key ? 'page' : undefined}
          >
            {`${STATE_NAMES[key]} ${counts[key]}`}
          </a>
        ))}
      </nav>
      <Block
        title={state === null ? 'All messages' : STATE_NAMES[state]}
        links={
          exportHref !== null && <a href={`${exportHref}${state === null ? '' : `?state=${state}`}`}>CSV</a>
        }
      >
        {rows.length === 0 ? (
          <p className="empty-note">No message is {STATE_NAMES[state ?? 'new'].toLowerCase()}.</p>
        ) : (
          <ol>
            {rows.map((row) => (
              <Message key={row.id} row={row} model={model} />
            ))}
          </ol>
        )}
        <ListPager name="messages" list={model} path={path} />
      </Block>
    </>
  );
}

function describeWaiting({ new: waiting }: Props['model']['counts']): string {
  if (waiting > 0) return `${formatNumber(waiting)} ${waiting === 1 ? 'message waits' : 'messages wait'}.`;
  return 'No message waits.';
}

const STATE_NAMES = { new: 'New', read: 'Read', answered: 'Answered' } as const;

function Message({ row, model }: Props & { readonly row: MessageRow }) {
  const { names } = useFrame();
  const { id, name, topic, message, sentAt, page, state, isSuspicious } = row;
  return (
    <li className="message" id={`message-${id}`} data-state={state}>
      <header>
        <h3>{name}</h3>
        <p>
          {names.topics.get(topic) ?? topic} · <TimeText time={sentAt} /> · <TitledPage page={page} /> ·{' '}
          {STATE_NAMES[state].toLowerCase()}
          {isSuspicious && ' · perhaps sent by a program'}
        </p>
      </header>
      <p className="wrap-anywhere max-w-168 whitespace-pre-wrap">{message}</p>
      {model.canChange && <MessageActions row={row} />}
    </li>
  );
}

function MessageActions({ row: { id, name, email, state } }: { readonly row: MessageRow }) {
  const query = new URLSearchParams(useFrame().parameters);
  query.set('show', id);
  return (
    <div className="form-row">
      {email === null ? (
        <a href={`${buildConsoleAddress('messages')}?${query}#message-${id}`}>
          Answer<span className="hidden-text"> {name}: show the email address</span>
        </a>
      ) : (
        <a href={`mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`}>{email}</a>
      )}
      <ActionForm of="mark-message" fields={{ id }} className="form-row">
        {MESSAGE_STATES.filter((other) => other !== state).map((other) => (
          <button key={other} type="submit" name="state" value={other} className="text-button">
            {STATE_NAMES[other]}
            <span className="hidden-text">: mark the message of {name}</span>
          </button>
        ))}
      </ActionForm>
      <ActionForm of="delete-message" fields={{ id }} className="form-row">
        <Submit className="text-button danger-button">
          Delete<span className="hidden-text"> the message of {name}</span>
        </Submit>
      </ActionForm>
    </div>
  );
}
