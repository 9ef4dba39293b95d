import { isCounted, type SiteEvent } from '../events/site-event.ts';
import { buildPageName } from '../events/site-path.ts';
import { buildPlacement } from '../outbound/placement.ts';
import { ANSWER_KEYS } from './build-click-key.ts';
import type { CampaignTouch, FrozenJourney } from './credit.ts';

/**
 * Builds the journey of a click (an `affiliate_redirect`) from the events of its session, in stored order. The entry
 * page and the first five pages are those that the link carried, because the view of a page that was left early may be
 * stored after the click, or never; a page that was never stored has its name instead of its path.
 */
export function buildJourney(click: SiteEvent, sessionEvents: readonly SiteEvent[]): FrozenJourney {
  const counted = sessionEvents.filter((event) => isCounted(event) && event.id !== click.id);
  const before = counted.filter(({ serverTime }) => serverTime <= click.serverTime);
  const paths = new Map([...listViews(counted), click.page].map((path) => [buildPageName(path), path]));
  const carried = parseList(click.data['journey_pages']).map((name) => paths.get(name) ?? name);
  const views = listViews(before);
  const entryName = parseText(click.data['entry_page']);
  return {
    clickId: click.id,
    clickTime: click.serverTime,
    page: click.page,
    placement: buildPlacement(parseText(click.data['source']), parseText(click.data['position'])),
    label: click.label,
    partner: parseText(click.data['partner']),
    destination: parseText(click.data['destination']),
    touches: buildTouches(click, before),
    pages: [...new Set([...carried, ...views, click.page])],
    entryPage: entryName === '' ? (views[0] ?? '') : (paths.get(entryName) ?? entryName),
    answers: parseAnswers(click),
    // No experiment marks its links yet.
    experimentArm: '',
    ...(!isCounted(click) && { flags: click.flags }),
  };
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
