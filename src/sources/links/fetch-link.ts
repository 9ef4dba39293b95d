import ipaddr from 'ipaddr.js';
import { isPublicIp, LinkRequestError, readBytes, type SendLinkRequest } from './link-request.ts';

/**
 * The requests of Workers, over `fetch`, which decompresses bodies. Cloudflare resolves hosts and connects to the public
 * internet alone; addresses that are written as numbers are checked here. A failed connection has a status from 520 on.
 */
export const fetchLink: SendLinkRequest = async (address, { headers, signal, maxBytes }) => {
  const literal = address.hostname.replace(/^\[(.*)\]$/, '$1');
  if (ipaddr.isValid(literal) && !isPublicIp(literal)) throw new LinkRequestError('private-address');
  const response = await fetch(address, { headers, signal, redirect: 'manual' }).catch((error: unknown) => {
    if (signal.aborted) throw signal.reason;
    throw new LinkRequestError('refused', { cause: error });
  });
  const isRedirect = response.status >= 300 && response.status <= 399;
  if (isRedirect) await response.body?.cancel().catch(() => undefined);
  const body = isRedirect ? new Uint8Array() : await readBytes(response.body, maxBytes, signal);
  return { status: response.status, headers: response.headers, body };
};
