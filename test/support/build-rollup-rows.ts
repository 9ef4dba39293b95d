import { getCampaignParts } from '../../src/core/events/campaign.ts';
import {
  ACTION_EVENTS,
  ANSWER_FIELDS,
  ANSWER_LIST,
  ASSESSMENT_STAGES,
  type EventCounts,
  MAX_ASSESSMENT_STEP,
  type RollupDimension,
} from '../../src/core/events/rollup.ts';
import { isCounted, type SiteEvent } from '../../src/core/events/site-event.ts';
import { buildPlacement } from '../../src/core/outbound/placement.ts';

/** What one event adds to the counts of one key. */
export interface RollupRow extends EventCounts {
  readonly dimension: RollupDimension;
  readonly key: readonly string[];
}

/**
 * Builds what an event adds to the counts, which the site computes in SQL; nothing for one that no visitor caused.
 */
export function buildRollupRows(event: SiteEvent): readonly RollupRow[] {
  if (!isCounted(event)) return [];
  const { name, page, data, campaign, value } = event;
  const counts: EventCounts = {
    views: Number(name === 'page_view'),
    sessions: Number(name === 'page_view' && (data['referrer'] !== undefined || data['entry'] !== undefined)),
    actions: Number(ACTION_EVENTS.includes(name)),
    clicks: Number(name === 'affiliate_redirect'),
  };
  const text = (key: string) => (typeof data[key] === 'string' ? data[key] : '');
  const rows: RollupRow[] = [];
  if (counts.views + counts.actions + counts.clicks > 0) {
    rows.push({ dimension: 'page', key: [page], ...counts });
    const key = [...getCampaignParts(campaign), campaign['utm_content'] ?? ''];
    rows.push({ dimension: 'campaign', key, ...counts });
  }
  if (counts.sessions + counts.clicks > 0) {
    const key = [text('visit_channel') || 'unknown', text('visit_source')];
    const own = { ...counts, views: counts.sessions, actions: 0 };
    rows.push({ dimension: 'source', key, ...own });
    const partner = counts.clicks > 0 ? text('partner') : '';
    rows.push({ dimension: 'arrival', key: [...key, page, partner], ...own });
  }
  if (counts.actions + counts.clicks > 0) {
    const partner = counts.clicks > 0 ? text('partner') : '';
    const place = buildPlacement(text('source'), text('position'));
    rows.push({ dimension: 'placement', key: [page, place, partner], ...counts });
  }
  if (counts.clicks > 0) {
    rows.push({ dimension: 'partner', key: [text('partner')], ...counts });
    for (const [field, code] of listAnswers(data)) {
      rows.push({ dimension: 'answer', key: [field, code], ...counts });
    }
  }
  const isStep = name === 'assessment_step' && value >= 1 && value <= MAX_ASSESSMENT_STEP;
  const stage = isStep ? String(Math.trunc(value)) : ASSESSMENT_STAGES[name];
  if (stage !== undefined) {
    rows.push({ dimension: 'assessment', key: [stage], views: 1, sessions: 0, actions: 0, clicks: 0 });
  }
  return rows;
}

function listAnswers(data: SiteEvent['data']): (readonly [string, string])[] {
  const list = data[ANSWER_LIST];
  const challenges = Array.isArray(list) ? list : [];
  return [
    ...ANSWER_FIELDS.flatMap((field) =>
      typeof data[field] === 'string' ? [[field, data[field]] as const] : [],
    ),
    ...challenges.map((code) => [ANSWER_LIST, String(code)] as const),
  ];
}
