import { isLoopback } from '../text/is-loopback.ts';

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
