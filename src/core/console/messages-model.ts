import type { ContactMessage, MessageCounts, MessageState } from '../contact/contact-messages.ts';

/** A message as the console shows it: the email address only on request. */
export interface MessageRow extends Omit<ContactMessage, 'email'> {
  /** Null until it is requested. */
  readonly email: string | null;
}

export interface MessagesModel {
  /** Newest first. */
  readonly rows: readonly MessageRow[];
  /** Null for all messages. */
  readonly state: MessageState | null;
  readonly counts: MessageCounts;
  readonly page: number;
  readonly pages: number;
  readonly canChange: boolean;
  readonly formToken: string;
}
