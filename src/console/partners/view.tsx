import { MaturityChart } from '../charts/maturity-chart.tsx';
import { useFrame, type ViewProps } from '../console-page.ts';
import { WatchedLinks } from '../content/links-view.tsx';
import { ExpectedEpc } from '../frame/breakdown-columns.tsx';
import { PaymentsNote, TimeText } from '../frame/cells.tsx';
import { Block, showColumns, TableBlock } from '../frame/data-table.tsx';
import { AddressCsvLink, OpenAmount, OperatorLink } from '../frame/links.tsx';
import { buildNetworkAddress } from '../import/networks.ts';
import { addFilter, buildConsoleAddress } from '../reports/addresses.ts';
import { formatDuration, formatNumber, formatShare, NO_FIGURE } from '../reports/format.ts';
import type { ConsoleQuery } from '../reports/query.ts';
import { PartnerLabelList } from './labels-view.tsx';
import { OverduePayments, PaymentTable, PaymentTermList } from './payments-view.tsx';
import { ProgramRules } from './program-rules.tsx';
import {
  type Durations,
  PARTNER_COLUMNS,
  type PartnerRow,
  type readPartners,
  toPartnerLine,
} from './read.ts';

type PartnersModel = Awaited<ReturnType<typeof readPartners>>;

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
      {model.labels !== null && <PartnerLabelList model={model.labels} />}
      {partner !== null && <PaymentTermList partner={partner} />}
      {partner !== null && <ProgramRules partner={partner} />}
      {model.links !== null && <WatchedLinks known={model.links} now={model.now} />}
      <PaymentTable model={model} />
      {overdue !== null && <OverduePayments overdue={overdue} model={model} />}
      <Block
        title="How long the money takes"
        note="The share of the final commission of a click that has usually arrived, with its 80% interval."
      >
        {curves.length === 0 ? (
          <p className="empty-note">
            Five conversions of a partner are needed to know how long its commissions take.
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
          <small className={partner === null ? undefined : 'mt-1.5'}>
            {partner === null ? (
              network
            ) : (
              <OperatorLink href={buildNetworkAddress(partner.terms.network)}>{network}</OperatorLink>
            )}
          </small>
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
