import { describePlacement } from '../../core/outbound/placement.ts';
import type { ConsoleFrame } from '../console-page.ts';
import { buildCommissionAddress, buildConsoleAddress } from '../figures/build-console-address.ts';
import { Block } from '../frame/block.tsx';
import { CommissionAmount } from '../frame/money-amount.tsx';
import { StatusTag } from '../frame/status-tag.tsx';
import { TimeText } from '../frame/time-text.tsx';
import { TitledPage } from '../frame/titled-page.tsx';
import type { ViewProps } from '../view-props.ts';
import type { OverviewModel } from './overview-model.ts';

/** The newest commissions of the period, each with what led to it. */
export function LatestCommissions({ model, frame }: ViewProps<'overview'>) {
  const hasView = frame.navigation.some(({ view }) => view === 'commissions');
  return (
    <Block
      title="Latest commissions"
      links={
        hasView && (
          <a href={buildConsoleAddress('commissions', { ...frame.query, sort: null })}>All commissions</a>
        )
      }
    >
      {model.latest.length === 0 && <p className="empty-note">No commission in this period.</p>}
      <ul className="latest">
        {model.latest.map((row) => (
          <LatestCommission
            key={`${row.partner} ${row.account} ${row.id}`}
            row={row}
            now={model.now}
            frame={frame}
            isLinked={hasView}
          />
        ))}
      </ul>
    </Block>
  );
}

function LatestCommission(props: {
  readonly row: OverviewModel['latest'][number];
  readonly now: number;
  readonly frame: ConsoleFrame;
  readonly isLinked: boolean;
}) {
  const { row, now, frame, isLinked } = props;
  const { status, page, placement, campaign, bookedAt } = row;
  const money = <CommissionAmount row={row} />;
  return (
    <li>
      <span className="latest-amount">
        {isLinked ? <a href={buildCommissionAddress(row)}>{money}</a> : money}
      </span>
      <StatusTag status={status} />
      <span className="latest-chain">
        {page === null ? (
          <em>no click found</em>
        ) : (
          <>
            <TitledPage names={frame.names} page={page} /> → {describePlacement(placement ?? '')} → {campaign}
          </>
        )}
      </span>
      <span className="latest-age">
        <TimeText time={bookedAt} timeZone={frame.timeZone} now={now} />
      </span>
    </li>
  );
}
