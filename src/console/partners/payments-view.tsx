import type { ViewProps } from '../console-page.ts';
import { MoneyAmount, TimeText } from '../frame/cells.tsx';
import { Block, DataTable, type TableColumn } from '../frame/data-table.tsx';
import { CommissionLink } from '../frame/links.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatCount, formatDay, formatNumber } from '../reports/format.ts';
import { countDays } from '../reports/range.ts';
import { buildCommissionRow } from '../reports/select-entries.ts';
import type { DueCommission, PaymentMessage } from './overdue.ts';
import type { OverdueDetail, readPartners } from './read.ts';

type PartnersModel = Awaited<ReturnType<typeof readPartners>>;
type PaymentProps = ViewProps<PartnersModel>;

/** More rows are in the list of commissions. */
const MAX_ROWS = 10;

/** The commissions that a partner is late with, and the message about them. */
export function OverduePayments({ overdue, model }: PaymentProps & { readonly overdue: OverdueDetail }) {
  const { partner, groups, message } = overdue;
  const rows = groups.flatMap(({ commissions }) => commissions);
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  const more = count - Math.min(rows.length, MAX_ROWS);
  const list = buildConsoleAddress('commissions', {
    range: 'all',
    filters: [{ dimension: 'partner', value: partner.key, isNot: false }],
    sort: { column: 'due', isDescending: false },
  });
  return (
    <Block title="Overdue" id="overdue" note="More than a week after the day on which it was due.">
      <PartnerMessage message={message} contact={partner.terms.payments.contact} />
      <details className="attention">
        <summary>{formatCount(count, 'commission')}</summary>
        <DataTable
          caption="Overdue commissions"
          columns={buildOverdueColumns(model)}
          rows={rows.slice(0, MAX_ROWS)}
          getKey={({ entry: { commission } }) => `${commission.account} ${commission.nativeId}`}
        />
        {more > 0 && (
          <p className="empty-note">
            And {formatNumber(more)} more: <a href={list}>all of them by due date</a>
          </p>
        )}
      </details>
    </Block>
  );
}

/** A message as text to copy, and as a link for a program that sends mail. */
function PartnerMessage(props: { readonly message: PaymentMessage; readonly contact: string | null }) {
  const { subject, body } = props.message;
  const query = new URLSearchParams({ subject, body }).toString().replaceAll('+', '%20');
  return (
    <div className="letter">
      <h3>Message to the partner manager</h3>
      <label htmlFor="letter-subject">Subject</label>
      <input type="text" id="letter-subject" readOnly defaultValue={subject} />
      <label htmlFor="letter-text">Text</label>
      <textarea
        id="letter-text"
        readOnly
        rows={Math.min(8, body.split('\n').length + 1)}
        defaultValue={body}
      />
      <p className="flex flex-wrap items-center gap-x-[.9rem] gap-y-[.4rem] pt-[.4rem]">
        <button type="button" className="button" data-copy="letter-text" data-needs-script hidden>
          Copy the text
        </button>
        <button
          type="button"
          className="button button-quiet"
          data-copy="letter-subject"
          data-needs-script
          hidden
        >
          Copy the subject
        </button>
        {props.contact !== null && <a href={`mailto:${props.contact}?${query}`}>Write to {props.contact}</a>}
        <span role="status" data-copy-status />
      </p>
    </div>
  );
}

function buildOverdueColumns({ today, now }: PartnersModel): readonly TableColumn<DueCommission>[] {
  return [
    { name: 'Commission', render: ({ entry }) => <CommissionLink row={buildCommissionRow(entry)} /> },
    {
      name: 'Amount',
      isNumeric: true,
      onPhone: 'lead',
      render: ({ entry: { commission } }) => (
        <MoneyAmount
          amount={commission.amount}
          currency={commission.currency}
          kind={commission.status === 'pending' ? 'pending' : 'approved'}
        />
      ),
    },
    {
      name: 'Reported',
      isNumeric: true,
      render: ({ entry }) => <TimeText time={entry.commission.eventTime} now={now} />,
    },
    {
      name: 'Due',
      isNumeric: true,
      render: ({ day, state }) => (
        <>
          {day !== null && formatDay(day, today)}
          <small>{state === 'approval overdue' ? 'approval' : 'payment'}</small>
        </>
      ),
    },
    {
      name: 'Late',
      isNumeric: true,
      render: ({ day }) => day !== null && `${formatNumber(countDays(day, today) - 1)} d`,
    },
  ];
}
