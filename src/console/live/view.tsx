import { getEventDefinition } from '../../core/events/event-definitions.ts';
import { describePlacement } from '../../core/outbound/placement.ts';
import { useFrame, type ViewProps } from '../console-page.ts';
import { showColumns, TableBlock } from '../frame/data-table.tsx';
import { TitledPage } from '../frame/links.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatClockTime, formatNumber } from '../reports/format.ts';
import type { SiteNames } from '../reports/site-pages.ts';
import {
  LIVE_COLUMNS,
  LIVE_VISITOR_MINUTES,
  LIVE_WINDOW_MINUTES,
  type LiveRow,
  type readLive,
} from './read.ts';

type Props = ViewProps<Awaited<ReturnType<typeof readLive>>>;

/** The last half hour, an event a row. A script fetches the page again; without scripts a link does. */
export function LiveView({ model }: Props) {
  const { rows, omitted, visitors, now } = model;
  const count = visitors.reduce((sum, row) => sum + row.visitors, 0);
  return (
    <div data-live>
      <p className="live-bar">
        <a className="button button-quiet" href={buildConsoleAddress('live')} data-live-reload>
          Reload
        </a>
        <button type="button" className="button button-quiet" data-live-pause hidden aria-pressed="false">
          Pause
        </button>
        <span role="status" data-live-status>
          {formatNumber(count)} {count === 1 ? 'visitor' : 'visitors'} now,{' '}
          {formatNumber(rows.length + omitted)} events in {LIVE_WINDOW_MINUTES} minutes, as of{' '}
          {formatClockTime(now, useFrame().timeZone)}
        </span>
      </p>
      <div data-live-content>
        <VisitorsByPage model={model} />
        <NewestEvents model={model} />
      </div>
    </div>
  );
}

function VisitorsByPage({ model: { visitors, viewsWithout, isCut } }: Props) {
  const cut = isCut ? ', of the newest events alone' : '';
  const without =
    viewsWithout > 0
      ? ` Page views without journey, which count no visit: ${formatNumber(viewsWithout)}.`
      : '';
  return (
    <TableBlock
      title="Now, by page"
      note={`Visits of the last ${LIVE_VISITOR_MINUTES} minutes${cut}.${without}`}
      caption="Visitors now by page"
      columns={[
        { name: 'Page', render: ({ page }) => <TitledPage page={page} /> },
        { name: 'Visitors', isNumeric: true, onPhone: 'lead', render: (row) => formatNumber(row.visitors) },
      ]}
      rows={visitors}
      getKey={({ page }) => page}
      empty={`No page was viewed in the last ${LIVE_VISITOR_MINUTES} minutes.`}
    />
  );
}

/** What was clicked where, in words. */
function describeDetail({ partner, placement, detail }: LiveRow, { partners }: SiteNames): string {
  const place = placement === '' ? '' : describePlacement(placement);
  const parts = new Set([partners.get(partner) ?? partner, detail, place]);
  return [...parts].filter((part) => part !== '').join(' · ');
}

function NewestEvents({ model: { rows, omitted } }: Props) {
  const { names, timeZone, exportHref } = useFrame();
  return (
    <TableBlock
      title="Events"
      note={
        omitted > 0 ? `The newest ${formatNumber(rows.length)}; ${formatNumber(omitted)} more.` : undefined
      }
      links={exportHref !== null && <a href={exportHref}>CSV</a>}
      caption="Events, newest first"
      columns={showColumns(LIVE_COLUMNS, {
        time: ({ time }) => <span className="time">{formatClockTime(time, timeZone)}</span>,
        event: ({ name }) => getEventDefinition(name).title,
        page: ({ page }) => <TitledPage page={page} />,
        detail: (row) => describeDetail(row, names),
      })}
      rows={rows}
      getKey={({ id }) => id}
      empty={`Nothing happened in the last ${LIVE_WINDOW_MINUTES} minutes.`}
    />
  );
}
