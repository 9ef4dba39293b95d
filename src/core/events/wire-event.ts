import type { CampaignParameter } from './campaign.ts';
import type { BrowserEventName } from './event-definitions.ts';
import type { EventDatum } from './site-event.ts';

/** One event of the body of `POST /api/journey`: `{"events": [...]}` with 1 to 50 events, at most 64 KB. */
export interface WireEvent {
  /** UUID, created when the event happens; every retry sends the same. */
  readonly id: string;
  readonly name: BrowserEventName;
  /** `[A-Za-z0-9_-]`, at most 64 characters; empty when the browser could not store one. */
  readonly session: string;
  /** Path of the page, without query. */
  readonly page: string;
  /** The browser's clock in ms since 1970. */
  readonly time: number;
  readonly label?: string;
  readonly value?: number;
  /** At most 20 keys: a letter, then letters, digits and `_`. */
  readonly data?: Readonly<Record<string, EventDatum | undefined>>;
  readonly campaign?: Readonly<Partial<Record<CampaignParameter, string>>>;
  /** Nothing of the visit is stored in the browser. */
  readonly free?: true;
}

/** Why an event of a batch was rejected; sending it again cannot help. */
export type RejectionCode = 'unknown-name' | 'forbidden-key' | 'invalid-field';

export interface Rejection {
  /** Index in the posted list. */
  readonly index: number;
  /** The event's id; null when it was not a UUID. */
  readonly id: string | null;
  readonly code: RejectionCode;
  readonly detail: string;
}

/** Body of a 202 response: every event that is not rejected is on disk. */
export interface JourneyResult {
  readonly stored: number;
  readonly duplicates: number;
  readonly rejected: readonly Rejection[];
}
