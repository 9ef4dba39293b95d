/** What the operator has done with a message. */
export const MESSAGE_STATES = ['new', 'read', 'answered'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/** A message of the contact form. Every text was written by a visitor. */
export interface ContactMessage {
  /** Id of its event (UUID). */
  readonly id: string;
  /** ms since 1970. */
  readonly sentAt: number;
  readonly topic: string;
  readonly name: string;
  readonly email: string;
  readonly message: string;
  /** Path of the page with the form. */
  readonly page: string;
  /** Whether the honeypot was filled in, which programs do and browsers of people now and then. */
  readonly isSuspicious: boolean;
  readonly state: MessageState;
}

export interface MessageFilter {
  /** All states when left out. */
  readonly state?: MessageState | undefined;
  readonly offset: number;
  readonly limit: number;
}

export type MessageCounts = Readonly<Record<MessageState, number>>;

/** The messages of the contact form, stored among the events. Every method rejects with `EventStoreError`. */
export interface ContactMessages {
  /** Newest first. */
  read(filter: MessageFilter): Promise<readonly ContactMessage[]>;
  count(): Promise<MessageCounts>;
  /** False for an unknown id. */
  setState(id: string, state: MessageState, now: number): Promise<boolean>;
  /** Removes a message with its text; false for an unknown id. */
  remove(id: string): Promise<boolean>;
  /** Removes the newsletter sign-ups of an email address, in capitals or not; resolves with how many. */
  removeSignups(email: string): Promise<number>;
}
