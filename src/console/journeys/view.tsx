import { FlowChart } from '../charts/flow-chart.tsx';
import { REPORTED_COLUMNS } from '../commissions/read.ts';
import type { ConsoleFrame, ViewProps } from '../console-page.ts';
import { CommissionAmount, MoneyAmount, StatusTag, TimeText } from '../frame/cells.tsx';
import { Block, DataTable, showColumns } from '../frame/data-table.tsx';
import { AddressCsvLink, CommissionLink, OperatorLink } from '../frame/links.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatNumber } from '../reports/format.ts';
import { describeSteps } from '../reports/names.ts';
import type { CommissionRow } from '../reports/select-entries.ts';
import { JOURNEY_MEASURES, type JourneyPath, PATH_COLUMNS, type readJourneys } from './read.ts';

type JourneysModel = Awaited<ReturnType<typeof readJourneys>>;

const MEASURE_NAMES = { money: 'By money', clicks: 'By clicks' } as const;

type JourneysProps = ViewProps<JourneysModel>;

/** The paths of visits from the page of entry to the click and the commission. */
export function JourneysView({ model, frame }: JourneysProps) {
  const { measure, chosen, isCut } = model;
  const isShared = frame.viewer.kind === 'share';
  return (
    <>
      {!isShared && <MeasureLinks model={model} frame={frame} />}
      {chosen !== null && (
        <p className="chosen-path">
          Only the path {describePath(chosen, frame)}.{' '}
          {!isShared && <a href={buildAddress(frame, measure)}>Show all paths</a>}
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
        <FlowChart model={model} names={frame.names} />
      </Block>
      <Block title="Paths" links={<AddressCsvLink frame={frame} />}>
        <PathTable model={model} frame={frame} />
      </Block>
      {chosen !== null && !isShared && <PathCommissions model={model} frame={frame} />}
    </>
  );
}

function MeasureLinks({ model: { measure }, frame }: JourneysProps) {
  return (
    <nav className="segments" aria-label="What the width shows">
      {JOURNEY_MEASURES.map((key) => (
        <a
          key={key}
          className="segment"
          href={buildAddress(frame, key)}
          aria-current={key === measure ? 'page' : undefined}
        >
          {MEASURE_NAMES[key]}
        </a>
      ))}
    </nav>
  );
}

function PathTable({ model, frame }: JourneysProps) {
  const { measure, paths, rest, currency } = model;
  const money = (amount: number) => <MoneyAmount amount={amount} currency={currency} />;
  return (
    <div className="table-box">
      <DataTable
        caption="Paths"
        columns={showColumns(PATH_COLUMNS, {
          path: (path) => (
            <OperatorLink frame={frame} href={buildAddress(frame, measure, path.key)}>
              {describePath(path, frame)}
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
function PathCommissions({ model, frame }: JourneysProps) {
  return (
    <Block title="Commissions of this path" note="Newest booking first.">
      <DataTable
        caption="Commissions of this path"
        columns={showColumns<CommissionRow>(
          REPORTED_COLUMNS,
          {
            id: (row) => <CommissionLink row={row} />,
            amount: (row) => <CommissionAmount row={row} />,
            status: ({ status }) => <StatusTag status={status} />,
            booked: ({ bookedAt }) => <TimeText time={bookedAt} timeZone={frame.timeZone} />,
          },
          ['id', 'amount', 'status', 'booked'],
        )}
        rows={model.commissions}
        getKey={({ partner, account, id }) => `${partner} ${account} ${id}`}
        empty="No commission of this path in this period."
      />
    </Block>
  );
}

function buildAddress({ query }: ConsoleFrame, by: JourneysModel['measure'], path?: string): string {
  return buildConsoleAddress('journeys', query, {
    extra: { ...(by === 'money' ? {} : { by }), ...(path === undefined ? {} : { path }) },
  });
}

function describePath({ steps }: JourneyPath, { names }: ConsoleFrame): string {
  return describeSteps(names, steps).join(' → ');
}
