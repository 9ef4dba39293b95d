/** What tells the operator something outside the console. */
export const NOTIFICATION_KINDS = ['contact', 'alert', 'digest', 'newsletter'] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** The ways in which notifications are sent. */
export const NOTIFICATION_CHANNELS = ['mail', 'contact-webhook', 'alert-webhook', 'newsletter'] as const;
export type NotificationChannelName = (typeof NOTIFICATION_CHANNELS)[number];

/** Whether the other side recognizes what it has already got, so that sending it twice is harmless. */
export function isRepeatable(channel: NotificationChannelName): boolean {
  return channel === 'newsletter';
}

/** Something to tell the operator. Texts may contain what a visitor wrote. */
export interface OperatorNotification {
  /** Identifies what happened: the same thing has the same id in every process, and is sent once. */
  readonly id: string;
  readonly kind: NotificationKind;
  /** One line. */
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
  /** A complete document; null: the text as paragraphs. */
  readonly html: string | null;
  /** Who gets the reply to an email: a visitor, with the address that the contact form checked; null: the sender. */
  readonly replyTo: { readonly name: string; readonly address: string } | null;
  /** What a webhook gets beside subject and text. */
  readonly fields: Readonly<Record<string, string | number | null>>;
  /** ms since 1970. */
  readonly createdAt: number;
}

/** A notification that is to be sent in one way. */
export interface NotificationDelivery {
  readonly channel: NotificationChannelName;
  readonly notification: OperatorNotification;
  /** Attempts that have failed. */
  readonly failures: number;
}

/** Sends notifications in one way. */
export interface NotificationChannel {
  /** Resolves once the other side has taken the notification. Rejects with `NotificationError`. */
  send(notification: OperatorNotification): Promise<void>;
}

/** What became of an attempt that did not succeed. */
export type NotificationErrorCode =
  /** The other side has not got it: it can be sent again. */
  | 'not-sent'
  /** The other side will never take it. */
  | 'refused'
  /** It was handed over and the response is missing: sending it again could deliver it twice. */
  | 'unknown';

/** Why a notification was not sent. The message has no text of the notification in it. */
export class NotificationError extends Error {
  readonly code: NotificationErrorCode;
  constructor(code: NotificationErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'NotificationError';
    this.code = code;
  }
}
