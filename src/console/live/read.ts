import { buildCampaignName, NO_CAMPAIGN } from '../../core/commissions/credit/credit.ts';
import type { EventName } from '../../core/events/event-definitions.ts';
import { isWithoutJourney, type SiteEvent } from '../../core/events/site-event.ts';
import { buildPlacement } from '../../core/outbound/placement.ts';
import type { ConsoleSite } from '../console-site.ts';
import { type Column, column, exported, formatTimeCell } from '../reports/columns.ts';

/** An event as a row of the live view. It names no visitor. */
export type LiveRow = ReturnType<typeof buildLiveRow>;

export const LIVE_WINDOW_MINUTES = 30;
export const LIVE_VISITOR_MINUTES = 5;
const MAX_LIVE_EVENTS = 2_000;
const MAX_ROWS = 100;
const MINUTE_MS = 60_000;

/** Builds the live view from the events of the window, newest first. */
function buildLiveModel(events: readonly SiteEvent[], now: number) {
  const since = now - LIVE_VISITOR_MINUTES * MINUTE_MS;
  const places = new Map<string, string>();
  for (const { name, session, page, serverTime } of events) {
    const isView = name === 'page_view' && session !== '' && serverTime >= since;
    if (isView && !places.has(session)) places.set(session, page);
  }
  const counts = new Map<string, number>();
  for (const page of places.values()) counts.set(page, (counts.get(page) ?? 0) + 1);
  return {
    /** Newest first. */
    rows: events.slice(0, MAX_ROWS).map(buildLiveRow),
    /** Events of the window that are not among the rows. */
    omitted: Math.max(0, events.length - MAX_ROWS),
    /** Sessions of the last `LIVE_VISITOR_MINUTES` by the page that each saw last, most visitors first. */
    visitors: [...counts]
      .map(([page, visitors]) => ({ page, visitors }))
      .sort((one, other) => other.visitors - one.visitors || (one.page < other.page ? -1 : 1)),
    /** Page views of the same time without journey, of which nobody knows how many visitors they are. */
    viewsWithout: events.filter(
      (event) => event.name === 'page_view' && event.serverTime >= since && isWithoutJourney(event),
    ).length,
    /** Whether there were more events than are read, so that visitors are counted from the newest alone. */
    isCut: events.length >= MAX_LIVE_EVENTS,
    now,
  };
}

function buildLiveRow({ id, serverTime, name, page, label, data, value, campaign }: SiteEvent) {
  const getText = (key: string) => (typeof data[key] === 'string' ? data[key] : '');
  const details: Partial<Record<EventName, string>> = {
    // The label repeats the partner.
    affiliate_redirect: '',
    assessment_step: `step ${value}`,
    assessment_completed: getText('platform'),
    assessment_conversion: getText('platform'),
    // What a visitor wrote is in the view of messages only.
    contact_message: '',
    newsletter_signup: '',
    page_view: '',
  };
  const campaignName = buildCampaignName(campaign);
  return {
    id,
    /** ms since 1970. */
    time: serverTime,
    name,
    page,
    /** Key of the partner that was clicked; empty for other events. */
    partner: name === 'affiliate_redirect' ? getText('partner') : '',
    /** The place of the link on its page; empty for other events. */
    placement: buildPlacement(getText('source'), getText('position')),
    /** Label of a call to action, step or recommended platform of the assessment; empty for other events. */
    detail: details[name] ?? label,
    /** Empty without a campaign. */
    campaign: campaignName === NO_CAMPAIGN ? '' : campaignName,
  };
}

export const LIVE_COLUMNS: readonly Column<LiveRow>[] = [
  column('time', 'Time', ({ time }) => formatTimeCell(time)),
  column('event', 'Event', ({ name }) => name, { onPhone: 'lead' }),
  column('page', 'Page', ({ page }) => page),
  exported('partner', ({ partner }) => partner),
  exported('placement', ({ placement }) => placement),
  column('detail', 'Detail', ({ detail }) => detail),
  column('campaign', 'Campaign', ({ campaign }) => campaign),
];

/** Reads what happens now. */
export async function readLive({ clock, visitors: { eventFeed } }: ConsoleSite) {
  const now = clock.now();
  const since = now - LIVE_WINDOW_MINUTES * MINUTE_MS;
  const { events } = await eventFeed.readRecent({ since, limit: MAX_LIVE_EVENTS });
  return buildLiveModel(events, now);
}
