import { parseText } from '../text/parse-text.ts';
import { isAssistantTag } from './source-hosts.ts';

/** Every campaign parameter that the site captures, stores and sends, by its name in the URL. */
export const CAMPAIGN_PARAMETERS = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_content',
  'utm_term',
  'gclid',
  'gbraid',
  'wbraid',
  'fbclid',
  'msclkid',
  'ttclid',
  'li_fat_id',
  'campaign_id',
  'ad_group_id',
  'ad_id',
  'twclid',
  'rdt_cid',
  'ScCid',
  'yclid',
  'dclid',
  'gad_source',
  'epik',
] as const;

export type CampaignParameter = (typeof CAMPAIGN_PARAMETERS)[number];

/** The parameters of one arrival (a touch); parameters without a value are absent. */
export type Campaign = Readonly<Partial<Record<CampaignParameter, string>>>;

/** Those of them that are no ids of ads or clicks. */
export const UTM_PARAMETERS: readonly CampaignParameter[] = /* @__PURE__ */ CAMPAIGN_PARAMETERS.slice(0, 5);

/** Longest value of a parameter, in UTF-16 units. */
export const MAX_CAMPAIGN_VALUE = 256;

/**
 * Parses the campaign in the query of a URL. Names are matched exactly; of several values the first one counts that is
 * not empty after cleaning; each is cut at 256, and what cannot be decoded is dropped from it. Under Global Privacy
 * Control and in storage-free mode, only the `utm_` parameters are taken (`names`).
 */
export function parseCampaign(
  query: string,
  names: readonly CampaignParameter[] = CAMPAIGN_PARAMETERS,
): Campaign {
  // Programs have joined two queries (`?utm_source=a?fbclid=b`), or escaped one for HTML (`&amp;`).
  const given = new URLSearchParams(query.replace(/[?&](amp;)*(?=\w+=)/g, '&'));
  return pickCampaign((name) => given.getAll(name), names);
}

/** Reads the campaign in a query that is parsed already, by the same rules. */
export function readCampaign(
  query: URLSearchParams,
  names: readonly CampaignParameter[] = CAMPAIGN_PARAMETERS,
): Campaign {
  return pickCampaign((name) => query.getAll(name), names);
}

/** Parses a campaign that was stored, by the same rules as a URL: a visitor can edit storage. */
export function parseCampaignRecord(
  record: unknown,
  names: readonly CampaignParameter[] = CAMPAIGN_PARAMETERS,
): Campaign {
  const given = Object(record);
  return pickCampaign((name) => [given[name]], names);
}

function pickCampaign(
  values: (name: string) => readonly unknown[],
  names: readonly CampaignParameter[],
): Campaign {
  const campaign: Partial<Record<CampaignParameter, string>> = {};
  for (const name of names) {
    for (const text of values(name)) {
      const value = parseText(text, MAX_CAMPAIGN_VALUE);
      if (value) campaign[name] ??= value;
    }
  }
  return campaign;
}

/** Click ids of ad platforms, with the source and medium that name a campaign without `utm_` parameters. */
export const AD_CLICKS = [
  { id: 'gclid', source: 'google', medium: 'cpc' },
  { id: 'gbraid', source: 'google', medium: 'cpc' },
  { id: 'wbraid', source: 'google', medium: 'cpc' },
  // Facebook adds it to links in posts, too.
  { id: 'fbclid', source: 'facebook', medium: 'social' },
  { id: 'msclkid', source: 'bing', medium: 'cpc' },
  { id: 'ttclid', source: 'tiktok', medium: 'cpc' },
  { id: 'li_fat_id', source: 'linkedin', medium: 'cpc' },
  { id: 'twclid', source: 'twitter', medium: 'cpc' },
  { id: 'rdt_cid', source: 'reddit', medium: 'cpc' },
  { id: 'epik', source: 'pinterest', medium: 'cpc' },
  { id: 'ScCid', source: 'snapchat', medium: 'cpc' },
  // Yahoo! Japan has the same name.
  { id: 'yclid', source: 'yandex', medium: 'cpc' },
  { id: 'dclid', source: 'google', medium: 'display' },
  // No click id, but what Google leaves of one.
  { id: 'gad_source', source: 'google', medium: 'cpc' },
] as const;

/**
 * Parses the campaign of an address in storage-free mode: its utm parameters; without any, the name of an ad platform's
 * parameter, never its value.
 */
export function parseFreeCampaign(query: string): Campaign {
  const utm = parseCampaign(query, UTM_PARAMETERS);
  const all = parseCampaign(query);
  const ad = CAMPAIGN_PARAMETERS.find((name) => !name.startsWith('utm_') && all[name]);
  return hasCampaign(utm) || !ad ? utm : { utm_campaign: `(${ad})` };
}

/** Completes the campaign of a visit without storage: `(gclid)` alone as its name says that an ad of Google was clicked. */
export function completeFreeCampaign(campaign: Campaign): Campaign {
  const ad = AD_CLICKS.find(({ id }) => campaign.utm_campaign === `(${id})`);
  if (ad === undefined || campaign.utm_source || campaign.utm_medium) return campaign;
  return { utm_source: ad.source, utm_medium: ad.medium, ...campaign };
}

/** Source, medium and name of a campaign; empty texts for what is missing. */
export type CampaignParts = readonly [source: string, medium: string, name: string];

/**
 * Reads the parts of a campaign; one that has only a click id of an ad platform is named after the platform. A tag that
 * an assistant adds by itself is no campaign of the operator: its parts are empty.
 */
export function getCampaignParts(campaign: Readonly<Record<string, string | undefined>>): CampaignParts {
  const { utm_source: source = '', utm_medium: medium = '', utm_campaign: name = '' } = campaign;
  if (isAutomaticTag(campaign)) return ['', '', ''];
  if (source || medium || name) return [source, medium, name];
  const ad = AD_CLICKS.find(({ id }) => campaign[id]);
  return ad === undefined ? ['', '', ''] : [ad.source, ad.medium, `(${ad.id})`];
}

/** Whether a campaign is the tag of an assistant, without a medium and a name: such as `utm_source=chatgpt.com` alone. */
export function isAutomaticTag(campaign: Readonly<Record<string, string | undefined>>): boolean {
  const { utm_source: source = '', utm_medium: medium = '', utm_campaign: name = '' } = campaign;
  return source !== '' && medium === '' && name === '' && isAssistantTag(source);
}

/**
 * The record in session storage under `utm_original_params`: the parameters of the first touch by name, those of the
 * last touch under `last` if it is another one, and the random id of the session.
 */
export type Attribution = Campaign & {
  readonly last?: Campaign;
  readonly session?: string;
};

/** Parses the stored attribution. Every value is cleaned again: a visitor can edit storage. */
export function parseAttribution(record: unknown): Attribution {
  const given = Object(record);
  const last = parseCampaignRecord(given.last);
  const session = parseText(given.session, 64);
  return {
    ...parseCampaignRecord(given),
    ...(hasCampaign(last) && { last }),
    ...(session && { session }),
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
  if (last === first) return first;
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
