import { parseAnswers } from './answers.ts';
import { type Journey, readSessionSeconds } from './journey.ts';
import { buildPageName } from './page-name.ts';
import { parseJson } from './parse-json.ts';
import { parseJourney } from './stored-journey.ts';
import { campaignInForce, parseTouches } from './touches.ts';
import { JOURNEY_PAGES_SENT, type Visit } from './visit.ts';

/**
 * Reads session storage as the redirect page sends it: a JSON list of the three records, as texts, and the
 * visitor's clock in ms. `page` is the page of the link when the link named one. Never throws.
 */
export function parseStoredVisit(text: string, page: string): Visit {
  const parts = parseJson(text);
  const [touches, journey, answers, now] = (Array.isArray(parts) ? parts : []).map(parseJson);
  const known = parseTouches(touches, false);
  const record = parseJourney(journey);
  const { session = '' } = known;
  return {
    session: /^[\w-]*$/.test(session) ? session : '',
    page: page || (record?.currentPage ?? ''),
    campaign: campaignInForce(known),
    journeyPages: (record?.pageVisits ?? []).slice(0, JOURNEY_PAGES_SENT).map(buildPageName),
    entryPage: record ? buildPageName(record.entryPage) : '',
    sessionTime: record && readSeconds(record, now),
    answers: parseAnswers(answers),
  };
}

function readSeconds(journey: Journey, now: unknown): number {
  return readSessionSeconds(journey, typeof now === 'number' ? now : 0);
}
