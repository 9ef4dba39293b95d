import { AD_PARAMETERS } from './campaign-parameters.ts';
import type { EventDatum } from './site-event.ts';

/** Custom data that tells where a visitor has been or what they answered; compared without case and `_`. */
const JOURNEY_OR_ANSWER = new Set([
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
]);

const AD_KEYS = new Set(AD_PARAMETERS.map(plain));

function plain(key: string): string {
  return key.toLowerCase().replaceAll('_', '');
}

/** Whether a campaign parameter or data key must not be stored for a visitor who sends `Sec-GPC: 1`. */
function isWithheldByPrivacySignal(key: string): boolean {
  const name = plain(key);
  return AD_KEYS.has(name) || JOURNEY_OR_ANSWER.has(name);
}

/** Builds a copy of `fields` without what `Sec-GPC: 1` withholds. */
export function buildPrivateFields<T extends EventDatum>(
  fields: Readonly<Record<string, T>>,
): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !isWithheldByPrivacySignal(key)));
}
