import { MonthChart, PartsChart } from '../charts/charts.tsx';
import { formatMonth } from '../charts/month-chart.ts';
import { useFrame, type ViewProps } from '../console-page.ts';
import { buildFileAddress } from '../content/file-address.ts';
import { MoneyAmount } from '../frame/cells.tsx';
import { Block, showColumns, TableBlock } from '../frame/data-table.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatNumber, formatShare, formatShortMoney } from '../reports/format.ts';
import { addMonths } from '../reports/range.ts';
import {
  EXPECTED_COLUMNS,
  type Likely,
  MAX_SHARES,
  MIN_CUSTOMERS,
  type readDependence,
  type readExpected,
} from './outlook.ts';
import { PartnerMessage } from './payments-view.tsx';

type ExpectedModel = Awaited<ReturnType<typeof readExpected>>;
type DependenceModel = Awaited<ReturnType<typeof readDependence>>;
type Kind = keyof typeof MAX_SHARES;

/** Estimates are as exact as three digits. */
function formatRange({ low, high }: Likely, currency: string): string {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, high))) - 2);
  const [from, to] = [low, high].map((end) => formatShortMoney(Math.round(end / step) * step, currency));
  return `${from} to ${to}`;
}

/** What would be gone without one partner, and what the money hangs on. */
export function DependenceView({ model }: ViewProps<DependenceModel>) {
  const { customers, partner, currency } = model;
  if (customers < MIN_CUSTOMERS || partner === null)
    return (
      <p className="empty-note">
        Too few customers to speak of dependence. It begins with {MIN_CUSTOMERS}; you have{' '}
        {formatNumber(customers)}.
      </p>
    );
  const name = model.names.partners.get(partner.key) ?? partner.key;
  const { lost, gone, afterEnd } = model;
  const alone = model.seconds.find(({ second, file }) => second === null && file !== '');
  return (
    <>
      <p className="mt-5 max-w-[44rem] font-display text-[1.7rem] weight-640">
        {formatShare(partner.share)} of your money comes from {name}. Without it, the next 12 months would
        bring {formatRange(afterEnd === 'pays-on' ? gone : lost, currency)} less.
      </p>
      {afterEnd !== 'stops' && (
        <p className="pt-[.9rem]">
          {afterEnd === null
            ? `Only ${formatRange(gone, currency)} less if it goes on paying for your customers. Whether it does is not known.`
            : 'By its terms it goes on paying for the customers you have brought.'}
        </p>
      )}
      {alone !== undefined && (
        <p className="pt-[.9rem]">
          <a className="button" href={buildFileAddress(alone.file)}>
            Add a second partner to “{model.names.pages.get(alone.page) ?? alone.page}”
          </a>
        </p>
      )}
      <NextMonths model={model} />
      <RecurringList model={model} name={name} />
      <div className="columns">
        <ShareList model={model} kind="partner" />
        <ShareList model={model} kind="source" />
      </div>
      <SecondPartners model={model} name={name} />
      <ShareList model={model} kind="page" />
    </>
  );
}

const STAYING = { 'pays-on': 'Present customers, paid on', stops: 'Present customers, gone too' } as const;

/** All that is likely to come, by what becomes of it without the partner. */
function NextMonths({ model }: ViewProps<DependenceModel>) {
  const { gone, recurring, second, others, afterEnd, currency, message, contact } = model;
  const parts = (
    [
      ['chart-reversed', 'Gone, from new customers that no other link keeps', gone],
      [
        'chart-clicks',
        afterEnd === null ? 'Depends on its terms, from present customers' : STAYING[afterEnd],
        recurring,
      ],
      ['chart-pending', 'Others take over, by second links', second],
      ['chart-approved', 'Not touched, from other partners', others],
    ] as const
  ).map(([variant, name, likely]) => ({
    ...{ variant, name, amount: likely.middle, range: formatRange(likely, currency) },
  }));
  const all = parts.reduce((sum, { amount }) => sum + amount, 0);
  return (
    <Block
      title="Next 12 months"
      note="By the day of booking, with clicks still to come, which Expected leaves out. In 8 of 10 cases, within each range."
    >
      <PartsChart
        finding={`Most likely ${formatShortMoney(all, currency)} as it is now, by what would become of it.`}
        {...{ parts, currency }}
      />
      {afterEnd === null && (
        <details className="attention mt-4">
          <summary>
            <b>Ask your partner manager what becomes of present customers</b>
          </summary>
          <PartnerMessage message={message} contact={contact} />
        </details>
      )}
    </Block>
  );
}

/** More are in the rankings. */
const MAX_ROWS = 4;

function ShareList({ model, kind }: ViewProps<DependenceModel> & { readonly kind: Kind }) {
  const rows = model[`${kind}s`];
  const named = kind === 'source' ? new Map<string, string>() : model.names[`${kind}s`];
  return (
    <TableBlock
      title={`Share by ${kind}`}
      note={`Last 12 months by booking day. Above ${MAX_SHARES[kind] * 100}%: a task.`}
      columns={[
        {
          name: kind === 'partner' ? 'Partner' : kind === 'page' ? 'Page' : 'Source',
          render: ({ key }) =>
            kind === 'partner' && key !== model.partner?.key ? (
              <a
                href={buildConsoleAddress('partners', {}, { rest: ['dependence'], extra: { partner: key } })}
              >
                {named.get(key) ?? key}
              </a>
            ) : (
              (named.get(key) ?? (key || 'no click found'))
            ),
        },
        {
          name: 'Share',
          isNumeric: true,
          onPhone: 'lead',
          render: ({ key, share }) => (
            <span className={key !== '' && share > MAX_SHARES[kind] ? 'text-warning weight-600' : undefined}>
              {formatShare(share)}
            </span>
          ),
        },
        {
          name: 'Money',
          isNumeric: true,
          render: ({ amount }) => <MoneyAmount amount={amount} currency={model.currency} />,
        },
      ]}
      rows={rows.slice(0, MAX_ROWS)}
      getKey={({ key }) => key}
    />
  );
}

function RecurringList({ model, name }: ViewProps<DependenceModel> & { readonly name: string }) {
  const { ahead, recurring, currency, today, customersNow, leaving } = model;
  return (
    <Block
      title={`What present customers of ${name} still bring`}
      note="By the day of booking. Expected has the same money in the month in which it is paid."
    >
      {recurring.middle === 0 ? (
        <p className="empty-note">No customer has paid a second time in these 12 months.</p>
      ) : (
        <MonthChart
          finding={`${formatRange(recurring, currency)} in 12 months. ${formatNumber(customersNow)} paid in the last full month; ${formatNumber(leaving * 1000)} of 1,000 leave each month.`}
          bars={ahead.map(({ low, middle, high }, index) => ({
            ...{ month: addMonths(`${today.slice(0, 7)}-01`, index).slice(0, 7), isOver: false },
            ...{ certain: 0, likely: middle, low, high },
          }))}
          currency={currency}
        />
      )}
    </Block>
  );
}

function SecondPartners({ model, name }: ViewProps<DependenceModel> & { readonly name: string }) {
  const { seconds, names, currency } = model;
  return (
    <TableBlock
      title="Pages and their second partner"
      note={`The ${formatNumber(Math.min(MAX_ROWS, seconds.length))} with the most money of ${name}. Of ten readers, two to eight take the second link.`}
      columns={[
        { name: 'Page', render: ({ page }) => names.pages.get(page) ?? page },
        {
          name,
          isNumeric: true,
          onPhone: 'lead',
          render: ({ amount }) => <MoneyAmount amount={amount} currency={currency} />,
        },
        {
          name: 'Second-best partner',
          render: ({ second }) =>
            second === null ? (
              <span className="text-warning">None on this page</span>
            ) : (
              (names.partners.get(second.partner) ?? second.partner)
            ),
        },
        {
          name: 'It would bring',
          isNumeric: true,
          render: ({ second }) => (second === null ? '–' : formatRange(second.brings, currency)),
        },
        {
          name: 'Work',
          render: ({ file, second }) =>
            file === '' ? (
              '–'
            ) : (
              <a href={buildFileAddress(file)}>
                {second === null ? 'Add a second partner' : 'Edit this page'}
              </a>
            ),
        },
      ]}
      rows={seconds.slice(0, MAX_ROWS)}
      getKey={({ page }) => page}
      empty="No money of this partner has found its page."
    />
  );
}

/** What is expected to be paid in each of the next 12 months. */
export function ExpectedView({ model }: ViewProps<ExpectedModel>) {
  const { rows, currency, overdue, undated } = model;
  const [now, next = now] = rows;
  if (model.total.middle + overdue + undated === 0 || next === undefined)
    return (
      <p className="empty-note">
        Nothing is due. As soon as a network reports, its payments stand here by month.
      </p>
    );
  return (
    <>
      <p className="mt-5 max-w-[44rem] font-display text-[1.7rem] weight-640">
        {formatMonth(next.month)} is likely to bring {formatShortMoney(next.middle, currency)}; in 8 of 10
        cases {formatRange(next, currency)}.
      </p>
      <p className="pt-[.9rem] text-muted">
        Not counted: clicks that are not made yet.
        {overdue > 0 && (
          <>
            {' '}
            In no month:{' '}
            <a href={`${buildConsoleAddress('partners')}#payments`}>
              {formatShortMoney(overdue, currency)} overdue
            </a>
            .
          </>
        )}
        {undated > 0 && ` Without a day: ${formatShortMoney(undated, currency)}.`}
      </p>
      <MonthChart
        finding={`${formatRange(model.total, currency)} in 12 months, of which ${formatShortMoney(model.total.due, currency)} is approved and due.`}
        bars={[...[...model.ended].reverse(), ...rows].map(({ month, due, middle, low, high, came }) => ({
          ...{ month, low, high, isOver: came !== null },
          ...{ certain: came ?? due, likely: came === null ? middle - due : 0 },
        }))}
        currency={currency}
      />
      <MonthTable model={model} />
    </>
  );
}

function MonthTable({ model: { rows, ended, total, currency, today } }: ViewProps<ExpectedModel>) {
  const { exportHref } = useFrame();
  const sums = [total.due, total.pending, total.later, total.clicks, total.middle, total.low, total.high];
  return (
    <>
      <TableBlock
        title="By month"
        note="By the day of payment. Pending money counts by its approval rate. In 8 of 10 cases a month lies between Low and High."
        links={
          <>
            <a href={buildConsoleAddress('partners', {}, { rest: ['payments'], suffix: '.csv' })}>
              Every payment as CSV
            </a>
            {exportHref !== null && <a href={exportHref}>CSV</a>}
          </>
        }
        columns={showColumns(
          EXPECTED_COLUMNS,
          {
            month: ({ month }) =>
              month === today.slice(0, 7) ? `Rest of ${formatMonth(month)}` : formatMonth(month),
          },
          'month due pending later clicks middle low high'.split(' '),
        )}
        rows={rows.filter(({ month, middle }) => middle !== 0 || month !== today.slice(0, 7))}
        getKey={({ month }) => month}
        footer={[
          'Next 12 months',
          ...sums.map((sum, index) => (
            <MoneyAmount key={EXPECTED_COLUMNS[index]?.key} amount={sum} currency={currency} />
          )),
        ]}
      />
      {ended.length > 0 && (
        <TableBlock
          title="Months that have ended"
          note="What was known when the month began, and what came of it."
          columns={showColumns(
            EXPECTED_COLUMNS,
            {
              month: ({ month }) => formatMonth(month),
              came: { onPhone: 'lead' },
              middle: { onPhone: 'rest' },
            },
            'month due pending middle low high came'.split(' '),
          )}
          rows={ended}
          getKey={({ month }) => month}
        />
      )}
    </>
  );
}
