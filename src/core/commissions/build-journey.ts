import { isCounted, type SiteEvent } from '../events/site-event.ts';
import type { CampaignTouch, FrozenJourney } from './credit.ts';

/** Keys of the answers in the data of a click, by field of a journey. */
export const ANSWER_KEYS: Readonly<Record<string, string>> = {
  businessType: 'assessment_type',
  budget: 'budget',
  revenue: 'revenue_range',
  challenges: 'challenges',
};

/**
 * Builds the journey of a click (an `affiliate_redirect`) from the events of its session, in stored order. Without them
 * it has what the link carried: the campaign, the entry page and up to five pages by name.
 */
export function buildJourney(click: SiteEvent, sessionEvents: readonly SiteEvent[]): FrozenJourney {
  const before = sessionEvents.filter(
    (event) => isCounted(event) && event.id !== click.id && event.serverTime <= click.serverTime,
  );
  const views = before.filter(({ name }) => name === 'page_view').map(({ page }) => page);
  const pages =
    views.length > 0 ? [...views, click.page] : [...parseList(click.data['journey_pages']), click.page];
  return {
    clickId: click.id,
    clickTime: click.serverTime,
    page: click.page,
    placement: parseText(click.data['source']),
    label: click.label,
    partner: parseText(click.data['partner']),
    destination: parseText(click.data['destination']),
    touches: buildTouches(click, before),
    pages: [...new Set(pages)],
    entryPage: views[0] ?? parseText(click.data['entry_page']),
    answers: parseAnswers(click),
    // No experiment marks its links yet.
    experimentArm: '',
  };
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
