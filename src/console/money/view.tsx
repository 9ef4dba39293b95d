import { formatDecimalAmount } from '../../core/commissions/money.ts';
import { MonthChart } from '../charts/charts.tsx';
import { useFrame, type ViewProps } from '../console-page.ts';
import { MoneyText } from '../frame/cells.tsx';
import { Block, DataTable, TableBlock, type TableColumn } from '../frame/data-table.tsx';
import { formatAmounts } from '../frame/earned-table.tsx';
import { ActionForm, Submit, TextField } from '../frame/forms.tsx';
import { CsvLink, OperatorLink } from '../frame/links.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import type { ReceivedPayment } from '../reports/cash.ts';
import {
  formatCount,
  formatDay,
  formatMoney,
  formatNumber,
  NO_FIGURE,
  nameMonth,
} from '../reports/format.ts';
import { describeRange } from '../reports/names.ts';
import { describePayout, sumOf } from '../reports/payments.ts';
import { type DueRow, isAskedSince, type readMoney } from './read.ts';

type MoneyModel = Awaited<ReturnType<typeof readMoney>>;
type Props = ViewProps<MoneyModel>;

const MAX_PAYMENTS = 5;
const LONG = { month: 'long', day: 'numeric', timeZone: 'UTC' } as const;
const longDay = (day: string) => new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', LONG);
const countSome = (amounts: MoneyModel['due']) => amounts.filter(({ amount }) => amount !== 0).length;
const has = (amounts: MoneyModel['due']) => countSome(amounts) > 0;
const isOrAre = (amounts: MoneyModel['due']) => (countSome(amounts) > 1 ? 'are' : 'is');

/** Who owes what, what comes in the next 60 days, and what arrived. */
export function MoneyView({ model }: Props) {
  const { query } = useFrame();
  const { rows, due, overdue, by, likely, received, thisMonth, today, payments } = model;
  const isEmpty = rows.length === 0 && payments.length === 0;
  if (isEmpty)
    return (
      <>
        <h1 className="sentence">Nothing is due. As soon as a partner reports, its payments stand here.</h1>
        <AllRows />
      </>
    );
  return (
    <>
      <h1 className="sentence">
        {by === null
          ? 'Nothing is due in the next 60 days'
          : `${formatAmounts(due)} ${isOrAre(due)} due by ${longDay(by)}`}
        {has(overdue) && `, and ${formatAmounts(overdue)} ${isOrAre(overdue)} overdue`}.
      </h1>
      <p className="lead">
        {has(likely) && <>Another {formatAmounts(likely)} is likely by then from pending commissions. </>}
        In {nameMonth(today)} you received <b>{formatAmounts(thisMonth)}</b>, {describeRange(query)}{' '}
        <b>{formatAmounts(received)}</b>.
      </p>
      <Overdue model={model} />
      <Due model={model} />
      <Received model={model} />
      <NotMatched model={model} />
    </>
  );
}

/** The link to what partners owe, where no table has it. */
const AllRows = () => (
  <p className="empty-note">
    <CsvLink />
  </p>
);

const NameCell = ({ partner, account, many }: { partner: string; account: string; many: boolean }) => {
  const { names } = useFrame();
  return (
    <>
      {names.partners.get(partner) ?? partner}
      {many && <small>{account}</small>}
    </>
  );
};

/** The form that says that a payment arrived, with amount and day as they stand on the account. */
function Arrived(props: {
  readonly payment: Pick<DueRow, 'partner' | 'account' | 'currency'> & { readonly day: string };
  readonly amount: number;
  readonly today: string;
  readonly question?: string;
}) {
  const { payment, amount, today, question = 'It arrived' } = props;
  const { partner, account, currency, day } = payment;
  if (amount <= 0) return null;
  return (
    <details className="menu" name="console-menu">
      <summary>{question}</summary>
      <ActionForm of="arrived" fields={{ partner, account, currency, day }} className="menu-panel form-grid">
        <TextField
          label="Amount on your account"
          name="amount"
          required
          inputMode="decimal"
          pattern="\d+(\.\d+)?"
          defaultValue={formatDecimalAmount(amount, currency)}
        />
        <TextField
          label="Currency"
          name="arrivedCurrency"
          required
          pattern="[A-Za-z]{3}"
          defaultValue={currency}
        />
        <label>
          Day
          <input type="date" name="arrivedDay" required max={today} defaultValue={[day, today].sort()[0]} />
        </label>
        <Submit>It arrived</Submit>
      </ActionForm>
    </details>
  );
}

const hasManyAccounts = (rows: readonly DueRow[]) =>
  new Set(rows.map(({ partner, account }) => `${partner} ${account}`)).size >
  new Set(rows.map(({ partner }) => partner)).size;

/** What one account of a partner owes, by day. */
type Owing = readonly [DueRow, ...DueRow[]];

function Overdue({ model: { rows, today } }: Props) {
  const overdue = rows.filter(({ group }) => group === 'overdue');
  const asked = rows.filter(({ group }) => group === 'asked');
  const waiting = rows.filter(({ group }) => group === 'waiting');
  const many = hasManyAccounts(rows);
  const { names } = useFrame();
  const groups = [
    ...Map.groupBy(overdue, (row) => `${row.partner} ${row.account} ${row.currency}`).values(),
  ].flatMap(([first, ...more]): Owing[] => (first === undefined ? [] : [[first, ...more]]));
  const byPartner = [...Map.groupBy(waiting, ({ partner, currency }) => `${partner} ${currency}`).values()];
  return (
    <>
      {overdue.length > 0 && (
        <TableBlock
          title="Overdue"
          note="Approved, and its day has passed."
          columns={[
            { name: 'Partner', render: ([row]: Owing) => <NameCell {...row} many={many} /> },
            {
              name: 'Owes',
              isNumeric: true,
              onPhone: 'lead',
              render: (own) => (
                <b>
                  <MoneyText
                    text={formatMoney(
                      sumOf(own, ({ approved }) => approved),
                      own[0].currency,
                    )}
                  />
                </b>
              ),
            },
            {
              name: 'Since',
              render: (own) => formatDay(own.map(({ day }) => day ?? '').sort()[0] ?? '', today),
            },
            {
              name: 'Commissions',
              isNumeric: true,
              render: (own) => formatNumber(sumOf(own, ({ count }) => count)),
            },
            {
              name: 'To do',
              render: (own) => (
                <span className="inline-flex flex-wrap items-center gap-x-4 gap-y-1">
                  <OperatorLink href={buildLetter(own[0].partner)}>Copy a message</OperatorLink>
                  {own.map(({ day, approved, ...payment }) =>
                    day === null ? null : (
                      <Arrived
                        key={day}
                        payment={{ ...payment, day }}
                        amount={approved}
                        today={today}
                        question={own.length === 1 ? 'It arrived' : `${formatDay(day, today)} arrived`}
                      />
                    ),
                  )}
                </span>
              ),
            },
          ]}
          rows={groups}
          getKey={([row]) => getKey(row)}
        />
      )}
      {asked.length > 0 && <Asked rows={asked} many={many} today={today} />}
      <p className="form-note">
        {byPartner.map((own) => {
          const [first] = own;
          if (first === undefined) return null;
          const count = sumOf(own, (row) => row.count);
          const pending = sumOf(own, (row) => row.pending);
          return (
            <span key={getKey(first)}>
              Waiting too long: {formatCount(count, 'commission')} of{' '}
              {names.partners.get(first.partner) ?? first.partner}, {formatMoney(pending, first.currency)}.{' '}
              <OperatorLink href={buildLetter(first.partner)}>Ask the partner</OperatorLink>.{' '}
            </span>
          );
        })}
      </p>
    </>
  );
}

/** How many payments are asked about at once; those before are in a fold. */
const ASKED = 2;

/** What partners that report no payments may have paid, the newest first. */
function Asked(props: { readonly rows: readonly DueRow[]; readonly many: boolean; readonly today: string }) {
  const { many, today } = props;
  const rows = props.rows.toSorted((one, other) => (other.day ?? '').localeCompare(one.day ?? ''));
  const columns: readonly TableColumn<DueRow>[] = [
    { name: 'Partner', render: (row: DueRow) => <NameCell {...row} many={many} /> },
    {
      name: 'Amount',
      isNumeric: true,
      onPhone: 'lead',
      render: ({ approved, currency }) => <MoneyText text={formatMoney(approved, currency)} />,
    },
    { name: 'Was due', render: ({ day }) => day !== null && formatDay(day, today) },
    {
      name: 'To do',
      render: ({ partner, account, currency, day, approved }) =>
        day !== null && (
          <Arrived
            payment={{ partner, account, currency, day }}
            amount={approved}
            today={today}
            question={isAskedSince(day, today) ? 'Did it arrive?' : 'It arrived'}
          />
        ),
    },
  ];
  const older = rows.slice(ASKED);
  const title = 'Did it arrive?';
  return (
    <>
      <TableBlock
        title={title}
        note="These partners never report a payment."
        isBoxed
        columns={columns}
        rows={rows.slice(0, ASKED)}
        getKey={getKey}
      />
      {older.length > 0 && (
        <details className="attention">
          <summary>{formatNumber(older.length)} before</summary>
          <div className="table-box">
            <DataTable caption={title} columns={columns} rows={older} getKey={getKey} />
          </div>
        </details>
      )}
    </>
  );
}

const buildLetter = (partner: string) =>
  `${buildConsoleAddress('partners', { filters: [{ dimension: 'partner', value: partner, isNot: false }] })}#overdue`;

const getKey = ({ partner, account, currency, day, group, state }: DueRow) =>
  `${group} ${state} ${partner} ${account} ${currency} ${day}`;

function Due({ model }: Props) {
  const { rows, today, until, due, duePending, currency } = model;
  const own = rows.filter(({ group }) => group === 'due');
  const many = hasManyAccounts(rows);
  const isForeign = own.some((row) => row.currency !== currency);
  const columns: readonly TableColumn<DueRow>[] = [
    { name: 'Partner', render: (row) => <NameCell {...row} many={many} /> },
    {
      name: 'Approved',
      isNumeric: true,
      onPhone: 'lead',
      render: (row) => (
        <b>{row.approved === 0 ? NO_FIGURE : <MoneyText text={formatMoney(row.approved, row.currency)} />}</b>
      ),
    },
    {
      name: 'Pending',
      isNumeric: true,
      render: (row) =>
        row.pending === 0 ? NO_FIGURE : <MoneyText text={formatMoney(row.pending, row.currency)} />,
    },
    { name: 'Pays on', render: ({ day }) => day !== null && formatDay([day, today].sort()[1] ?? day, today) },
    { name: 'Rule', render: ({ partner }) => <Rule model={model} partner={partner} /> },
    {
      name: 'To do',
      render: ({ partner, account, currency: code, day, approved }) =>
        day !== null && (
          <Arrived payment={{ partner, account, currency: code, day }} amount={approved} today={today} />
        ),
    },
  ];
  const total = isForeign ? (
    <>
      All, in {currency}
      <small>each at the rate of its own day</small>
    </>
  ) : (
    'All'
  );
  // The heading says so already.
  if (own.length === 0)
    return (
      <>
        <Later model={model} />
        <AllRows />
      </>
    );
  return (
    <Block
      title="Due in the next 60 days"
      note={`Until ${formatDay(until, '')}. Only commissions that exist already.`}
      links={<CsvLink />}
    >
      <DataTable
        caption="Payments that are due"
        columns={columns}
        rows={own}
        getKey={getKey}
        footer={[total, sumUp(due), sumUp(duePending), '', '', '']}
      />
      <Later model={model} />
    </Block>
  );
}

/** Amounts to the cent, one for each currency. */
const sumUp = (amounts: MoneyModel['due']) =>
  amounts.map(({ amount, currency }) => formatMoney(amount, currency)).join(' and ');

function Rule({ model, partner }: Props & { readonly partner: string }) {
  const payments = model.terms.get(partner);
  if (payments === undefined || payments.payout === null) return NO_FIGURE;
  const { payout, minimum, method } = payments;
  return [
    describePayout(payout).split(', ')[0],
    ...(minimum === null ? [] : [`from ${formatMoney(minimum.amount, minimum.currency)}`]),
    ...(method === null ? [] : [`by ${method}`]),
  ].join(', ');
}

/** What has no day, and what comes after the 60 days. */
function Later({ model: { rows, terms } }: Props) {
  const { names } = useFrame();
  const listGroup = (group: DueRow['group']) =>
    [
      ...Map.groupBy(
        rows.filter((row) => row.group === group),
        ({ partner }) => partner,
      ).values(),
    ].flatMap((own) => {
      const [first] = own;
      if (first === undefined) return [];
      const parts = (['approved', 'pending'] as const).flatMap((state) => {
        const byCurrency = Map.groupBy(own, (row) => row.currency);
        const sums = [...byCurrency].map(([code, of]) => [sumOf(of, (row) => row[state]), code] as const);
        const some = sums.filter(([sum]) => sum !== 0).map(([sum, code]) => formatMoney(sum, code));
        return some.length === 0 ? [] : [`${some.join(' and ')} ${state}`];
      });
      const name = names.partners.get(first.partner) ?? first.partner;
      return [{ name, partner: first.partner, text: parts.join(' and ') }];
    });
  const [without, later] = [listGroup('no day'), listGroup('later')];
  if (without.length + later.length === 0) return null;
  return (
    <p className="empty-note">
      {without.map(({ name, partner, text }) => (
        <span key={partner + text}>
          {name} does not say when it {terms.get(partner)?.payout ? 'approves' : 'pays'}: {text}.{' '}
          <OperatorLink href={buildConsoleAddress('content', {}, { rest: ['partners', `${partner}.yaml`] })}>
            Add the day
          </OperatorLink>
          .{' '}
        </span>
      ))}
      {later.length > 0 &&
        `After the 60 days: ${later.map(({ name, text }) => `${text} of ${name}`).join(', ')}.`}
    </p>
  );
}

function Received({ model }: Props) {
  const { months, payments, currency, today } = model;
  const { query } = useFrame();
  if (payments.length === 0) return null;
  const shown = payments.slice(0, MAX_PAYMENTS);
  return (
    <Block title="Received" id="received" note={`By the day of the payment, in ${currency}.`}>
      <MonthChart
        bars={months}
        currency={currency}
        label={`Received by month ${describeRange(query)}`}
        legend={['arrived', 'reported as paid by the partner']}
      />
      <details className="attention">
        <summary>{formatCount(payments.length, 'payment')}</summary>
        <div id="payments" className="table-box">
          <DataTable
            caption="Payments received"
            columns={[
              {
                name: 'Partner',
                render: ({ partner, account }) => (
                  <NameCell partner={partner} account={account} many={false} />
                ),
              },
              {
                name: 'Amount',
                isNumeric: true,
                onPhone: 'lead',
                render: ({ source }: MoneyModel['payments'][number]) => (
                  <b>
                    <MoneyText text={formatMoney(source.amount, source.currency)} />
                  </b>
                ),
              },
              { name: 'Day', render: ({ day }) => formatDay(day, today) },
              {
                name: 'State',
                render: ({ source }) => <PaymentState payment={source} today={today} />,
              },
            ]}
            rows={shown}
            getKey={({ partner, account, currency: code, day, arrival }) =>
              `${partner} ${account} ${code} ${day} ${arrival?.dueDay}`
            }
            empty="Nothing was received in this range."
          />
          {payments.length > shown.length && (
            <p className="empty-note">{formatNumber(payments.length - shown.length)} more in this range.</p>
          )}
        </div>
      </details>
    </Block>
  );
}

function PaymentState({ payment, today }: { readonly payment: ReceivedPayment; readonly today: string }) {
  const { partner, account, currency, day, amount, arrival } = payment;
  if (arrival === null)
    return (
      <>
        reported as paid{' '}
        <Arrived payment={{ partner, account, currency, day }} amount={amount} today={today} />
      </>
    );
  const { dueDay, covers } = arrival;
  const isOther = arrival.currency !== arrival.arrivedCurrency || covers !== arrival.amount;
  return (
    <>
      arrived{isOther && <small>{formatMoney(covers, arrival.currency)} was reported</small>}
      <ActionForm of="not-arrived" fields={{ partner, account, currency: arrival.currency, day: dueDay }}>
        <Submit className="text-button">Undo</Submit>
      </ActionForm>
    </>
  );
}

/** Money that no page gets because no click is known. */
function NotMatched({ model: { notMatched } }: Props) {
  if (notMatched.count === 0) return null;
  const { count, amounts } = notMatched;
  return (
    <p className="empty-note">
      {formatNumber(count)} {count === 1 ? 'commission names' : 'commissions name'} no click,{' '}
      {formatAmounts(amounts)} since the beginning.{' '}
      <OperatorLink href={buildConsoleAddress('unmatched')}>Match {count === 1 ? 'it' : 'them'}</OperatorLink>
    </p>
  );
}
