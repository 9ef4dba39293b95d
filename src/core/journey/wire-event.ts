import type { CampaignParameter } from './campaign-parameters.ts';
import type { EventDatum, EventName } from './site-event.ts';

/** Events that a browser reports. The others are written by the server when it does the thing itself. */
export const BROWSER_EVENT_NAMES = [
  'page_view',
  'call_to_action',
  'tutorial_conversion',
  'affiliate_redirect',
  'free_trial_signup',
  'pricing_view',
  'assessment_conversion',
] as const satisfies readonly EventName[];

type BrowserEventName = (typeof BROWSER_EVENT_NAMES)[number];

/** One event as a browser posts it to `/api/journey`, whose body is `{"events": [...]}`: 1 to 50 events, at most 64 KB. */
export interface WireEvent {
  /** UUID made once, when the event happened; every retry sends the same. */
  readonly id: string;
  readonly name: BrowserEventName;
  /** `[A-Za-z0-9_-]`, at most 64 characters; empty when the browser could not keep one. */
  readonly session: string;
  /** Path of the page, without query. */
  readonly page: string;
  /** The browser's clock in ms since 1970. */
  readonly time: number;
  readonly label?: string;
  readonly value?: number;
  /** Keys `[a-z][a-z0-9_]*`, at most 20. */
  readonly data?: Readonly<Record<string, EventDatum>>;
  readonly campaign?: Readonly<Partial<Record<CampaignParameter, string>>>;
}

/** Why an event of a batch was not stored; sending it again would change nothing. */
export type RejectionCode = 'unknown-name' | 'forbidden-key' | 'invalid-field';

export interface Rejection {
  /** Place in the posted list, from 0. */
  readonly index: number;
  /** The event's id; null when it was not a UUID. */
  readonly id: string | null;
  readonly code: RejectionCode;
  readonly detail: string;
}

/** Body of a 202: everything that is not rejected is on disk. */
export interface JourneyAnswer {
  readonly stored: number;
  readonly duplicates: number;
  readonly rejected: readonly Rejection[];
}
