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
