import { cleanText, isLoopback } from '../text/parse-text.ts';

export const MAX_EMAIL = 254;

const MAILBOX = /^[^\s@<>()[\]",;:\\]+@[^\s@<>()[\]"',;:\\.]+(?:\.[^\s@<>()[\]"',;:\\.]+)*$/;

/** Whether a text is an address that mail can have, also one within a network (`root@localhost`); no quoted names. */
export const isMailbox = (text: string): boolean => MAILBOX.test(text);

/** Whether a typed text looks like an email address, apart from spaces around it. */
export function isEmailAddress(typed: string): boolean {
  return (
    typed.trim().length <= MAX_EMAIL && /^[^@]+@.+\../.test(typed) && isMailbox(cleanText(typed, MAX_EMAIL))
  );
}

/** A mail server and how to sign in. */
export interface SmtpAddress {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise the connection is upgraded (STARTTLS). */
  readonly isSecure: boolean;
  /** Empty for no sign-in. */
  readonly user: string;
  readonly password: string;
}

/**
 * Parses `smtps://user:password@host:port` (port 465 when left out) or `smtp://…` (587). User and password are
 * percent-encoded. Null for anything else.
 */
export function parseSmtpUrl(text: string): SmtpAddress | null {
  // The URL standard knows no port and no host of smtp: addresses, but splits them all the same.
  const match =
    /^(smtps?):\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([a-z\d.-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?\/?$/i.exec(text);
  if (match === null) return null;
  const [, scheme = '', user = '', password = '', host = '', port = ''] = match;
  const isSecure = scheme.toLowerCase() === 'smtps';
  const number = port === '' ? (isSecure ? 465 : 587) : Number(port);
  if (number < 1 || number > 65_535) return null;
  try {
    return {
      host: host.replace(/^\[|\]$/g, ''),
      port: number,
      isSecure: isSecure || number === 465,
      user: decodeURIComponent(user),
      password: decodeURIComponent(password),
    };
  } catch {
    return null;
  }
}

/**
 * Whether webhooks may go to an address: https to any host, http to this machine only, and neither with a user name. So
 * neither the content nor the signature crosses a network unencrypted.
 */
export function isWebhookAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}
