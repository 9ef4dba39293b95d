import { buildSourceName, parseVisitSource } from '../../events/visit-source.ts';
import type { ReportDimension } from './commission-report.ts';
import { buildCampaignName } from './credit.ts';

/** Keys of the answers in the data of a click, by field of a journey. */
export const ANSWER_KEYS: Readonly<Record<string, string>> = {
  businessType: 'assessment_type',
  budget: 'budget',
  revenue: 'revenue_range',
  challenges: 'challenges',
};

/** Builds the key of a link's place on a page. */
export const buildPlacementKey = (page: string, place: string) => `${page} ${place || '(none)'}`;

/** Builds the key of the row that counted clicks belong to; null for those of another question. */
export function buildClickKey(
  key: readonly string[],
  by: ReportDimension,
  answerField: string,
): string | null {
  const [first = '', second = ''] = key;
  if (key.length === 1 && by !== 'month') return first;
  switch (by) {
    case 'placement':
      return buildPlacementKey(first, second);
    case 'campaign':
      return buildCampaignName({ utm_source: first, utm_medium: second, utm_campaign: key[2] ?? '' });
    case 'source':
      return buildSourceName(parseVisitSource(first, second));
    case 'answer':
      return first === ANSWER_KEYS[answerField] ? second : null;
    case 'month':
      return first.slice(0, 7);
    default:
      return first;
  }
}
