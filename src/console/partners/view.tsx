import { type Partner, RULE_SUBJECTS } from '../../core/outbound/partner.ts';
import { MaturityChart } from '../charts/maturity-chart.tsx';
import { useFrame, type ViewProps } from '../console-page.ts';
import { WatchedLinks } from '../content/links-view.tsx';
import { ExpectedEpc } from '../frame/breakdown-columns.tsx';
import { MoneyAmount, PaymentsNote, TimeText } from '../frame/cells.tsx';
import { Block, FactRow, showColumns, TableBlock, type TableColumn } from '../frame/data-table.tsx';
import { ActionForm, Submit } from '../frame/forms.tsx';
import { AddressCsvLink, OpenAmount, OperatorLink, PageNameCell, TitledPage } from '../frame/links.tsx';
import { PartnerConnection } from '../import/connections.tsx';
import { addFilter, buildConsoleAddress } from '../reports/addresses.ts';
import { formatDuration, formatNumber, formatShare, NO_FIGURE } from '../reports/format.ts';
import type { ConsoleQuery } from '../reports/query.ts';
import type { readPartnerLabels } from './labels.ts';
import { OverduePayments, PaymentTable, PaymentTermList } from './payments-view.tsx';
import {
  type Durations,
  PARTNER_COLUMNS,
  type PartnerRow,
  type readPartnersPage,
  toPartnerLine,
} from './read.ts';

type PartnersModel = NonNullable<Awaited<ReturnType<typeof readPartnersPage>>>;

/** How the programs of the partners do. */
export function PartnersView({ model }: ViewProps<PartnersModel>) {
  const { query } = useFrame();
  const { rows, curves, partner, overdue } = model;
  return (
    <>
      <TableBlock
        title="Programs"
        note="Times: half of the cases take at most the first, nine of ten at most the second."
        links={<AddressCsvLink />}
        caption="Partners"
        columns={buildColumns(model, query)}
        rows={rows.map((row) => toPartnerLine(row))}
        getKey={({ key }) => key}
        empty="No partner passes the filters."
      />
      <PaymentTable model={model} />
      {overdue !== null && <OverduePayments overdue={overdue} model={model} />}
      {model.labels !== null && <PartnerLabelList model={model.labels} />}
      {model.connection !== null && (
        <PartnerConnection
          model={model.connection}
          at={buildConsoleAddress(
            'partners',
            {},
            { extra: { partner: model.connection.postbacks[0]?.partner ?? '' } },
          )}
        />
      )}
      {partner !== null && <PaymentTermList partner={partner} />}
      {partner !== null && <ProgramRules partner={partner} />}
      {model.links !== null && <WatchedLinks known={model.links} now={model.now} />}
      <Block
        title="How long the money takes"
        note="The share of the final commission of a click that has usually arrived, with the range of 8 of 10 cases."
      >
        {curves.length === 0 ? (
          <p className="empty-note">
            Five customers of a partner are needed to know how long its commissions take.
          </p>
        ) : (
          <div className="columns">
            {curves.map((curve) => (
              <MaturityChart key={curve.partner} curve={curve} />
            ))}
          </div>
        )}
      </Block>
    </>
  );
}

const SHOWN =
  'name clicks conversions epc certain approved paid pending approvalRate timeToConvert timeToApprove last'.split(
    ' ',
  );

function buildColumns({ now, partner }: PartnersModel, query: ConsoleQuery) {
  const time = (durations: Durations | null) =>
    durations === null ? (
      <span className="no-figure">{NO_FIGURE}</span>
    ) : (
      `${formatDuration(durations.median)}, ${formatDuration(durations.p90)}`
    );
  return showColumns(
    PARTNER_COLUMNS,
    {
      name: ({ key, name, network }) => (
        <>
          <OperatorLink
            href={buildConsoleAddress(
              partner === null ? 'partners' : 'commissions',
              addFilter(query, 'partner', key),
            )}
          >
            {name}
          </OperatorLink>
          <small className={partner === null ? undefined : 'mt-1.5'}>{network}</small>
        </>
      ),
      conversions: ({ conversions, payments, conversionRate: rate }) => (
        <>
          {formatNumber(conversions)}
          {rate !== null && <small>{formatShare(rate)}</small>}
          <PaymentsNote payments={payments} />
        </>
      ),
      certain: ({ ranked, currency }) => <ExpectedEpc ranked={ranked} currency={currency ?? ''} maxEpc={0} />,
      approved: {
        render: ({ key, sums }) => <Sums partner={key} sums={sums} kind="approved" />,
        onPhone: 'rest',
      },
      paid: ({ key, sums }) => <Sums partner={key} sums={sums} kind="paid" />,
      pending: ({ key, sums }) => <Sums partner={key} sums={sums} kind="pending" />,
      approvalRate: ({ approvalRate }) =>
        approvalRate === null ? <span className="no-figure">{NO_FIGURE}</span> : formatShare(approvalRate),
      timeToConvert: ({ timeToConvert }) => time(timeToConvert),
      timeToApprove: ({ timeToApprove }) => time(timeToApprove),
      last: ({ lastMessageAt, nextSyncAt }) => (
        <>
          {lastMessageAt === null ? (
            <span className="text-muted">none yet</span>
          ) : (
            <TimeText time={lastMessageAt} now={now} />
          )}
          {nextSyncAt !== null && (
            <small>next read {nextSyncAt <= now ? 'soon' : `in ${formatDuration(nextSyncAt - now)}`}</small>
          )}
        </>
      ),
    },
    SHOWN,
  );
}

function Sums(props: {
  readonly partner: string;
  readonly sums: PartnerRow['sums'];
  readonly kind: 'approved' | 'paid' | 'pending';
}) {
  const { partner, sums, kind } = props;
  const query = addFilter(useFrame().query, 'partner', partner);
  if (sums.length === 0) return <span className="no-figure">{NO_FIGURE}</span>;
  return sums.map((sum) => (
    <span key={sum.currency} className="stacked">
      <OpenAmount query={query} amount={sum[kind]} currency={sum.currency} kind={kind} />
    </span>
  ));
}

type LabelsModel = Awaited<ReturnType<typeof readPartnerLabels>>;

/** A page by its title; several are unfolded by how many they are. */
function PageList({ pages, name = '' }: { readonly pages: readonly string[]; readonly name?: string }) {
  const { names } = useFrame();
  const [first] = pages;
  if (first === undefined) return <span className="text-muted">no page</span>;
  if (pages.length === 1) return <TitledPage page={first} />;
  return (
    <details>
      <summary>
        {name || 'a group'}, {formatNumber(pages.length)} pages
      </summary>
      <ul>
        {pages.map((page) => (
          <li key={page}>{names.pages.get(page) ?? page}</li>
        ))}
      </ul>
    </details>
  );
}

/** What the ids of a partner stand for and have earned, the moves that are proposed, and the products that were sold. */
export function PartnerLabelList({ model }: { readonly model: LabelsModel }) {
  const { rows, currency } = model;
  return (
    <>
      <TableBlock
        title="Labels"
        id="labels"
        note="Ids of the network that links of pages carry, and what each brought in the period."
        columns={[
          { name: 'Id', render: ({ id }) => <code>{id}</code> },
          {
            name: 'Given to',
            render: ({ use, next, isOwn }) => (
              <>
                {isOwn && use === null && (
                  <span className="text-muted">pages without an id of their own</span>
                )}
                {(!isOwn || use !== null) && <PageList pages={use?.pages ?? []} {...use} />}
                {use !== null && use.placement !== '' && <small>links at {use.placement}</small>}
                {next !== null && (
                  <small>
                    from {next.since}: {next.name || next.pages.join(', ') || 'no page'}
                  </small>
                )}
              </>
            ),
          },
          { name: 'Since', render: ({ use }) => use?.since ?? '–' },
          { name: 'Items', isNumeric: true, render: (row) => formatNumber(row.items) },
          {
            name: 'Earned and pending',
            isNumeric: true,
            onPhone: 'lead',
            render: ({ earned }) => <MoneyAmount amount={earned} currency={currency} />,
          },
        ]}
        rows={rows}
        getKey={({ id }) => id}
        empty="The partner has no ids yet: add them in its form."
      />
      <ProposedMoves model={model} />
      {model.items.length > 0 && <SoldProducts model={model} />}
    </>
  );
}

const MAX_PRODUCTS = 100;

function SoldProducts({ model: { items, currency } }: { readonly model: LabelsModel }) {
  return (
    <TableBlock
      title="Products sold"
      note={`As reports name them, by the page or the group of their id${items.length > MAX_PRODUCTS ? `; the first ${MAX_PRODUCTS} of ${formatNumber(items.length)}` : ''}.`}
      columns={[
        {
          name: 'Page or group',
          render: ({ page, group }) => (page === null ? group : <PageNameCell page={page} />),
        },
        {
          name: 'Product',
          onPhone: 'lead-unnamed',
          render: ({ item, name }) => (
            <>
              {name || item}
              {name !== '' && <small>{item}</small>}
            </>
          ),
        },
        { name: 'Items', isNumeric: true, render: (row) => formatNumber(row.items) },
        {
          name: 'Earned and pending',
          isNumeric: true,
          render: ({ amount }) => <MoneyAmount amount={amount} currency={currency} />,
        },
      ]}
      rows={items.slice(0, MAX_PRODUCTS)}
      getKey={({ page, group, item, name }) => `${page} ${group} ${item} ${name}`}
    />
  );
}

function ProposedMoves({ model: { moves, since, partner, refusal } }: { readonly model: LabelsModel }) {
  const columns: readonly TableColumn<LabelsModel['moves'][number]>[] = [
    { name: 'Id', render: ({ id }) => <code>{id}</code> },
    { name: 'From', render: ({ from }) => <PageList pages={from} /> },
    { name: 'To', render: ({ to, name }) => <PageList pages={to} name={name} /> },
    {
      name: 'Clicks in 90 days',
      isNumeric: true,
      render: ({ before, after }) => `${formatNumber(before)} → ${formatNumber(after)}`,
    },
    {
      name: 'Confirm',
      onPhone: 'lead-unnamed',
      render: ({ id, hash }) =>
        refusal === null && (
          <ActionForm of="move-label" fields={{ partner, move: hash }}>
            <Submit>Move {id}</Submit>
          </ActionForm>
        ),
    },
  ];
  if (moves.length === 0)
    return (
      <Block title="Proposed moves">
        <p className="empty-note">
          None. An id moves to a page with twice the clicks of its own, at most once a month.
        </p>
      </Block>
    );
  return (
    <TableBlock
      title="Proposed moves"
      note={`Links carry the id from ${since} on, and it stays for a month.`}
      columns={columns}
      rows={moves}
      getKey={({ hash }) => hash}
    />
  );
}

const ALLOWED = { yes: 'Allowed', no: 'Not allowed', ask: 'Ask first' } as const;

/** What the program of a partner demands of the site, each with its source and the day of the copy that was read. */
export function ProgramRules({ partner }: { readonly partner: Partner }) {
  const { rules } = partner;
  const others = rules.conditions.map((condition) => ({ title: 'Condition', condition }));
  const stated = RULE_SUBJECTS.map(({ key, title }) => {
    const rule = rules[key];
    return {
      title: capitalize(title),
      condition: rule && { ...rule, text: `${ALLOWED[rule.allowed]}. ${rule.text}` },
    };
  });
  return (
    <Block title="Rules of the program">
      <dl className="facts">
        {[...stated, ...others].map(({ title, condition }) => (
          <FactRow key={`${title} ${condition?.text}`} name={title}>
            {condition === null ? (
              <span className="text-muted">not known, ask the program</span>
            ) : (
              <>
                {condition.text}{' '}
                <small>
                  <a href={condition.source} rel="noopener noreferrer">
                    {new URL(condition.source).hostname}
                  </a>
                  , {condition.checked}
                </small>
              </>
            )}
          </FactRow>
        ))}
      </dl>
    </Block>
  );
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
