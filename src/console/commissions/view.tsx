import { Fragment } from 'react';
import { getLocalDay } from '../../core/commissions/local-time.ts';
import { type ConsoleFrame, useFrame, type ViewProps } from '../console-page.ts';
import { CommissionAmount, MoneyAmount, StatusTag } from '../frame/cells.tsx';
import { Block, DataTable, ListPager, showColumns } from '../frame/data-table.tsx';
import { AddressCsvLink, CommissionLink, FilterLink, OpenAmount, TitledPage } from '../frame/links.tsx';
import { ListForm, usePartnerFilter } from '../frame/list.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatAge, formatCount, formatDay, formatTime } from '../reports/format.ts';
import { describeRange, UNMATCHED_NAMES } from '../reports/names.ts';
import { describeSchedule } from '../reports/payments.ts';
import { CommissionDetail } from './detail-view.tsx';
import { COMMISSION_COLUMNS, type readCommissions, type ScheduledRow } from './read.ts';

type CommissionsModel = NonNullable<Awaited<ReturnType<typeof readCommissions>>>;
type CommissionList = Extract<CommissionsModel, { kind: 'list' }>;

/** The list of commissions, or one of them. */
export function CommissionsView({ model }: ViewProps<CommissionsModel>) {
  return model.kind === 'one' ? <CommissionDetail model={model} /> : <CommissionTable model={model} />;
}

function CommissionTable({ model }: ViewProps<CommissionList>) {
  const { rows, total, clicks, search, payment, sums, today } = model;
  const frame = useFrame();
  const { query } = frame;
  const action = buildConsoleAddress('commissions');
  const sort = query.sort ?? { column: 'booked', isDescending: true };
  const isOfPeriod = search === '' && payment === null;
  const { currencies } = frame;
  const filter = usePartnerFilter();
  if (isOfPeriod && currencies.length === 0)
    return (
      <h1 className="sentence">
        No commission yet.
        {clicks > 0 && ` ${formatCount(clicks, 'click')} ${clicks === 1 ? 'waits' : 'wait'} for one.`}
      </h1>
    );
  const count = formatCount(total, 'commission');
  const [first] = rows;
  const isNewest = first !== undefined && isOfPeriod && query.sort === null && model.page === 1;
  const newest = isNewest
    ? `, the newest ${formatAge(first.bookedAt, model.now).replaceAll(' ', '\u00a0')}`
    : '';
  return (
    <>
      <h1 className="sentence">
        {payment !== null
          ? `${count}: ${payment.state}${payment.day === null ? '' : `, ${formatDay(payment.day, today)}`}.`
          : search !== ''
            ? `${count} with “${search}”.`
            : `${total === 0 ? 'No commission' : count} of clicks ${describeRange(query)}${newest}.`}
      </h1>
      <Block
        title="As reported"
        links={
          <>
            {!isOfPeriod && <a href={action}>Show all of the period</a>}
            <ListForm list={{ search, ...filter }} />
            <AddressCsvLink />
          </>
        }
      >
        <SumLine sums={sums} />
        <DataTable
          caption="Commissions"
          columns={buildColumns(model, frame)}
          rows={rows}
          getKey={({ partner, account, id }) => `${partner} ${account} ${id}`}
          sort={isOfPeriod ? sort : null}
          empty={
            search === ''
              ? 'Choose a longer period, or bring commissions in under Partners.'
              : 'No commission has this text in its id or click.'
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
    <ul className="sum-line flex flex-wrap gap-[.2rem_2rem] p-[.7rem_0]">
      {sums.map((sum) => {
        const kinds = SUM_KINDS.filter((kind) => sum[kind] !== 0);
        const { currency } = sum;
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
          </li>
        );
      })}
    </ul>
  );
}

const SHOWN = ['id', 'amount', 'status', 'partner', 'page', 'clicked', 'due'];

function buildColumns({ today }: CommissionList, { names, timeZone }: ConsoleFrame) {
  return showColumns<ScheduledRow>(
    COMMISSION_COLUMNS,
    {
      id: (row) => <CommissionLink row={row} />,
      amount: (row) => <CommissionAmount row={row} />,
      status: {
        onPhone: 'plain',
        render: ({ status, isCounted, isDismissed, conflicts }) => (
          <>
            <StatusTag status={status} />
            {!isCounted && <small>{isDismissed ? 'dismissed' : 'not counted'}</small>}
            {conflicts.length > 0 && <small>to check</small>}
          </>
        ),
      },
      due: {
        onPhone: 'plain',
        render: ({ due, schedule }) =>
          schedule === null ? (
            <span className="no-figure">–</span>
          ) : (
            <span className="time" title={describeSchedule(schedule, today)}>
              {due === null ? describeSchedule(schedule, today) : formatDay(due, today)}
            </span>
          ),
      },
      partner: { onPhone: 'plain', render: ({ partner }) => names.partners.get(partner) ?? partner },
      clicked: {
        onPhone: 'hidden',
        render: ({ clickedAt }) =>
          clickedAt === null ? (
            <span className="no-figure">–</span>
          ) : (
            <span className="time" title={formatTime(clickedAt, timeZone)}>
              {formatDay(getLocalDay(clickedAt, timeZone), today)}
            </span>
          ),
      },
      page: {
        onPhone: 'plain',
        render: ({ page, reason }) =>
          page === null ? (
            <span className="text-muted">{reason === null ? 'none' : UNMATCHED_NAMES[reason]}</span>
          ) : (
            <FilterLink view="commissions" dimension="page" value={page}>
              <TitledPage page={page} />
            </FilterLink>
          ),
      },
    },
    SHOWN,
  );
}
