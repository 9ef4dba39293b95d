import { CAMPAIGN_PARAMETERS, UTM_PARAMETERS } from '../events/campaign.ts';
import type { EventName } from '../events/event-definitions.ts';
import type { EventDatum } from '../events/site-event.ts';

// What is not stored of a visitor who sends `Sec-GPC: 1` (Global Privacy Control, https://w3c.github.io/gpc/), or of whose visit
// nothing is stored in the browser.

/** Click ids and ad ids: they identify one click of one person. */
export const AD_PARAMETERS = CAMPAIGN_PARAMETERS.filter((name) => !UTM_PARAMETERS.includes(name));

/** Custom data that shows where a visitor has been or what they answered; compared without case and `_`. */
const JOURNEY_OR_ANSWER = [
  'journeypages',
  'pagevisits',
  'pages',
  'entrypage',
  'entrytime',
  'currentpage',
  'sessiontime',
  'timespent',
  'referrer',
  'useragent',
  'assessmenttype',
  'businesstype',
  'businesstypecode',
  'budget',
  'budgetcode',
  'revenue',
  'revenuerange',
  'challenges',
  'answers',
  'analyticsclient',
  'analyticssession',
];

const WITHHELD = new Set([...JOURNEY_OR_ANSWER, ...AD_PARAMETERS.map(normalize)]);

function normalize(key: string): string {
  return key.toLowerCase().replaceAll('_', '');
}

/**
 * Builds a copy of campaign parameters or custom data without those that GPC withholds, or those of a visit that is not stored,
 * which keeps its first page and the site before it.
 */
export function dropFields<T extends EventDatum>(
  fields: Readonly<Record<string, T>>,
  kept: readonly string[] = [],
): Readonly<Record<string, T>> {
  return Object.fromEntries(
    Object.entries(fields).filter(([key]) => kept.includes(key) || !WITHHELD.has(normalize(key))),
  );
}

/** What is stored of a visit that is not stored in the browser. */
export const FREE_FIELDS: readonly string[] = ['referrer', 'entry_page'];

/** Whether GPC withholds the label of an event: that of an assessment is `businessType_to_platform`, an answer. */
export function isLabelWithheld(name: EventName): boolean {
  return name.startsWith('assessment_');
}
