import { CAMPAIGN_PARAMETERS, type CampaignParameter } from './campaign-parameters.ts';
import { readText } from './read-text.ts';

/** The parameters of one arrival ("touch"); those without a value are absent. */
export type Campaign = Readonly<Partial<Record<CampaignParameter, string>>>;

/** Longest value that is kept, in UTF-16 units. */
export const CAMPAIGN_VALUE_LIMIT = 256;

/**
 * Reads the campaign of an address's query. The rule for odd input: names are matched exactly, of several
 * values the first that is not empty after cleaning counts, each is cut at 256, and what cannot be decoded
 * is dropped from the value. `reduced` (Global Privacy Control) keeps the `utm_` parameters alone.
 */
export function parseCampaign(query: string, reduced: boolean): Campaign {
  const given = new URLSearchParams(query);
  return pickCampaign((name) => given.getAll(name), reduced);
}

/** Reads a campaign back from storage, by the same rule as the address. */
export function parseCampaignRecord(record: unknown, reduced: boolean): Campaign {
  const given = Object(record);
  return pickCampaign((name) => [given[name]], reduced);
}

function pickCampaign(values: (name: string) => readonly unknown[], reduced: boolean): Campaign {
  const campaign: Partial<Record<CampaignParameter, string>> = {};
  for (const name of CAMPAIGN_PARAMETERS) {
    if (reduced && !name.startsWith('utm_')) continue;
    const value = values(name)
      .map((text) => readText(text, CAMPAIGN_VALUE_LIMIT))
      .find(Boolean);
    if (value) campaign[name] = value;
  }
  return campaign;
}
