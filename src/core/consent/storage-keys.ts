/** Session storage: the campaign and the random id of the session. */
export const ATTRIBUTION_KEY = 'utm_original_params';
/** Session storage: the journey record. */
export const JOURNEY_KEY = 'user_journey_data';
/** Session storage: the answers of the assessment. */
export const ANSWERS_KEY = 'assessment_results';
/** Local storage: a copy of campaign, session id and journey, with its time in ms since 1970. */
export const COPY_KEY = 'visit-data';
/** Local storage: the beginning of the key of every event that waits to be sent. */
export const OUTBOX_PREFIX = 'outbox:';
/** Local storage: the time until which nothing is sent, in ms since 1970. */
export const OUTBOX_PAUSE_KEY = 'outbox-pause';
/** Local storage: how many events were dropped since the last page view. */
export const OUTBOX_DROPPED_KEY = 'outbox-drop';
/**
 * Local storage: what the visitor has chosen. `yes` or `no` for the record of the visit, then for analytics (`-` where
 * that was not asked), then the day (`YYYY-MM-DD`) and the version of the text: `no - 2026-11-27 1`.
 */
export const CHOICE_KEY = 'visit-choice';
/** Local storage of earlier versions: whether the visitor allows analytics, `yes` or `no`. */
export const FORMER_CHOICE_KEY = 'analytics-consent';

/** Every key that a script of the site may use. */
export type StorageKey =
  | typeof ATTRIBUTION_KEY
  | typeof JOURNEY_KEY
  | typeof ANSWERS_KEY
  | typeof COPY_KEY
  | `${typeof OUTBOX_PREFIX}${string}`
  | typeof OUTBOX_PAUSE_KEY
  | typeof OUTBOX_DROPPED_KEY
  | typeof CHOICE_KEY
  | typeof FORMER_CHOICE_KEY;

/** `local` is shared by all tabs and survives them, `session` belongs to one tab. */
export type StorageArea = 'local' | 'session';

/** The copy of the visit in local storage expires this long after the last page or click, in ms. */
export const COPY_LIFETIME_MS = 1_800_000;
