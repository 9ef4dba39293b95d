import { parseCampaign } from '../core/journey/campaign.ts';
import { enterJourney, type Journey } from '../core/journey/journey.ts';
import type { Luggage } from '../core/journey/link-query.ts';
import {
  addTouch,
  campaignInForce,
  hasCampaign,
  parseTouches,
  type Touches,
} from '../core/journey/touches.ts';
import { newId } from './new-id.ts';
import { hasPrivacySignal } from './privacy-signal.ts';

const TOUCHES = 'utm_original_params';
const JOURNEY = 'user_journey_data';

// Where storage is denied, a visit is as long as its page.
let touches: Touches = {};
let journey: Journey | null = null;

/** Takes the page that is shown into the session: its campaign, its place in the journey. */
export function enterPage(now: number): void {
  const reduced = hasPrivacySignal();
  touches = parseTouches(parseItem(TOUCHES), reduced);
  // Who merely came back to an address (reload, Back) did not arrive by it again.
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (!/^(re|back)/.test(entry?.type ?? '') || !hasCampaign(campaignInForce(touches))) {
    touches = addTouch(touches, parseCampaign(location.search, reduced));
  }
  journey = null;
  if (!reduced) {
    const { referrer } = document;
    const { userAgent } = navigator;
    journey = enterJourney(parseItem(JOURNEY), { path: location.pathname, now, referrer, userAgent });
    // A session that is forgotten with the page is none.
    if (writeItem(JOURNEY, journey)) touches = { session: newId(), ...touches };
  }
  writeItem(TOUCHES, touches);
}

/** What is known of the visit at this moment. */
export function readVisit(): Omit<Luggage, 'click'> {
  const reduced = hasPrivacySignal();
  return {
    session: touches.session ?? '',
    page: location.pathname,
    campaign: campaignInForce(touches),
    journey,
    answers: reduced ? '' : readItem('assessment_results'),
    now: Date.now(),
  };
}

function readItem(name: string): string {
  try {
    return sessionStorage.getItem(name) ?? '';
  } catch {
    return '';
  }
}

function parseItem(name: string): unknown {
  try {
    return JSON.parse(readItem(name));
  } catch {
    return null;
  }
}

function writeItem(name: string, value: unknown): boolean {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
