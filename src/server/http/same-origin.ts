import type { HttpCall } from './message.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/**
 * Whether a POST comes from a page of this site, or from no page at all. A browser tells in `Sec-Fetch-Site`,
 * which no page can set; one that does not know it tells in `Origin`. A request with neither was not sent by
 * a browser on behalf of another site, which is all this check is against.
 * `siteOrigin` null: the site has no configured address and is tried out on loopback, under any name of it.
 */
export function isSameOrigin(call: Pick<HttpCall, 'header'>, siteOrigin: string | null): boolean {
  const origin = call.header('origin');
  if (origin === 'null') return false;
  const site = call.header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  if (origin === undefined) return true;
  return origin === (siteOrigin ?? readLoopbackOrigin(call.header('host') ?? ''));
}

function readLoopbackOrigin(host: string): string | null {
  return LOOPBACK.test(host) ? `http://${host}` : null;
}
