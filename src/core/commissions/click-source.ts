import type { SiteEvent } from '../events/site-event.ts';

/** The clicks to partners and the sessions that led to them, as the events tell. Rejects with `EventStoreError`. */
export interface ClickSource {
  /** The counted clicks whose ids (UUID) begin with one of the given texts. */
  findClicks(beginnings: readonly string[]): Promise<readonly SiteEvent[]>;
  /** The counted events of sessions, in stored order. */
  readSessions(sessions: readonly string[]): Promise<readonly SiteEvent[]>;
  /** When the oldest stored event arrived; ms since 1970, null without events. */
  readFirstEventTime(): Promise<number | null>;
}
