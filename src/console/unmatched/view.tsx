import type { UnmatchedReason } from '../../core/commissions/ledger/build-ledger.ts';
import { describePlacement } from '../../core/outbound/placement.ts';
import { useFrame, type ViewProps } from '../console-page.ts';
import { CommissionAmount, MoneyAmount, StatusTag, TimeText } from '../frame/cells.tsx';
import { Block, ListPager, TableBlock } from '../frame/data-table.tsx';
import { ActionForm, Submit, TextField } from '../frame/forms.tsx';
import { CommissionLink, TitledPage } from '../frame/links.tsx';
import { Statement } from '../frame/list.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatMoney, formatNumber } from '../reports/format.ts';
import type { CommissionRow } from '../reports/select-entries.ts';
import type { DecidedItem, readUnmatched, UnmatchedItem } from './read.ts';

const REASONS: Readonly<Record<UnmatchedReason, string>> = {
  'no-sub-id': 'It names no click.',
  'unknown-token': 'Its click is not stored.',
  'click-deleted': 'Its click is older than what is stored.',
  'test-message': 'The test button of the network.',
};

type UnmatchedProps = ViewProps<Awaited<ReturnType<typeof readUnmatched>>>;

const LIST = new Intl.ListFormat('en-US');

/** Commissions without a click, as a list to work through: assign, dismiss, undo. */
export function UnmatchedView({ model }: UnmatchedProps) {
  const { items, total, summaries, decided, differences, likely, matches } = model;
  const open = summaries
    .filter(({ unmatched }) => unmatched !== 0)
    .map(({ currency, unmatched }) => formatMoney(unmatched, currency));
  const [many, name, have] =
    total === 1 ? ['commission', 'names', 'It has'] : ['commissions', 'name', `${formatNumber(likely)} have`];
  const { exportHref } = useFrame();
  return (
    <>
      <Statement
        lead={total > 0 && 'No page gets them. Each stays in what you received.'}
        actions={
          matches.length > 0 && (
            <ActionForm of="match">
              {matches.map((match) => (
                <input key={match} type="hidden" name="match" value={match} />
              ))}
              <Submit>{`Match ${formatNumber(matches.length)}`}</Submit>
            </ActionForm>
          )
        }
      >
        {total === 0
          ? 'Every commission names its click.'
          : `${formatNumber(total)} ${many}, ${LIST.format(open)}, ${name} no click.`}
        {likely > 0 && ` ${have} a likely one.`}
      </Statement>
      {total > 0 && (
        <Block title="To decide" links={exportHref !== null && <a href={exportHref}>CSV</a>}>
          <ol>
            {items.map((item) => (
              <WorkItem key={buildKey(item.row)} item={item} model={model} />
            ))}
          </ol>
          <ListPager name="commissions" list={model} path={buildConsoleAddress('unmatched')} />
        </Block>
      )}
      {decided.length > 0 && (
        <Block title="Decided" note="The newest decisions that still apply.">
          <ul className="plain-list">
            {decided.slice(0, MAX_SHOWN).map((item) => (
              <Decision key={buildKey(item.row)} item={item} model={model} />
            ))}
          </ul>
          {decided.length > MAX_SHOWN && (
            <details className="attention">
              <summary>{formatNumber(decided.length - MAX_SHOWN)} before</summary>
              <ul className="plain-list">
                {decided.slice(MAX_SHOWN).map((item) => (
                  <Decision key={buildKey(item.row)} item={item} model={model} />
                ))}
              </ul>
            </details>
          )}
        </Block>
      )}
      <SourceDifferences differences={differences} />
    </>
  );
}

/** How many decisions are shown; the others are in a fold. */
const MAX_SHOWN = 3;

const buildKey = ({ partner, account, id }: CommissionRow) => `${partner} ${account} ${id}`;

function WorkItem({ item, model }: UnmatchedProps & { readonly item: UnmatchedItem }) {
  const { names } = useFrame();
  const { row, token } = item;
  const { partner, status, reason, bookedAt } = row;
  const heading = `unmatched-${encodeURIComponent(buildKey(row))}`;
  return (
    <li
      className="grid grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)] phone:grid-cols-[minmax(0,1fr)] gap-[.4rem_2rem] p-[.8rem_0] hairline-b focus:mx-[-.6rem] focus:px-[.6rem] focus:outline-2 focus:outline-accent focus:-outline-offset-2"
      tabIndex={-1}
      aria-labelledby={heading}
      data-work-item
    >
      <div className="work-facts">
        <p id={heading}>
          <CommissionAmount row={row} /> <StatusTag status={status} />{' '}
          {names.partners.get(partner) ?? partner} <CommissionLink row={row} />
        </p>
        <small>
          reported <TimeText time={bookedAt} />
          {reason !== null && ` · ${REASONS[reason]}`} {token !== '' && <code>{token}</code>}
        </small>
      </div>
      {model.canDecide && <WorkActions item={item} />}
    </li>
  );
}

/** The forms that decide about a commission: assign the suggestion or another click, dismiss. */
function WorkActions({ item: { row, suggestion } }: { readonly item: UnmatchedItem }) {
  const { partner, account, id } = row;
  const fields = { partner, account, id };
  const other = (
    <ActionForm of="assign" fields={fields}>
      <TextField
        label={<span className="hidden-text">Number of the click for {id}</span>}
        name="click"
        placeholder="Number of the click"
        required
        maxLength={600}
      />
      <Submit className="button button-quiet">Match</Submit>
    </ActionForm>
  );
  return (
    <div className="grid gap-2 justify-items-start phone:w-full [&_input]:w-[min(15rem,100%)] [&_.button]:whitespace-nowrap [&_form]:flex [&_form]:flex-wrap [&_form]:items-center [&_form]:gap-[.4rem_.7rem] phone:[&_form]:flex-nowrap phone:[&_:is(label,input)]:flex-[1_1_8rem] phone:[&_:is(label,input)]:min-w-0">
      {suggestion !== null && (
        <p className="text-muted text-small">
          {suggestion.basis === 'text' ? 'A text of the message names' : 'The only click near it'}:{' '}
          <TitledPage page={suggestion.page} />, {describePlacement(suggestion.placement)},{' '}
          <TimeText time={suggestion.clickedAt} />
        </p>
      )}
      <div className="flex flex-wrap items-center gap-[.4rem_.9rem] phone:w-full phone:[&>:has([type=text])]:flex-[1_1_100%] phone:[&>:has([type=text])]:max-w-136">
        {suggestion === null ? (
          other
        ) : (
          <ActionForm of="assign" fields={{ ...fields, click: suggestion.clickId }}>
            <Submit>
              Match<span className="hidden-text"> {id}</span>
            </Submit>
          </ActionForm>
        )}
        <ActionForm of="dismiss" fields={fields}>
          <Submit className="text-button">
            Dismiss<span className="hidden-text"> {id}</span>
          </Submit>
        </ActionForm>
        {suggestion !== null && (
          <details>
            <summary className="text-button">Another click</summary>
            {other}
          </details>
        )}
      </div>
    </div>
  );
}

function Decision({ item, model }: UnmatchedProps & { readonly item: DecidedItem }) {
  const { row, action, decidedAt } = item;
  const { partner, account, id } = row;
  return (
    <li>
      <CommissionLink row={row} /> <CommissionAmount row={row} />{' '}
      {action === 'dismiss' ? (
        'dismissed'
      ) : (
        <span>matched with {row.page === null ? 'a click' : <TitledPage page={row.page} />}</span>
      )}{' '}
      <TimeText time={decidedAt} now={model.now} />
      <ActionForm of="reset" fields={{ partner, account, id }}>
        <Submit className="text-button">
          Undo<span className="hidden-text"> the decision about {id}</span>
        </Submit>
      </ActionForm>
    </li>
  );
}

/** Commissions about which two sources disagree; nothing without any. */
function SourceDifferences({ differences }: Pick<UnmatchedProps['model'], 'differences'>) {
  const { partners } = useFrame().names;
  if (differences.length === 0) return null;
  return (
    <TableBlock
      title="Sources that disagree"
      note="What counts, and what another source reports."
      isBoxed
      columns={[
        { name: 'Commission', render: ({ id }) => id },
        { name: 'Partner', render: ({ partner }) => partners.get(partner) ?? partner },
        {
          name: 'Counts',
          isNumeric: true,
          onPhone: 'lead',
          render: ({ counted, currency }) => <MoneyAmount amount={counted} currency={currency} />,
        },
        {
          name: 'Reported elsewhere',
          isNumeric: true,
          render: ({ reported, currency }) => <MoneyAmount amount={reported} currency={currency} />,
        },
      ]}
      rows={differences}
      getKey={({ partner, id, currency }) => `${partner} ${id} ${currency}`}
    />
  );
}
