import { Fragment, type ReactNode } from 'react';
import type { ConsoleFrame } from '../console-page.ts';
import type { ViewProps } from '../document.tsx';
import { buildConsoleAddress } from '../figures/addresses.ts';
import { formatNumber } from '../figures/format.ts';
import { UNMATCHED_NAMES } from '../figures/names.ts';
import { Block, DataTable, ListPager, type TableColumn } from '../frame/data-table.tsx';
import { CommissionAmount, MoneyAmount, StatusTag, TimeText } from '../frame/figures.tsx';
import { AddressCsvLink, CommissionLink, FilterLink, TitledPage } from '../frame/links.tsx';
import { CommissionDetail } from './detail-view.tsx';
import type { CommissionRow, CommissionsModel } from './read.ts';

/** The list of commissions, or one of them. */
export function CommissionsView({ model, frame }: ViewProps<'commissions'>) {
  return model.kind === 'one' ? (
    <CommissionDetail model={model} frame={frame} />
  ) : (
    <CommissionList model={model} frame={frame} />
  );
}

function CommissionList({
  model,
  frame,
}: {
  readonly model: CommissionsModel;
  readonly frame: ConsoleFrame;
}) {
  const { rows, total, page, pages, search, sums } = model;
  const { query, parameters } = frame;
  const action = buildConsoleAddress('commissions');
  const sort = query.sort ?? { column: 'booked', isDescending: true };
  return (
    <>
      <search>
        <form className="search-form" action={action}>
          <label htmlFor="commission-search">Find a commission by its id, sub-id or click</label>
          <input type="search" id="commission-search" name="q" defaultValue={search} maxLength={100} />
          <button type="submit" className="button button-quiet">
            Find
          </button>
          {search !== '' && <a href={action}>Show all of the period</a>}
        </form>
      </search>
      <Block
        title={search === '' ? 'In this period' : `Commissions with “${search}”`}
        note={`${formatNumber(total)} ${search === '' ? 'commissions' : 'of all time'}`}
        links={<AddressCsvLink frame={frame} />}
      >
        {sums.length > 0 && <SumLine sums={sums} />}
        <DataTable
          caption="Commissions"
          columns={buildColumns(model, frame)}
          rows={rows}
          getKey={({ partner, account, id }) => `${partner} ${account} ${id}`}
          sorting={search === '' ? { view: 'commissions', query, sort } : null}
          empty={
            search === ''
              ? 'No commission in this period. Choose a longer one, or bring commissions in under Import & sync.'
              : 'No commission has this text in its id, sub-id or click.'
          }
        />
        <ListPager name="commissions" path={action} {...{ page, pages, total, parameters }} />
      </Block>
    </>
  );
}

const SUM_KINDS = ['approved', 'pending', 'reversed'] as const;

/** What was approved, is pending and was reversed, one line for each currency. */
function SumLine({ sums }: Pick<CommissionsModel, 'sums'>) {
  return (
    <ul className="sum-line">
      {sums.map((sum) => (
        <li key={sum.currency}>
          <b>{sum.currency}</b> {SUM_KINDS.every((kind) => sum[kind] === 0) && 'nothing counted'}
          {SUM_KINDS.filter((kind) => sum[kind] !== 0).map((kind, index) => (
            <Fragment key={kind}>
              {index > 0 && ', '}
              <MoneyAmount amount={sum[kind]} currency={sum.currency} kind={kind} /> {kind}
            </Fragment>
          ))}
        </li>
      ))}
    </ul>
  );
}

function buildColumns(model: CommissionsModel, frame: ConsoleFrame): TableColumn<CommissionRow>[] {
  const { now } = model;
  const { timeZone, names } = frame;
  const filter = (dimension: 'page' | 'campaign' | 'partner', value: string, text: ReactNode = value) => (
    <FilterLink view="commissions" frame={frame} dimension={dimension} value={value}>
      {text}
    </FilterLink>
  );
  return [
    { key: 'id', name: 'Commission', render: (row) => <CommissionLink row={row} /> },
    {
      key: 'amount',
      name: 'Amount',
      isNumeric: true,
      onPhone: 'lead',
      render: (row) => <CommissionAmount row={row} />,
    },
    {
      key: 'status',
      name: 'Status',
      onPhone: 'lead',
      render: ({ status, isCounted, isDismissed }) => (
        <>
          <StatusTag status={status} />
          {!isCounted && <small>{isDismissed ? 'dismissed' : 'not counted'}</small>}
        </>
      ),
    },
    {
      key: 'partner',
      name: 'Partner',
      render: ({ partner }) => filter('partner', partner, names.partners.get(partner)),
    },
    {
      key: 'booked',
      name: 'Booked',
      isNumeric: true,
      render: ({ bookedAt }) => <TimeText time={bookedAt} timeZone={timeZone} now={now} />,
    },
    {
      key: 'page',
      name: 'Page',
      render: ({ page, reason }) =>
        page === null ? (
          <span className="no-figure-note">none{reason !== null && ` (${UNMATCHED_NAMES[reason]})`}</span>
        ) : (
          filter('page', page, <TitledPage names={names} page={page} />)
        ),
    },
    {
      key: 'campaign',
      name: 'Campaign',
      render: ({ campaign }) =>
        campaign === null ? <span className="no-figure">–</span> : filter('campaign', campaign),
    },
  ];
}
