import ipaddr from 'ipaddr.js';
import { isPublicIp, LinkRequestError, readBytes, type SendLinkRequest } from './link-request.ts';

/**
 * Creates the requests of Workers, over `fetch`, which decompresses bodies. Cloudflare resolves hosts and connects to the
 * public internet alone; addresses that are written as numbers are checked here. A failed connection has a status from 520
 * on. `standIns`: origins to which the requests for a host go instead.
 */
export function createLinkFetch(standIns: ReadonlyMap<string, string>): SendLinkRequest {
  return async (address, { headers, signal, maxBytes }) => {
    const literal = address.hostname.replace(/^\[(.*)\]$/, '$1');
    if (ipaddr.isValid(literal) && !isPublicIp(literal)) throw new LinkRequestError('private-address');
    const target = new URL(
      address.pathname + address.search,
      standIns.get(address.hostname) ?? address.origin,
    );
    const response = await fetch(target, { headers, signal, redirect: 'manual' }).catch((error: unknown) => {
      if (signal.aborted) throw signal.reason;
      throw new LinkRequestError('refused', { cause: error });
    });
    const isRedirect = response.status >= 300 && response.status <= 399;
    if (isRedirect) await response.body?.cancel().catch(() => undefined);
    const body = isRedirect ? new Uint8Array() : await readBytes(response.body, maxBytes, signal);
    return { status: response.status, headers: response.headers, body };
  };
}
