import { Fragment, type ReactNode } from 'react';
import { useFrame, type ViewProps } from '../console-page.ts';
import { CommissionAmount, MoneyAmount, StatusTag, TimeText } from '../frame/cells.tsx';
import { Block, DataTable, ListPager, showColumns } from '../frame/data-table.tsx';
import { Submit } from '../frame/forms.tsx';
import { AddressCsvLink, CommissionLink, FilterLink, OpenAmount, TitledPage } from '../frame/links.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatDay, formatNumber } from '../reports/format.ts';
import { UNMATCHED_NAMES } from '../reports/names.ts';
import { describeSchedule } from '../reports/payments.ts';
import type { SiteNames } from '../reports/site-pages.ts';
import { CommissionDetail } from './detail-view.tsx';
import { COMMISSION_COLUMNS, type readCommissions, type ScheduledRow } from './read.ts';

type CommissionsModel = NonNullable<Awaited<ReturnType<typeof readCommissions>>>;
type CommissionList = Extract<CommissionsModel, { kind: 'list' }>;

/** The list of commissions, or one of them. */
export function CommissionsView({ model }: ViewProps<CommissionsModel>) {
  return model.kind === 'one' ? <CommissionDetail model={model} /> : <CommissionTable model={model} />;
}

function CommissionTable({ model }: ViewProps<CommissionList>) {
  const { rows, total, search, payment, sums, today } = model;
  const { query, names } = useFrame();
  const action = buildConsoleAddress('commissions');
  const sort = query.sort ?? { column: 'booked', isDescending: true };
  const isOfPeriod = search === '' && payment === null;
  const paymentTitle =
    payment === null
      ? 'In this period'
      : `Commissions: ${payment.state}${payment.day === null ? '' : `, ${formatDay(payment.day, today)}`}`;
  return (
    <>
      <search>
        <form className="search-form" action={action}>
          <label htmlFor="commission-search">Find a commission by its id, sub-id or click</label>
          <input type="search" id="commission-search" name="q" defaultValue={search} maxLength={100} />
          <Submit className="button button-quiet">Find</Submit>
          {!isOfPeriod && <a href={action}>Show all of the period</a>}
        </form>
      </search>
      <Block
        title={search === '' ? paymentTitle : `Commissions with “${search}”`}
        note={`${formatNumber(total)} ${isOfPeriod ? 'commissions' : 'of all time'}`}
        links={<AddressCsvLink />}
      >
        <SumLine sums={sums} />
        <DataTable
          caption="Commissions"
          columns={buildColumns(model, names)}
          rows={rows}
          getKey={({ partner, account, id }) => `${partner} ${account} ${id}`}
          sort={isOfPeriod ? sort : null}
          empty={
            search === ''
              ? 'No commission in this period. Choose a longer one, or bring commissions in under Connections.'
              : 'No commission has this text in its id, sub-id or click.'
          }
        />
        <ListPager name="commissions" list={model} path={action} />
      </Block>
    </>
  );
}

const SUM_KINDS = ['approved', 'paid', 'pending', 'reversed', 'unknown'] as const;

/** What the commissions of the list come to by their status, one line for each currency; each sum leads to its rows. */
function SumLine({ sums }: { readonly sums: CommissionList['sums'] }) {
  const { query } = useFrame();
  if (sums.length === 0) return null;
  return (
    <ul className="sum-line">
      {sums.map((sum) => {
        const kinds = SUM_KINDS.filter((kind) => sum[kind] !== 0);
        const { currency, conversions, payments } = sum;
        return (
          <li key={currency}>
            <b>In {currency}:</b> {kinds.length === 0 && 'nothing counted'}
            {kinds.map((kind, index) => (
              <Fragment key={kind}>
                {index > 0 && ', '}
                {kinds.length === 1 ? (
                  <MoneyAmount amount={sum[kind]} currency={currency} kind={kind} />
                ) : (
                  <OpenAmount query={query} amount={sum[kind]} currency={currency} kind={kind} />
                )}{' '}
                {kind === 'unknown' ? 'of an unknown status' : kind}
              </Fragment>
            ))}
            {sum.pending !== 0 && (
              <>
                ; <MoneyAmount amount={sum.expected ?? null} currency={currency} kind="expected" /> expected
                in all
              </>
            )}
            {conversions + payments > 0 && (
              <span className="text-muted [&_a]:text-ink [&_b]:text-ink">
                {' '}
                · {formatNumber(conversions)} {conversions === 1 ? 'customer' : 'customers'}
                {payments > 0 &&
                  ` and ${formatNumber(payments)} later ${payments === 1 ? 'payment' : 'payments'}`}
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

const SHOWN = ['id', 'amount', 'status', 'due', 'partner', 'booked', 'page', 'campaign'];

function buildColumns({ now, today }: CommissionList, names: SiteNames) {
  const filter = (dimension: 'page' | 'campaign' | 'partner', value: string, text: ReactNode = value) => (
    <FilterLink view="commissions" dimension={dimension} value={value}>
      {text}
    </FilterLink>
  );
  return showColumns<ScheduledRow>(
    COMMISSION_COLUMNS,
    {
      id: (row) => <CommissionLink row={row} />,
      amount: (row) => <CommissionAmount row={row} />,
      status: ({ status, isCounted, isDismissed, conflicts }) => (
        <>
          <StatusTag status={status} />
          {!isCounted && <small>{isDismissed ? 'dismissed' : 'not counted'}</small>}
          {conflicts.length > 0 && <small>to check</small>}
        </>
      ),
      due: ({ due, schedule }) =>
        schedule === null ? (
          <span className="no-figure">–</span>
        ) : (
          <>
            {due !== null && <span className="time">{formatDay(due, today)}</span>}
            <small>{describeSchedule(schedule, today)}</small>
          </>
        ),
      partner: ({ partner }) => filter('partner', partner, names.partners.get(partner)),
      booked: ({ bookedAt }) => <TimeText time={bookedAt} now={now} />,
      page: ({ page, reason }) =>
        page === null ? (
          <span className="text-muted">none{reason !== null && ` (${UNMATCHED_NAMES[reason]})`}</span>
        ) : (
          filter('page', page, <TitledPage page={page} />)
        ),
      campaign: ({ campaign }) =>
        campaign === null ? <span className="no-figure">–</span> : filter('campaign', campaign),
    },
    SHOWN,
  );
}
