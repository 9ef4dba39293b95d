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
import { keepText, readKept } from './kept-text.ts';
import { newId } from './new-id.ts';
import { hasPrivacySignal } from './privacy-signal.ts';

const TOUCHES = 'utm_original_params';
const JOURNEY = 'user_journey_data';

// Where storage is denied, a visit is as long as its page.
let touches: Touches = {};
let journey: Journey | null = null;

/** Takes the page that is shown into the session: its campaign, its place in the journey. */
export function enterPage(): void {
  const reduced = hasPrivacySignal();
  touches = parseTouches(parseItem(TOUCHES), reduced);
  // Who merely came back to an address (reload, Back) did not arrive by it again.
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (!/^(re|back)/.test(`${entry?.type}`) || !hasCampaign(campaignInForce(touches))) {
    touches = addTouch(touches, parseCampaign(location.search, reduced));
  }
  journey = null;
  if (!reduced) {
    journey = enterJourney(parseItem(JOURNEY), {
      path: location.pathname,
      now: Date.now(),
      referrer: document.referrer,
      userAgent: navigator.userAgent,
    });
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

/** A tab that was opened from a page of this site begins without a session, and goes on with the last one. */
function readItem(name: string): string {
  try {
    const isOpenedHere = document.referrer.startsWith(`${location.origin}/`);
    return sessionStorage.getItem(name) ?? (isOpenedHere ? readKept(name) : '');
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
    const text = JSON.stringify(value);
    sessionStorage.setItem(name, text);
    if (journey) keepText(name, text);
    return true;
  } catch {
    return false;
  }
}
