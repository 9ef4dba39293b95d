import {
  ANSWERS_KEY,
  ATTRIBUTION_KEY,
  COPY_KEY,
  COPY_LIFETIME_MS,
  JOURNEY_KEY,
} from '../../core/consent/storage-keys.ts';
import { type Attribution, addArrival, parseAttribution, parseCampaign } from '../../core/events/campaign.ts';
import { type Arrival, enterJourney, type Journey, parseLeftPages } from '../../core/events/journey.ts';
import { buildLinkQuery, buildVisit } from '../../core/outbound/outbound-link.ts';
import { readStored, readStoredJson, writeStored } from '../storage.ts';
import type { FollowedVisit } from './follow-visit.ts';
import { createId, deliver, resumeDelivery, takeDropped } from './outbox.ts';

// The record of a visit, where the visitor's browser may keep one: campaign parameters and journey in session storage.

let attribution: Attribution = {};
let journey: Journey;

function enterPage(arrival: Arrival): void {
  // Time, attribution and journey. A tab that was opened from a page of this site continues them.
  const stored = Object(readStoredJson('local', COPY_KEY));
  const copy =
    `${arrival.referrer}`.startsWith(`${location.origin}/`) &&
    Math.abs(Date.now() - stored[0]) < COPY_LIFETIME_MS &&
    stored;
  attribution = addArrival(
    parseAttribution(readStoredJson('session', ATTRIBUTION_KEY) ?? copy[1]),
    parseCampaign(arrival.query),
    arrival.isShownAgain,
  );
  const record = Object(readStoredJson('session', JOURNEY_KEY));
  // A part of the page may have stored its state before this script had loaded.
  journey = enterJourney(record.entryTime ? record : { ...copy[2], ...record }, arrival);
  // Without storage, every page would count as a session of its own.
  if (writeStored('session', JOURNEY_KEY, JSON.stringify(journey))) {
    attribution = { session: createId(), ...attribution };
  }
  writeStored('session', ATTRIBUTION_KEY, JSON.stringify(attribution));
  keep();
}

/** Copies the visit to local storage, for tabs that are opened from this page. */
function keep(): void {
  writeStored('local', COPY_KEY, JSON.stringify([Date.now(), attribution, journey]));
}

const read = () => buildVisit(attribution, journey, Date.now());

/** Follows the visit with the record. */
export const recordedVisit: FollowedVisit = {
  enter(onView) {
    // Pages that were left before this script had loaded come first.
    for (const arrival of [...parseLeftPages(readStoredJson('session', JOURNEY_KEY)), window.readArrival()]) {
      enterPage(arrival);
      // The first page of a session has the address of the page before it.
      const referrer = journey.timeSpent ? undefined : journey.referrer;
      onView(arrival, { referrer, dropped: takeDropped() || undefined });
    }
  },
  read,
  addToLink: (query, click) =>
    buildLinkQuery(
      query,
      { ...read(), page: location.pathname, answers: readStored('session', ANSWERS_KEY) },
      click,
    ),
  keep,
  deliver,
  resume: resumeDelivery,
};
