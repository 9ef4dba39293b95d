import type { ContactMessage, MessageCounts, MessageState } from '../../stores/messages.ts';
import type { ListPage } from '../figures/list-page.ts';

/** A message as the console shows it: the email address only on request. */
export interface MessageRow extends Omit<ContactMessage, 'email'> {
  /** Null until it is requested. */
  readonly email: string | null;
}

/** A page of the messages, newest first. */
export interface MessagesModel extends ListPage<MessageRow> {
  /** Null for all messages. */
  readonly state: MessageState | null;
  readonly counts: MessageCounts;
  readonly canChange: boolean;
  readonly formToken: string;
}
