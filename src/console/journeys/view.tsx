import { FlowChart } from '../charts/flow-chart.tsx';
import { REPORTED_COLUMNS } from '../commissions/read.ts';
import { useFrame, type ViewProps } from '../console-page.ts';
import { CommissionAmount, MoneyAmount, StatusTag, TimeText } from '../frame/cells.tsx';
import { Block, DataTable, showColumns, TableBlock } from '../frame/data-table.tsx';
import { AddressCsvLink, CommissionLink, OperatorLink } from '../frame/links.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatNumber } from '../reports/format.ts';
import { describeSteps } from '../reports/names.ts';
import type { ConsoleQuery } from '../reports/query.ts';
import type { CommissionRow } from '../reports/select-entries.ts';
import type { SiteNames } from '../reports/site-pages.ts';
import { JOURNEY_MEASURES, type JourneyPath, PATH_COLUMNS, type readJourneys } from './read.ts';

type JourneysModel = Awaited<ReturnType<typeof readJourneys>>;

const MEASURE_NAMES = { money: 'By money', clicks: 'By clicks' } as const;

type Props = ViewProps<JourneysModel>;

/** The paths of visits from the page of entry to the click and the commission. */
export function JourneysView({ model }: Props) {
  const { measure, chosen, isCut } = model;
  const { query, viewer, names } = useFrame();
  const isShared = viewer.kind === 'share';
  return (
    <>
      {!isShared && <MeasureLinks model={model} />}
      {chosen !== null && (
        <p className="chosen-path">
          Only the path {describePath(chosen, names)}.{' '}
          {!isShared && <a href={buildAddress(query, measure)}>Show all paths</a>}
        </p>
      )}
      <Block
        title={measure === 'money' ? 'The paths that earned most' : 'The paths with most clicks'}
        note={
          isCut
            ? 'Only the newest 10,000 clicks of the period are included.'
            : 'From the page of entry to the partner.'
        }
      >
        <FlowChart model={model} names={names} />
      </Block>
      <Block title="Paths" links={<AddressCsvLink />}>
        <PathTable model={model} />
      </Block>
      {chosen !== null && !isShared && <PathCommissions model={model} />}
    </>
  );
}

function MeasureLinks({ model: { measure } }: Props) {
  const { query } = useFrame();
  return (
    <nav className="segments" aria-label="What the width shows">
      {JOURNEY_MEASURES.map((key) => (
        <a
          key={key}
          className="segment"
          href={buildAddress(query, key)}
          aria-current={key === measure ? 'page' : undefined}
        >
          {MEASURE_NAMES[key]}
        </a>
      ))}
    </nav>
  );
}

function PathTable({ model }: Props) {
  const { query, names } = useFrame();
  const { measure, paths, rest, currency } = model;
  const money = (amount: number) => <MoneyAmount amount={amount} currency={currency} />;
  return (
    <div className="table-box">
      <DataTable
        caption="Paths"
        columns={showColumns(PATH_COLUMNS, {
          path: (path) => (
            <OperatorLink href={buildAddress(query, measure, path.key)}>
              {describePath(path, names)}
            </OperatorLink>
          ),
        })}
        rows={paths}
        getKey={({ key }) => key}
        {...(rest.paths > 0 && {
          footer: [
            `${formatNumber(rest.paths)} other paths`,
            formatNumber(rest.clicks),
            formatNumber(rest.conversions),
            formatNumber(rest.payments),
            money(rest.amount),
          ],
        })}
        empty="No click in this period."
      />
    </div>
  );
}

/** Every commission that the money of the chosen path consists of. */
function PathCommissions({ model }: Props) {
  return (
    <TableBlock
      title="Commissions of this path"
      note="Newest booking first."
      columns={showColumns<CommissionRow>(
        REPORTED_COLUMNS,
        {
          id: (row) => <CommissionLink row={row} />,
          amount: (row) => <CommissionAmount row={row} />,
          status: ({ status }) => <StatusTag status={status} />,
          booked: ({ bookedAt }) => <TimeText time={bookedAt} />,
        },
        ['id', 'amount', 'status', 'booked'],
      )}
      rows={model.commissions}
      getKey={({ partner, account, id }) => `${partner} ${account} ${id}`}
      empty="No commission of this path in this period."
    />
  );
}

function buildAddress(query: ConsoleQuery, by: JourneysModel['measure'], path?: string): string {
  return buildConsoleAddress('journeys', query, {
    extra: { ...(by === 'money' ? {} : { by }), ...(path === undefined ? {} : { path }) },
  });
}

function describePath({ steps }: JourneyPath, names: SiteNames): string {
  return describeSteps(names, steps).join(' → ');
}
