import { parseText } from '../text/parse-text.ts';

/** Click ids and ad ids. They identify one click of one person and are withheld under Global Privacy Control. */
export const AD_PARAMETERS = [
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
] as const;

/** Every campaign parameter that the site captures, stores and sends, by its name in the URL. */
export const CAMPAIGN_PARAMETERS = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_content',
  'utm_term',
  ...AD_PARAMETERS,
] as const;

export type CampaignParameter = (typeof CAMPAIGN_PARAMETERS)[number];

/** The parameters of one arrival (a touch); parameters without a value are absent. */
export type Campaign = Readonly<Partial<Record<CampaignParameter, string>>>;

/** Longest value of a parameter, in UTF-16 units. */
export const MAX_CAMPAIGN_VALUE = 256;

/**
 * Parses the campaign in the query of a URL. Names are matched exactly; of several values the first one counts that is
 * not empty after cleaning; each is cut at 256, and what cannot be decoded is dropped from it. Under Global Privacy
 * Control (`gpc`), only the `utm_` parameters are taken.
 */
export function parseCampaign(query: string, gpc: boolean): Campaign {
  const given = new URLSearchParams(query);
  return pickCampaign((name) => given.getAll(name), gpc);
}

/** Parses a campaign that was stored, by the same rules as a URL: a visitor can edit storage. */
export function parseCampaignRecord(record: unknown, gpc: boolean): Campaign {
  const given = Object(record);
  return pickCampaign((name) => [given[name]], gpc);
}

function pickCampaign(values: (name: string) => readonly unknown[], gpc: boolean): Campaign {
  const campaign: Partial<Record<CampaignParameter, string>> = {};
  for (const name of CAMPAIGN_PARAMETERS) {
    if (gpc && !name.startsWith('utm_')) continue;
    const value = values(name)
      .map((text) => parseText(text, MAX_CAMPAIGN_VALUE))
      .find(Boolean);
    if (value) campaign[name] = value;
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
] as const;

/** Source, medium and name of a campaign; empty texts for what is missing. */
export type CampaignParts = readonly [source: string, medium: string, name: string];

/** Reads the parts of a campaign; one that has only a click id of an ad platform is named after the platform. */
export function getCampaignParts(campaign: Readonly<Record<string, string | undefined>>): CampaignParts {
  const { utm_source: source = '', utm_medium: medium = '', utm_campaign: name = '' } = campaign;
  if (source || medium || name) return [source, medium, name];
  const ad = AD_CLICKS.find(({ id }) => campaign[id]);
  return ad === undefined ? ['', '', ''] : [ad.source, ad.medium, `(${ad.id})`];
}
