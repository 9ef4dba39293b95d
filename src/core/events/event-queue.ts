import type { SiteEvent } from './site-event.ts';

/** Most bytes of one message, as JSON in UTF-8: Cloudflare Queues takes 128,000. */
export const MAX_MESSAGE_BYTES = 120_000;

/** The port that takes events when the database is slow or fails. What it has accepted is delivered at least once. */
export interface EventQueue {
  /** Resolves once the events are accepted, as one message of at most `MAX_MESSAGE_BYTES`. Rejects otherwise. */
  send(events: readonly SiteEvent[]): Promise<void>;
}

/** One delivery of a message. It comes again until it is acknowledged. */
export interface QueuedMessage {
  readonly body: unknown;
  /** How often it was delivered, this time included. */
  readonly attempts: number;
  /** The message is not delivered again. */
  ack(): void;
  /** The message is delivered again, after a pause. */
  retry(options: { readonly delaySeconds: number }): void;
}

/** Takes messages that cannot be stored, for the operator. */
export interface DeadLetters {
  /** Resolves once the body is accepted. */
  send(body: unknown): Promise<void>;
}
