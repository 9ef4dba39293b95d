import { CONTENT_EVENT_NAMES, type EventName } from './event-definitions.ts';

/**
 * What events are counted by, each per day, and the parts of its keys:
 * `page`: path. `placement`: path, place (`buildPlacement`), partner (empty for calls to action). `campaign`: source,
 * medium and name (`getCampaignParts`), `utm_content`, and the host of a page that is not ours. `answer`: question, partner code. `partner`: key. `source`: channel and name (`VisitSource`) of sessions and clicks. `arrival`: the same, with the page on which the
 * session began or from which was clicked, and the partner of the click.
 * `assessment`: stage, which is the number of a step that was shown, or one of `ASSESSMENT_STAGES`.
 */
export const ROLLUP_DIMENSIONS = [
  'page',
  'placement',
  'campaign',
  'source',
  'arrival',
  'answer',
  'partner',
  'assessment',
] as const;
export type RollupDimension = (typeof ROLLUP_DIMENSIONS)[number];

/** Counts of events; sums over days and keys are additive. */
export interface EventCounts {
  /** Page views; in `assessment`, how often the stage was reached; in `source` and `arrival`, sessions. */
  readonly views: number;
  /** Sessions that started, or visits without journey, on the page and with the campaign of their first page view. */
  readonly sessions: number;
  /** Calls to action that were clicked. */
  readonly actions: number;
  /** Clicks on links to partners, as the redirect stored them. */
  readonly clicks: number;
}

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

/** Version of the rules of `rollup-queries.ts`; a change makes the site count its events again. */
export const ROLLUP_VERSION = 9;
