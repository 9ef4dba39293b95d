import { MonthChart } from '../charts/charts.tsx';
import { formatMonth } from '../charts/month-chart.ts';
import { useFrame, type ViewProps } from '../console-page.ts';
import { MoneyAmount } from '../frame/cells.tsx';
import { showColumns, TableBlock } from '../frame/data-table.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatShortMoney } from '../reports/format.ts';
import { EXPECTED_COLUMNS, type Likely, type readExpected } from './outlook.ts';

type ExpectedModel = Awaited<ReturnType<typeof readExpected>>;

/** Estimates are as exact as three digits. */
function formatRange({ low, high }: Likely, currency: string): string {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, high))) - 2);
  const [from, to] = [low, high].map((end) => formatShortMoney(Math.round(end / step) * step, currency));
  return `${from} to ${to}`;
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
          month,
          low,
          high,
          isOver: came !== null,
          certain: came ?? due,
          likely: came === null ? middle - due : 0,
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
