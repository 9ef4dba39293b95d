import {
  ANSWERS_KEY,
  ATTRIBUTION_KEY,
  COPY_KEY,
  COPY_LIFETIME_MS,
  JOURNEY_KEY,
} from '../../core/consent/storage-keys.ts';
import { type Attribution, addArrival, parseAttribution, parseCampaign } from '../../core/events/campaign.ts';
import { type Arrival, enterJourney, type Journey, parseLeftPages } from '../../core/events/journey.ts';
import { buildVisit, type Visit } from '../../core/outbound/outbound-link.ts';
import { hasGpc } from '../consent/gpc.ts';
import { readStored, readStoredJson, removeStored, writeStored } from '../storage.ts';
import { createId } from './outbox.ts';

let attribution: Attribution = {};
let journey: Journey | null = null;

/**
 * Adds the page that is shown to the visit, after those that were left before this script had loaded: campaign
 * parameters and place in the journey. Calls `onView` for each, with the address of the page before the entry (or
 * `direct`) on the first page of a session, else an empty text.
 */
export function captureCampaign(onView: (arrival: Arrival, referrer: string) => void): void {
  for (const arrival of [...parseLeftPages(readStoredJson('session', JOURNEY_KEY)), window.readArrival()])
    onView(arrival, enterPage(arrival));
}

function enterPage(arrival: Arrival): string {
  const gpc = hasGpc();
  // Time, attribution and journey. A tab that was opened from a page of this site continues them.
  const stored = Object(readStoredJson('local', COPY_KEY));
  const copy =
    `${arrival.referrer}`.startsWith(`${location.origin}/`) &&
    Math.abs(Date.now() - stored[0]) < COPY_LIFETIME_MS &&
    stored;
  attribution = addArrival(
    parseAttribution(readStoredJson('session', ATTRIBUTION_KEY) ?? copy[1], gpc),
    parseCampaign(arrival.query, gpc),
    arrival.isShownAgain,
  );
  const record = Object(readStoredJson('session', JOURNEY_KEY));
  journey = gpc ? null : enterJourney(record.entryTime ? record : copy[2], arrival);
  // Without storage, every page would count as a session of its own.
  if (journey && writeStored('session', JOURNEY_KEY, JSON.stringify(journey))) {
    attribution = { session: createId(), ...attribution };
  }
  writeStored('session', ATTRIBUTION_KEY, JSON.stringify(attribution));
  writeCopy();
  return journey && !journey.timeSpent ? journey.referrer : '';
}

/** Copies the visit to local storage, for tabs that are opened from this page; under GPC deletes the copy. */
export function writeCopy(): void {
  if (journey) writeStored('local', COPY_KEY, JSON.stringify([Date.now(), attribution, journey]));
  else removeStored('local', COPY_KEY);
}

/** Returns the visit at this moment. */
export function getVisit(): Visit {
  return {
    ...buildVisit(attribution, journey, Date.now()),
    page: location.pathname,
    // Without a journey, GPC is on.
    answers: journey ? readStored('session', ANSWERS_KEY) : '',
  };
}
