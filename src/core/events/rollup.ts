import { getCampaignParts } from './campaign-parts.ts';
import { CONTENT_EVENT_NAMES, type EventName } from './event-definitions.ts';
import { buildPlacement } from './placement.ts';
import { isCounted, type SiteEvent } from './site-event.ts';

/** What events are counted by, each per day. */
export const ROLLUP_DIMENSIONS = [
  'page',
  'placement',
  'campaign',
  'answer',
  'partner',
  'path',
  'assessment',
] as const;
export type RollupDimension = (typeof ROLLUP_DIMENSIONS)[number];

/** Counts of events; sums over days and keys are additive. */
export interface EventCounts {
  /** Page views; in the dimension `assessment`, how often the stage was reached. */
  readonly views: number;
  /** Sessions that started, on the page and with the campaign of their first page view. */
  readonly sessions: number;
  /** Calls to action that were clicked. */
  readonly actions: number;
  /** Clicks on links to partners, as the redirect stored them. */
  readonly clicks: number;
}

/** What one event adds to the counts of one key. */
export interface RollupRow extends EventCounts {
  readonly dimension: RollupDimension;
  /**
   * `page`: path. `placement`: path, place (`buildPlacement`), partner (empty for calls to action). `campaign`: source,
   * medium and name (`getCampaignParts`), `utm_content`. `answer`: question, partner code. `partner`: key. `path`: name
   * of the entry page (`buildPageName`; empty when it is not known), path of the page with the link, partner.
   * `assessment`: stage, which is the number of a step that was shown, or one of `ASSESSMENT_STAGES`.
   */
  readonly key: readonly string[];
}

/** Events of calls to action. */
export const ACTION_EVENTS: readonly EventName[] = [...CONTENT_EVENT_NAMES, 'assessment_conversion'];

/** Questions of the assessment, as the data of a click has their answers. */
export const ANSWER_FIELDS = ['assessment_type', 'budget', 'revenue_range'] as const;
export const ANSWER_LIST = 'challenges';

/** The stages of the assessment after its steps, by the event that reaches them. */
export const ASSESSMENT_STAGES: Readonly<Partial<Record<EventName, string>>> = {
  assessment_completed: 'completed',
  assessment_conversion: 'clicked',
};

/** A step with another number is not counted: any page may send one. */
export const MAX_ASSESSMENT_STEP = 9;

/** Key of what exceeds the number of keys of a dimension per day. */
export const OTHER_KEY: readonly string[] = ['(other)'];

/** Version of the rules below; a change makes the site count its events again. */
export const ROLLUP_VERSION = 5;

/** Builds what an event adds to the counts; nothing for one that no visitor caused. */
export function buildRollupRows(event: SiteEvent): readonly RollupRow[] {
  if (!isCounted(event)) return [];
  const { name, page, data, campaign, value } = event;
  const counts: EventCounts = {
    views: Number(name === 'page_view'),
    sessions: Number(name === 'page_view' && data['referrer'] !== undefined),
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
  if (counts.actions + counts.clicks > 0) {
    const partner = counts.clicks > 0 ? text('partner') : '';
    const place = buildPlacement(text('source'), text('position'));
    rows.push({ dimension: 'placement', key: [page, place, partner], ...counts });
  }
  if (counts.clicks > 0) {
    rows.push({ dimension: 'partner', key: [text('partner')], ...counts });
    rows.push({ dimension: 'path', key: [text('entry_page'), page, text('partner')], ...counts });
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
