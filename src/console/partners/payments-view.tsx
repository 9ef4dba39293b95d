import type { ReactNode } from 'react';
import type { Payment, PaymentState } from '../../core/commissions/ledger/due-date.ts';
import type { Partner } from '../../core/outbound/partner.ts';
import { useFrame, type ViewProps } from '../console-page.ts';
import { buildFileAddress } from '../content/file-address.ts';
import { MoneyAmount, TimeText } from '../frame/cells.tsx';
import { Block, DataTable, FactRow, TableBlock, type TableColumn } from '../frame/data-table.tsx';
import { CommissionLink, OperatorLink } from '../frame/links.tsx';
import { addFilter, buildConsoleAddress } from '../reports/addresses.ts';
import { formatDay, formatMoney, formatNumber, NO_FIGURE } from '../reports/format.ts';
import { describePayout, type OtherMoney } from '../reports/payments.ts';
import { countDays } from '../reports/range.ts';
import { buildCommissionRow } from '../reports/select-entries.ts';
import type { DueCommission, PaymentMessage } from './overdue.ts';
import type { OverdueDetail, PaymentLine, readPartners } from './read.ts';

type PartnersModel = Awaited<ReturnType<typeof readPartners>>;
type PaymentProps = ViewProps<PartnersModel>;

/** When each partner pays how much: the next payment, the next 60 days, and what is overdue. */
export function PaymentTable({ model }: PaymentProps) {
  const { payments, today, partner } = model;
  const { query, viewer } = useFrame();
  const csv = buildConsoleAddress('partners', { ...query, sort: null }, PAYMENTS_CSV);
  return (
    <>
      <TableBlock
        title="Payments"
        id="payments"
        note="Paid in the last 60 days, and booked for the next 60, pending money by its approval rate. Expected has more to come."
        links={viewer.kind !== 'share' && <a href={csv}>CSV</a>}
        caption="Payments by partner"
        columns={buildLineColumns(today)}
        rows={payments}
        getKey={({ partner: key, account, outlook }) => `${key} ${account} ${outlook?.currency}`}
        empty="No partner passes the filters."
      />
      {partner !== null && <PaymentDays payments={payments.flatMap((line) => line.payments)} today={today} />}
    </>
  );
}

const PAYMENTS_CSV = { rest: ['payments'], suffix: '.csv' } as const;

function buildLineColumns(today: string) {
  return [
    { name: 'Partner', render: (line: PaymentLine) => <LineName line={line} /> },
    {
      name: 'Paid',
      isNumeric: true,
      render: ({ outlook }: PaymentLine) => (
        <MoneyAmount amount={outlook?.paid ?? null} currency={outlook?.currency ?? null} kind="paid" />
      ),
    },
    {
      name: 'Next payment',
      isNumeric: true,
      render: ({ outlook }: PaymentLine) => {
        const next = outlook?.dueDays[0];
        if (outlook === null || next === undefined) return <span className="no-figure">{NO_FIGURE}</span>;
        return (
          <>
            <MoneyAmount amount={next.expected} currency={outlook.currency} kind="expected" />
            <small>{next.day === today ? 'due now' : `due ${formatDay(next.day, today)}`}</small>
          </>
        );
      },
    },
    {
      name: 'Next 60 days',
      isNumeric: true,
      onPhone: 'lead' as const,
      render: ({ outlook }: PaymentLine) => (
        <MoneyAmount
          amount={outlook?.expected ?? null}
          currency={outlook?.currency ?? null}
          kind="expected"
        />
      ),
    },
    {
      name: 'Overdue',
      isNumeric: true,
      render: (line: PaymentLine) => <LineOverdue line={line} today={today} />,
    },
    {
      name: 'Later or without a date',
      isNumeric: true,
      render: ({ outlook }: PaymentLine) => <LineOthers outlook={outlook} />,
    },
  ];
}

/** A link to the view of one partner, or to a part of it. */
function PartnerLink(props: {
  readonly partner: string;
  readonly fragment?: '#overdue';
  readonly children: ReactNode;
}) {
  const { partner, fragment = '', children } = props;
  const query = addFilter({ ...useFrame().query, sort: null }, 'partner', partner);
  return <OperatorLink href={buildConsoleAddress('partners', query) + fragment}>{children}</OperatorLink>;
}

/** A link to the form in which the terms of a partner are stated. */
const TermsLink = ({ partner, children }: { readonly partner: string; readonly children: string }) => (
  <OperatorLink href={buildFileAddress(`partners/${partner}.yaml`, { at: 'payments' })}>
    {children}
  </OperatorLink>
);

function LineName({ line }: { readonly line: PaymentLine }) {
  const { partner, name, account, terms, outlook } = line;
  const parts = [outlook?.currency ?? '', account === 'main' ? '' : account].filter((part) => part !== '');
  return (
    <>
      <PartnerLink partner={partner}>{name}</PartnerLink>
      {parts.length > 0 && <small>{parts.join(', ')}</small>}
      <small>{terms.join('; ') || <TermsLink partner={partner}>add its terms</TermsLink>}</small>
    </>
  );
}

/** States that mean that money is late, with the word for each. */
const LATE_STATES: readonly (readonly [PaymentState, string])[] = [
  ['payment overdue', 'to be paid'],
  ['approval overdue', 'to be approved'],
];

function LineOverdue({ line, today }: { readonly line: PaymentLine; readonly today: string }) {
  const { partner, outlook, payments } = line;
  const late = LATE_STATES.flatMap(([state, word]) => {
    const own = payments.filter((payment) => payment.state === state);
    const amount = own.reduce((sum, { approved, pending }) => sum + approved + pending, 0);
    return own.length === 0 ? [] : [{ state, word, amount, since: own[0]?.day ?? today }];
  });
  if (outlook === null || late.length === 0) return <span className="no-figure">{NO_FIGURE}</span>;
  return late.map(({ state, word, amount, since }) => (
    <span key={state} className="stacked">
      <PartnerLink partner={partner} fragment="#overdue">
        <span className="money text-danger weight-600">{formatMoney(amount, outlook.currency)}</span>
      </PartnerLink>
      <small>
        {word} since {formatDay(since, today)}
      </small>
    </span>
  ));
}

/** What the other open money waits for. */
const OTHER_TEXTS: Readonly<Partial<Record<PaymentState, string>>> = {
  due: 'later',
  'carried over': 'below the minimum',
  'no date': 'without a date',
  'not confirmed': 'due, payments are not reported',
};

function LineOthers({ outlook }: { readonly outlook: PaymentLine['outlook'] }) {
  const others = listOthers(outlook?.others ?? new Map());
  if (outlook === null || others.length === 0) return <span className="no-figure">{NO_FIGURE}</span>;
  return others.map(({ state, text, amount }) => (
    <span key={state} className="stacked">
      <MoneyAmount amount={amount} currency={outlook.currency} />
      <small>{text}</small>
    </span>
  ));
}

/** Open money that no day of the next 60 has and that is not overdue, with what it waits for. */
export function listOthers(others: ReadonlyMap<PaymentState, OtherMoney>) {
  return [...others].flatMap(([state, { approved, pending, partners }]) => {
    const text = OTHER_TEXTS[state];
    return text === undefined ? [] : [{ state, text, amount: approved + pending, partners }];
  });
}

/** The list of the commissions of a payment. */
const buildPaymentAddress = ({ partner, account, currency, state, day }: Payment) =>
  buildConsoleAddress(
    'commissions',
    { currency, filters: [{ dimension: 'partner', value: partner, isNot: false }] },
    { extra: { payment: state, account, ...(day !== null && { due: day }) } },
  );

/** Every payment of one partner, by day. */
function PaymentDays({ payments, today }: { readonly payments: readonly Payment[]; readonly today: string }) {
  const money = (kind: 'paid' | 'approved' | 'pending' | 'expected') => ({
    name: `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`,
    isNumeric: true,
    render: (payment: Payment) => (
      <MoneyAmount amount={payment[kind]} currency={payment.currency} kind={kind} />
    ),
  });
  return (
    <TableBlock
      title="Due dates"
      note="Open payments of all time, and those of the last 60 days."
      caption="Payments by day"
      columns={[
        {
          name: 'Day',
          render: ({ day, state }) => (
            <>
              {day === null ? 'no day' : formatDay(day, today)}
              <small>{state}</small>
            </>
          ),
        },
        money('paid'),
        money('approved'),
        money('pending'),
        money('expected'),
        {
          name: 'Commissions',
          isNumeric: true,
          render: (payment) => (
            <OperatorLink href={buildPaymentAddress(payment)}>{formatNumber(payment.count)}</OperatorLink>
          ),
        },
      ]}
      rows={payments}
      getKey={({ state, day, account, currency }) => `${state} ${day} ${account} ${currency}`}
      empty="Nothing is open, and nothing was paid in the last 60 days."
    />
  );
}

/** What is known of the payments of a partner. */
export function PaymentTermList({ partner }: { readonly partner: Partner }) {
  const { viewer } = useFrame();
  const { approvalDays, payout, minimum, afterEnd, method, contact } = partner.terms.payments;
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Approval', approvalDays === null ? null : `within ${approvalDays} days of the booking`],
    ['Payment', payout && describePayout(payout)],
    ['Minimum', minimum && formatMoney(minimum.amount, minimum.currency)],
    ['If it ends', afterEnd && (afterEnd === 'stops' ? 'stops paying' : 'goes on paying for your customers')],
    ['Method', method],
    ['Contact', viewer.kind === 'share' ? null : contact],
  ];
  return (
    <Block title="Terms" links={<TermsLink partner={partner.key}>Edit</TermsLink>}>
      <dl className="facts">
        {facts
          .filter(([name, text]) => text !== null || name !== 'Contact')
          .map(([name, text]) => (
            <FactRow key={name} name={name}>
              {text ?? <span className="text-muted">not stated</span>}
            </FactRow>
          ))}
      </dl>
    </Block>
  );
}

/** More rows are in the list of commissions. */
const MAX_ROWS = 10;

/** The commissions that a partner is late with, and the message about them. */
export function OverduePayments({ overdue, model }: PaymentProps & { readonly overdue: OverdueDetail }) {
  const { partner, groups, message } = overdue;
  const rows = groups.flatMap(({ commissions }) => commissions);
  const more = groups.reduce((sum, { count }) => sum + count, 0) - Math.min(rows.length, MAX_ROWS);
  const list = buildConsoleAddress('commissions', {
    range: 'all',
    filters: [{ dimension: 'partner', value: partner.key, isNot: false }],
    sort: { column: 'due', isDescending: false },
  });
  return (
    <Block title="Overdue" id="overdue" note="More than a week after the day on which it was due.">
      <PartnerMessage message={message} contact={partner.terms.payments.contact} />
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
        rows={Math.min(24, body.split('\n').length + 1)}
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
      name: 'Booked',
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
