import { readVisitSource } from '../../events/build-site-event.ts';
import { isCounted, isWithoutJourney, type SiteEvent } from '../../events/site-event.ts';
import { buildPageName } from '../../events/site-path.ts';
import {
  classifyFirstView,
  classifySource,
  UNKNOWN_SOURCE,
  type VisitSource,
} from '../../events/visit-source.ts';
import { buildPlacement } from '../../outbound/placement.ts';
import { ANSWER_KEYS } from '../credit/build-click-key.ts';
import type { CampaignTouch, FrozenJourney, JourneySources } from '../credit/credit.ts';

/**
 * Builds the journey of a click (an `affiliate_redirect`) from the events of its session, in stored order. The entry
 * page and the first five pages are those that the link carried, because the view of a page that was left early may be
 * stored after the click, or never; a page that was never stored has its name instead of its path. Of a visit without
 * journey, the pages are that of entry and that of the click. `ownHosts`: those of the site, for events that were stored
 * without their source.
 */
export function buildJourney(
  click: SiteEvent,
  sessionEvents: readonly SiteEvent[],
  ownHosts: readonly string[] = [],
): FrozenJourney {
  const counted = sessionEvents.filter((event) => isCounted(event) && event.id !== click.id);
  const before = counted.filter(({ serverTime }) => serverTime <= click.serverTime);
  const paths = new Map([...listViews(counted), click.page].map((path) => [buildPageName(path), path]));
  const carried = parseList(click.data['journey_pages']).map((name) => paths.get(name) ?? name);
  const views = listViews(before);
  const entryName = parseText(click.data['entry_page']);
  const touches = buildTouches(click, before);
  const isFree = isWithoutJourney(click);
  const entryPage = entryName === '' ? (views[0] ?? '') : (paths.get(entryName) ?? entryName);
  return {
    clickId: click.id,
    clickTime: click.serverTime,
    page: click.page,
    placement: buildPlacement(parseText(click.data['source']), parseText(click.data['position'])),
    label: click.label,
    partner: parseText(click.data['partner']),
    destination: parseText(click.data['destination']),
    touches,
    pages: [...new Set([...(isFree && entryPage ? [entryPage] : []), ...carried, ...views, click.page])],
    entryPage,
    answers: parseAnswers(click),
    // No experiment marks its links yet.
    experimentArm: '',
    ...(!isCounted(click) && { flags: click.flags }),
    ...(isFree && { isFree }),
    sources: buildSources(click, counted, touches, ownHosts),
  };
}

/**
 * Builds the sources of a journey: that of the first page view, those of the campaigns that followed, and that of the
 * click. An event that was stored without its source is classified now; unknown when no event says anything.
 */
function buildSources(
  click: SiteEvent,
  events: readonly SiteEvent[],
  touches: readonly CampaignTouch[],
  ownHosts: readonly string[],
): JourneySources {
  const views = events.filter(({ name }) => name === 'page_view');
  const [entry] = views.flatMap((view) => {
    const source = readVisitSource(view) ?? classifyFirstView(view, ownHosts);
    return source === null ? [] : [{ source, campaign: JSON.stringify(view.campaign) }];
  });
  const clicked = readVisitSource(click);
  const followed = touches.flatMap(({ campaign }, index): VisitSource[] => {
    const text = JSON.stringify(campaign);
    if (index === 0 && text === entry?.campaign) return [];
    const isOfClick = index === touches.length - 1 && text === JSON.stringify(click.campaign);
    return [(isOfClick && clicked) || classifySource({ campaign, referrer: undefined }, ownHosts)];
  });
  const arrivals = [...(entry === undefined ? [] : [entry.source]), ...followed];
  const [first = clicked ?? UNKNOWN_SOURCE] = arrivals;
  const between = arrivals.slice(1, -1);
  return { first, last: arrivals.at(-1) ?? first, ...(between.length > 0 && { between }) };
}

function listViews(events: readonly SiteEvent[]): string[] {
  return events.filter(({ name }) => name === 'page_view').map(({ page }) => page);
}

function buildTouches(click: SiteEvent, before: readonly SiteEvent[]): CampaignTouch[] {
  const touches: CampaignTouch[] = [];
  let current = '{}';
  for (const { id, campaign, serverTime } of [...before, click]) {
    const text = JSON.stringify(campaign);
    if (text === '{}' || text === current) continue;
    current = text;
    // The click itself is no arrival: its campaign arrived with an event that is not stored.
    touches.push({ campaign, time: id === click.id ? null : serverTime });
  }
  return touches;
}

function parseAnswers({ data }: SiteEvent): Record<string, string> {
  const answers = Object.entries(ANSWER_KEYS).map(([field, key]) => [field, parseList(data[key]).join(',')]);
  return Object.fromEntries(answers.filter(([, value]) => value !== ''));
}

function parseText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function parseList(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
