import { type Campaign, parseCampaignRecord } from './campaign.ts';
import { readText } from './read-text.ts';

/**
 * What session storage holds under `utm_original_params`: the parameters of the first touch by name, those
 * of the last touch when a later one came, and the random id of the session.
 */
export type Touches = Campaign & {
  readonly last?: Campaign;
  readonly session?: string;
};

/** Reads the stored touches; every value is cleaned again, because a visitor can edit it. */
export function parseTouches(record: unknown, reduced: boolean): Touches {
  const given = Object(record);
  const last = parseCampaignRecord(given.last, reduced);
  const session = readText(given.session, 64);
  return {
    ...parseCampaignRecord(given, reduced),
    ...(hasCampaign(last) && { last }),
    ...(session && !reduced && { session }),
  };
}

/** Adds an arrival. One without parameters, or with those in force already, changes nothing. */
export function addTouch(touches: Touches, arrival: Campaign): Touches {
  const force = campaignInForce(touches);
  if (!hasCampaign(arrival) || JSON.stringify(force) === JSON.stringify(arrival)) return touches;
  return hasCampaign(force) ? { ...touches, last: arrival } : { ...arrival, ...touches };
}

/** The campaign that counts now: the last touch, whole, never mixed with the first. */
export function campaignInForce(touches: Touches): Campaign {
  const { last, session: _, ...first } = touches;
  return last ?? first;
}

/** Whether an arrival had any parameter. */
export function hasCampaign(campaign: Campaign): boolean {
  return Object.keys(campaign).length > 0;
}
