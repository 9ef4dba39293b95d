/** Every event name the store accepts. A new event is a line here and a row in docs/attribution.md. */
export const EVENT_NAMES = [
  'page_view',
  'call_to_action',
  'tutorial_conversion',
  'affiliate_redirect',
  'free_trial_signup',
  'pricing_view',
  'assessment_conversion',
  'assessment_completed',
  'contact_message',
] as const;

export type EventName = (typeof EVENT_NAMES)[number];

/** Values that custom data may hold: flat, so that an export has one column for each. */
export type EventDatum = string | number | boolean | readonly string[];

/** Why an event is stored but not counted. */
export type EventFlag = 'bot' | 'prefetch' | 'double' | 'clock' | 'gpc';

/** One stored fact about a visit. Immutable; identified by `id` alone. */
export interface SiteEvent {
  /** Made where the event happened (UUID). Storing the same id again changes nothing. */
  readonly id: string;
  readonly name: EventName;
  /** Random id of the browser session; empty when the visitor's browser could not tell one. */
  readonly session: string;
  /** Path of the page where it happened, without query. */
  readonly page: string;
  readonly label: string;
  readonly value: number;
  readonly data: Readonly<Record<string, EventDatum>>;
  /** Campaign parameters in force (last touch), by parameter name. */
  readonly campaign: Readonly<Record<string, string>>;
  /** The visitor's clock in ms since 1970, clamped to a day around the server's; null when it made no sense. */
  readonly clientTime: number | null;
  /** The server's clock in ms since 1970, when the event was received. */
  readonly serverTime: number;
  readonly flags: readonly EventFlag[];
}
