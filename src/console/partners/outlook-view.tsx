import { useFrame, type ViewProps } from '../console-page.ts';
import { buildFileAddress } from '../content/file-address.ts';
import { MoneyAmount } from '../frame/cells.tsx';
import { Block, showColumns, TableBlock } from '../frame/data-table.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatNumber, formatShare, formatShortMoney } from '../reports/format.ts';
import {
  EXPECTED_COLUMNS,
  type Likely,
  MAX_SHARES,
  MIN_CUSTOMERS,
  type readDependence,
  type readExpected,
} from './outlook.ts';

type ExpectedModel = Awaited<ReturnType<typeof readExpected>>;
type DependenceModel = Awaited<ReturnType<typeof readDependence>>;
type Kind = keyof typeof MAX_SHARES;

const formatRange = ({ low, high }: Likely, currency: string) =>
  `${formatShortMoney(low, currency)} to ${formatShortMoney(high, currency)}`;

const formatMonth = (month: string) =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en-US', {
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });

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
  const { outlook, recurring, lost, second } = model;
  return (
    <>
      <p className="mt-5 max-w-[44rem] font-display text-[1.7rem] weight-640">
        {formatShare(partner.share)} of your money comes from {name}. Without it, the next 12 months would
        bring {formatRange(lost, currency)} less.
      </p>
      <p className="pt-[.9rem]">
        New customers would have brought {formatRange(outlook.fresh, currency)}; those you have now,{' '}
        {formatRange(recurring, currency)}, if it stopped paying for them too. Second links would keep{' '}
        {formatRange(second, currency)} of it. Each range holds in 8 of 10 cases if nothing else changes.
      </p>
      <div className="columns">
        <ShareList model={model} kind="partner" />
        <RecurringList model={model} />
      </div>
      <SecondPartners model={model} name={name} />
      <div className="columns">
        <ShareList model={model} kind="page" />
        <ShareList model={model} kind="source" />
      </div>
    </>
  );
}

/** More are in the rankings. */
const MAX_ROWS = 10;

function ShareList({ model, kind }: ViewProps<DependenceModel> & { readonly kind: Kind }) {
  const rows = model[`${kind}s`];
  const named = kind === 'source' ? new Map<string, string>() : model.names[`${kind}s`];
  return (
    <TableBlock
      title={`Share by ${kind}`}
      note={`Last 12 months. Above ${MAX_SHARES[kind] * 100}% it is named once a month in what to do today.`}
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

function RecurringList({ model: { outlook, currency, today, recurring } }: ViewProps<DependenceModel>) {
  const first = new Date(`${today.slice(0, 7)}-01T00:00:00Z`);
  const rows = outlook.ahead.map((likely, index) => ({
    ...likely,
    month: new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + index, 1))
      .toISOString()
      .slice(0, 7),
  }));
  if (recurring.middle === 0)
    return (
      <Block title="What present customers still bring">
        <p className="empty-note">No customer has paid a second time in these 12 months.</p>
      </Block>
    );
  return (
    <TableBlock
      title="What present customers still bring"
      note={`${formatNumber(outlook.customers)} paid in the last full month; ${formatNumber(outlook.leaving * 1000)} of 1,000 leave each month.`}
      columns={[
        { name: 'Month', render: ({ month }) => formatMonth(month) },
        {
          name: 'Likely',
          isNumeric: true,
          onPhone: 'lead',
          render: ({ middle }) => <MoneyAmount amount={middle} currency={currency} kind="expected" />,
        },
        { name: 'In 8 of 10 cases', isNumeric: true, render: (row) => formatRange(row, currency) },
      ]}
      rows={rows}
      getKey={({ month }) => month}
    />
  );
}

function SecondPartners({ model, name }: ViewProps<DependenceModel> & { readonly name: string }) {
  const { seconds, names, currency } = model;
  return (
    <TableBlock
      title="Pages and their second partner"
      note={`By the money that hangs on ${name}. Of ten readers, two to eight take the second link.`}
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
      rows={seconds.slice(0, 2 * MAX_ROWS)}
      getKey={({ page }) => page}
      empty="No money of this partner has found its page."
    />
  );
}

/** What is expected to be paid in each of the next 12 months. */
export function ExpectedView({ model }: ViewProps<ExpectedModel>) {
  const { rows, currency, overdue, undated } = model;
  const [now, next = now] = rows;
  const total = rows.reduce((sum, { middle }) => sum + middle, 0);
  if (total + overdue + undated === 0 || next === undefined)
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
      <MonthTable model={model} />
    </>
  );
}

function MonthTable({ model: { rows, currency, today } }: ViewProps<ExpectedModel>) {
  const { exportHref } = useFrame();
  const total = (key: 'due' | 'pending' | 'later' | 'clicks' | 'middle') => (
    <MoneyAmount key={key} amount={rows.reduce((sum, row) => sum + row[key], 0)} currency={currency} />
  );
  return (
    <TableBlock
      title="By month"
      note="Pending money counts by the approval rate; later payments by how many customers stay."
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
      rows={rows}
      getKey={({ month }) => month}
      footer={[
        'Together',
        total('due'),
        total('pending'),
        total('later'),
        total('clicks'),
        total('middle'),
        '',
        '',
      ]}
    />
  );
}
