/** Click ids and ad ids: they name one click of one person, so they go when the visitor asks for privacy. */
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

/** Every campaign parameter that the site captures, stores and sends, by its name in the address. */
export const CAMPAIGN_PARAMETERS = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_content',
  'utm_term',
  ...AD_PARAMETERS,
] as const;

export type CampaignParameter = (typeof CAMPAIGN_PARAMETERS)[number];
