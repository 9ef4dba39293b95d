import { isAllowed } from '../../core/console/capabilities.ts';
import { getPageSite } from '../../core/outbound/beside.schema.ts';
import { AnswerTables } from '../assessment/view.tsx';
import { describeYear, MonthChart } from '../charts/charts.tsx';
import { useFrame, type ViewProps } from '../console-page.ts';
import { buildFileAddress } from '../content/file-address.ts';
import { Block, DataTable, FactRow, ListPager } from '../frame/data-table.tsx';
import { EarnedRows, formatAmounts, listAmounts, YoungNote } from '../frame/earned-table.tsx';
import { CsvLink, OperatorLink, PageNameCell } from '../frame/links.tsx';
import { ListForm, usePartnerFilter } from '../frame/list.tsx';
import { addFilter, buildConsoleAddress, buildRowsAddress, selectDays } from '../reports/addresses.ts';
import { type EarnedRow, GROUP } from '../reports/earned.ts';
import {
  formatCount,
  formatDay,
  formatMoney,
  formatNumber,
  formatPeriod,
  formatRoughShare,
  formatShortMoney,
  NO_FIGURE,
} from '../reports/format.ts';
import { describeRange, describeSites } from '../reports/names.ts';
import { PAGE_COLUMNS, type PageDetail, type readPages } from './read.ts';

type PagesModel = NonNullable<Awaited<ReturnType<typeof readPages>>>;

/** The pages by what their clicks earned, and the report of one page. */
export function PagesView({ model }: ViewProps<PagesModel>) {
  const { detail } = model;
  return detail === null ? <Ranking model={model} /> : <PageReport detail={detail} />;
}

function Ranking({ model }: ViewProps<PagesModel>) {
  const { query, names, viewer } = useFrame();
  const { rows, table, more, best, sort, search, unread, isYoung } = model;
  const { total, currency, arrived } = table;
  const [first, ...next] = best;
  const clicked = rows.filter(({ clicks }) => clicks).length;
  const nameOf = ({ key }: EarnedRow) => names.pages.get(key) ?? key;
  const toHref = (row: EarnedRow) =>
    row.key.startsWith(GROUP)
      ? undefined
      : buildRowsAddress(addFilter(query, 'page', row.key), currency, 'expected');
  return (
    <>
      <h1 className="sentence">
        {first !== undefined ? (
          <>
            {nameOf(first)} earned most{isYoung && ' so far'}: {formatShortMoney(first.earned, currency)}.
          </>
        ) : total.clicks ? (
          `The first ${clicked === 1 ? 'page has' : 'pages have'} ${formatCount(total.clicks, 'click')}.`
        ) : (
          'No reader has clicked yet.'
        )}
      </h1>
      {first !== undefined && (
        <p className="lead">
          That is {formatRoughShare(total.earned === 0 ? 0 : first.earned / total.earned)} of the{' '}
          <b>{formatAmounts(listAmounts(total, currency))}</b> earned {describeRange(query)},{' '}
          {formatPeriod(query.from, query.to)}.
          {next.length === 2 &&
            ` The next two pages earned ${next.map((row) => formatShortMoney(row.earned, currency)).join(' and ')}.`}
        </p>
      )}
      <YoungNote arrived={arrived} isYoung={isYoung} />
      <Block
        title="Pages by money"
        note="By the day of the click. Filled: confirmed. Outlined: pending."
        links={
          <>
            <ListForm list={{ search, ...usePartnerFilter() }} />
            <CsvLink />
          </>
        }
      >
        {rows.length === 0 && search !== '' ? (
          <p className="empty-note">No page has these words.</p>
        ) : (
          <EarnedRows
            caption="Pages by what their clicks earned"
            hasBars
            columns={PAGE_COLUMNS.filter(({ key }) => key !== 'site' || names.sites.size > 1)}
            rows={rows}
            cells={{
              site: ({ key }) => (/^(?!group )[^ ]*\//.test(key) ? names.sites.get(getPageSite(key)) : ''),
            }}
            totalName={describeSites(query, names)}
            table={table}
            name={({ key }) =>
              key.startsWith(GROUP) ? key.slice(GROUP.length) : <PageNameCell page={key} />
            }
            toHref={toHref}
            extra={
              more.number === 0
                ? []
                : [
                    {
                      key: 'more',
                      name: `${formatNumber(more.number)} more pages`,
                      row: { ...more.row, key: 'more' },
                    },
                  ]
            }
            sort={sort}
            empty="No reader yet."
          />
        )}
        <ListPager name="pages" list={model} path="" />
      </Block>
      {unread.length > 0 && (
        <Block title="Read, but nobody clicks" note="Fewer clicks than chance explains.">
          <DataTable
            caption="Pages that are read and not clicked"
            columns={[
              { name: 'Page', render: ({ key }) => <PageNameCell page={key} /> },
              { name: 'Views', isNumeric: true, render: ({ views }) => formatNumber(views ?? 0) },
              {
                name: 'Clicks',
                isNumeric: true,
                onPhone: 'lead',
                render: ({ clicks }) => formatNumber(clicks ?? 0),
              },
              {
                name: 'To do',
                render: ({ file, hasPartner }) => (
                  <>
                    {file !== '' && viewer.kind === 'operator' && isAllowed(viewer, 'content') && (
                      <a href={buildFileAddress(file)}>Edit</a>
                    )}
                    {!hasPartner && <small className="whitespace-nowrap">no partner on it</small>}
                  </>
                ),
              },
            ]}
            rows={unread}
            getKey={({ key }) => key}
          />
        </Block>
      )}
    </>
  );
}

const PLACE_COLUMNS = PAGE_COLUMNS.filter(({ key }) => key !== 'views' && key !== 'site');
const ORDINALS = ['', 'More than any other page', 'The second most', 'The third most'];

/** One page: what it earned, by month, by place and by source, and what changed. */
function PageReport({ detail }: { readonly detail: PageDetail }) {
  const { query, names, viewer } = useFrame();
  const { page, row, rank, share, places, label, sources, months, range, changes, reasons, file } = detail;
  const { currency } = row;
  const money = (amount: number) => formatMoney(amount, currency);
  const title = names.pages.get(page) ?? page;
  const table = {
    total: { ...row, key: 'total' },
    noClick: NONE,
    byLabel: { ...NONE, earned: label, confirmed: label },
    currency,
  };
  const hasMoney = row.earned !== 0 || row.others.length > 0;
  const isEditor = viewer.kind === 'operator' && isAllowed(viewer, 'content');
  const own = {
    ...query,
    filters: query.filters.filter(({ dimension }) => dimension !== 'page'),
    sort: null,
  };
  return (
    <>
      <p className="back-link">
        <OperatorLink href={buildConsoleAddress('pages', own)}>Pages</OperatorLink> · {page}
      </p>
      <h1 className="sentence">
        {!hasMoney
          ? row.clicks
            ? `${title} has ${formatCount(row.clicks, 'click')}.`
            : 'No click from this page yet.'
          : `${title} earned ${formatAmounts(listAmounts(row, currency))}${detail.isYoung ? ' so far' : ''}.`}
      </h1>
      {row.earned !== 0 && (
        <p className="lead">
          {ORDINALS[rank] ?? `Place ${formatNumber(rank)} of all pages`} {describeRange(query)}
          {share !== null && <>, and {formatRoughShare(share)} of all that was earned</>}.{' '}
          {money(row.confirmed)} is confirmed, {money(row.pending)} is pending.
          {row.reversed !== 0 && <> Not counted: {money(row.reversed)} that the partner reversed.</>}
        </p>
      )}
      <YoungNote arrived={detail.arrived} isYoung={detail.isYoung} />
      {file !== '' && isEditor && (
        <p>
          <a className="button" href={buildFileAddress(file)}>
            Edit this page
          </a>
        </p>
      )}
      <dl className="figures">
        <FactRow name="Views">{row.views === null ? NO_FIGURE : formatNumber(row.views)}</FactRow>
        <FactRow name="Clicks to a partner">
          {row.clicks === null ? NO_FIGURE : formatNumber(row.clicks)}
          {!!row.clicks && !!row.views && (
            <small>{formatNumber(Math.round((row.clicks / row.views) * 100))} of 100 views</small>
          )}
        </FactRow>
        <FactRow name="Customers">
          {formatNumber(row.customers)}
          {row.payments > 0 && <small>who paid again {formatCount(row.payments, 'time')}</small>}
        </FactRow>
        <FactRow name="A click earned">
          {row.click === null ? NO_FIGURE : money(row.click)}
          {range !== null && (
            <small>
              such clicks bring {money(Math.round(range.low))} to {money(Math.round(range.high))} on average
              within 12 months, in 8 of 10 cases
            </small>
          )}
        </FactRow>
      </dl>
      {months.some(({ solid, hatched, before }) => solid !== 0 || hatched !== 0 || before) && (
        <Block title="Earned by month" note={describeYear(months, currency)}>
          <MonthChart
            bars={months}
            currency={currency}
            label={`Earned by month of ${title}`}
            legend={LEGEND}
            toHref={(bar) => buildRowsAddress(selectDays(query, bar), currency, 'expected')}
          />
        </Block>
      )}
      {(hasMoney || !!row.clicks || label !== 0) && (
        <>
          <Block
            title="Places on the page"
            note={detail.isInOrder ? 'In the order of the page.' : 'By money.'}
          >
            <EarnedRows
              caption={`Places of ${title}`}
              columns={PLACE_COLUMNS.map((one) => (one.key === 'name' ? { ...one, name: 'Place' } : one))}
              rows={places}
              table={table}
              name={({ key }) => detail.placeNames.get(key) ?? key}
              empty="No link of this page was clicked in this range."
              totalName="This page"
            />
          </Block>
          <Block title="Where readers came from">
            <EarnedRows
              caption={`Sources of ${title}`}
              columns={PLACE_COLUMNS.map((one) => (one.key === 'name' ? { ...one, name: 'Source' } : one))}
              rows={sources.rows}
              table={table}
              name={({ key }) => key}
              extra={
                sources.more.number === 0
                  ? []
                  : [
                      {
                        key: 'more',
                        name: `${formatNumber(sources.more.number)} more`,
                        row: { ...sources.more.row, key: 'more' },
                      },
                    ]
              }
              empty="No reader of this page clicked in this range."
              totalName="This page"
            />
          </Block>
        </>
      )}
      {(changes.length > 0 || reasons.length > 0) && (
        <Block title="What changed" id="change">
          <ul className="plain-list">
            {reasons.map(({ text, undo }) => (
              <li key={text}>
                {text} {undo !== undefined && isEditor && <a href={undo}>Put the link back</a>}
              </li>
            ))}
            {changes.map(({ day, text, undo }) => (
              <li key={`${day} ${text}`}>
                {formatDay(day, query.to)}: {text}{' '}
                {undo !== undefined && isEditor && <a href={undo}>Put the link back</a>}
              </li>
            ))}
          </ul>
        </Block>
      )}
      {detail.assessment !== null && !!row.views && <AnswerTables model={detail.assessment} />}
    </>
  );
}

export const LEGEND = ['confirmed', 'pending: the partner has not decided yet'] as const;
const NONE = {
  earned: 0,
  confirmed: 0,
  pending: 0,
  reversed: 0,
  customers: 0,
  payments: 0,
  count: 0,
  others: [],
} as const;
