import type { UnmatchedReason } from '../../core/commissions/ledger/build-ledger.ts';
import { describePlacement } from '../../core/outbound/placement.ts';
import type { LedgerDifference } from '../../stores/commission-sums.ts';
import { useFrame, type ViewProps } from '../console-page.ts';
import { CommissionAmount, MetricName, MoneyAmount, StatusTag, TimeText } from '../frame/cells.tsx';
import { Block, ListPager, TableBlock } from '../frame/data-table.tsx';
import { ActionForm, Submit, TextField } from '../frame/forms.tsx';
import { CommissionLink, TitledPage } from '../frame/links.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatMoney, formatNumber, formatShare } from '../reports/format.ts';
import type { CommissionRow } from '../reports/select-entries.ts';
import type { DecidedItem, readUnmatched, UnmatchedItem } from './read.ts';

const REASONS: Readonly<Record<UnmatchedReason, string>> = {
  'no-sub-id': 'The network reported no sub-id.',
  'unknown-token': 'The sub-id names no stored click.',
  'click-deleted': 'The click is older than the stored events.',
  'test-message': 'The test button of the network.',
};

type UnmatchedProps = ViewProps<Awaited<ReturnType<typeof readUnmatched>>>;

/** Commissions without a click, as a list to work through: assign, dismiss, undo. */
export function UnmatchedView({ model }: UnmatchedProps) {
  const { items, total, summaries, decided, differences } = model;
  const { exportHref } = useFrame();
  return (
    <>
      {summaries.length > 0 && (
        <ul className="sum-line">
          {summaries.map(({ currency, unmatched, matchRate }) => (
            <li key={currency}>
              <b>{formatShare(matchRate)}</b> of the money in {currency}{' '}
              <MetricName metric="matchRate" name="found its click" /> since the beginning,{' '}
              {formatMoney(unmatched, currency)} did not
            </li>
          ))}
        </ul>
      )}
      <Block
        title={total === 0 ? 'Nothing to decide' : `${formatNumber(total)} to decide`}
        links={exportHref !== null && <a href={exportHref}>CSV</a>}
      >
        {items.length === 0 ? (
          <p className="empty-note">No commission is waiting for a decision.</p>
        ) : (
          <ol>
            {items.map((item) => (
              <WorkItem key={buildKey(item.row)} item={item} model={model} />
            ))}
          </ol>
        )}
        <ListPager name="commissions" list={model} path={buildConsoleAddress('unmatched')} />
      </Block>
      {decided.length > 0 && (
        <Block title="Decided" note="The newest decisions that still apply.">
          <ul className="plain-list">
            {decided.map((item) => (
              <Decision key={buildKey(item.row)} item={item} model={model} />
            ))}
          </ul>
        </Block>
      )}
      <SourceDifferences differences={differences} />
    </>
  );
}

const buildKey = ({ partner, account, id }: CommissionRow) => `${partner} ${account} ${id}`;

function WorkItem({ item, model }: UnmatchedProps & { readonly item: UnmatchedItem }) {
  const { names } = useFrame();
  const { row, token } = item;
  const { partner, status, reason, bookedAt } = row;
  const heading = `unmatched-${encodeURIComponent(buildKey(row))}`;
  return (
    <li className="work-item" tabIndex={-1} aria-labelledby={heading} data-work-item>
      <div className="work-facts">
        <p id={heading}>
          <CommissionAmount row={row} /> <StatusTag status={status} />{' '}
          {names.partners.get(partner) ?? partner} <CommissionLink row={row} />
        </p>
        <small>
          booked <TimeText time={bookedAt} />
          {reason !== null && ` · ${REASONS[reason]}`}
          {token !== '' && (
            <>
              {' '}
              Sub-id: <code>{token}</code>
            </>
          )}
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
  return (
    <div className="work-actions">
      {suggestion !== null && (
        <ActionForm of="assign" fields={{ ...fields, click: suggestion.clickId }}>
          <p className="text-muted text-small basis-full">
            {suggestion.basis === 'text'
              ? 'A text of the message names a click'
              : 'The only click to the partner near the reported time'}
            : <TitledPage page={suggestion.page} />, {describePlacement(suggestion.placement)},{' '}
            <TimeText time={suggestion.clickedAt} />
          </p>
          <Submit>Assign</Submit>
        </ActionForm>
      )}
      <div className="work-choices">
        <ActionForm of="assign" fields={fields}>
          <TextField
            label={<span className="hidden-text">Click number or sub-id for {id}</span>}
            name="click"
            placeholder="Click number or sub-id"
            required
            maxLength={600}
          />
          <Submit className="button button-quiet">Assign to this click</Submit>
        </ActionForm>
        <ActionForm of="dismiss" fields={fields}>
          <Submit className="text-button">
            Dismiss<span className="hidden-text"> {id}</span>
          </Submit>
        </ActionForm>
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
        <span>assigned to {row.page === null ? 'a click' : <TitledPage page={row.page} />}</span>
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
function SourceDifferences({ differences }: { readonly differences: readonly LedgerDifference[] }) {
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
