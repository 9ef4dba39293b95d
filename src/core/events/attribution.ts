import { parseText } from '../text/parse-text.ts';
import { type Campaign, parseCampaignRecord } from './campaign.ts';

/**
 * The record in session storage under `utm_original_params`: the parameters of the first touch by name, those of the
 * last touch under `last` if it is another one, and the random id of the session.
 */
export type Attribution = Campaign & {
  readonly last?: Campaign;
  readonly session?: string;
};

/** Parses the stored attribution. Every value is cleaned again: a visitor can edit storage. */
export function parseAttribution(record: unknown, gpc: boolean): Attribution {
  const given = Object(record);
  const last = parseCampaignRecord(given.last, gpc);
  const session = parseText(given.session, 64);
  return {
    ...parseCampaignRecord(given, gpc),
    ...(hasCampaign(last) && { last }),
    ...(session && !gpc && { session }),
  };
}

/**
 * Adds an arrival. One without parameters, or with those of the last touch, changes nothing; nor does a URL that is
 * shown again (a reload or Back), once a campaign is known.
 */
export function addArrival(attribution: Attribution, arrival: Campaign, isShownAgain: boolean): Attribution {
  const { last, session: _, ...first } = attribution;
  if (!hasCampaign(first)) return { ...arrival, ...attribution };
  const isKnown = !hasCampaign(arrival) || JSON.stringify(last ?? first) === JSON.stringify(arrival);
  return isKnown || isShownAgain ? attribution : { ...attribution, last: arrival };
}

/**
 * Builds the campaign that a partner receives: the first touch. Where it has no parameter of a group (the utm
 * parameters, the click and ad ids), the group of the last touch; values of two arrivals are never mixed in a group.
 */
export function buildOutboundCampaign(first: Campaign, last: Campaign): Campaign {
  const isUtm = (name: string) => name.startsWith('utm_');
  const pick = (campaign: Campaign, utm: boolean) =>
    Object.entries(campaign).filter(([name]) => isUtm(name) === utm);
  return Object.fromEntries(
    [true, false].flatMap((utm) => {
      const own = pick(first, utm);
      return own.length > 0 ? own : pick(last, utm);
    }),
  );
}

export function hasCampaign(campaign: Campaign): boolean {
  return Object.keys(campaign).length > 0;
}
