import { isLoopback } from '../../core/text/parse-text.ts';
import type { Settings } from '../settings.ts';

/**
 * Whether a POST comes from a page of this site, or from no page at all. Browsers send `Sec-Fetch-Site`, which no
 * page can set; older ones send `Origin`. A request with neither was not sent by a browser on behalf of another
 * site, the only case that this check is against.
 * `siteOrigin` null: no address is configured, so any name of loopback counts as the site.
 */
export function isSameOrigin(headers: Headers, siteOrigin: string | null): boolean {
  const origin = headers.get('origin');
  if (origin === 'null') return false;
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  if (origin === null) return true;
  return origin === (siteOrigin ?? buildLoopbackOrigin(headers.get('host') ?? ''));
}

/** Whether a Host header names this machine itself. */
export function isLoopbackHost(host: string): boolean {
  return isLoopback(host.replace(/:\d+$/, ''));
}

function buildLoopbackOrigin(host: string): string | null {
  return isLoopbackHost(host) ? `http://${host}` : null;
}

/** Builds the origin of a host and port of this machine, in which an IPv6 address has brackets. */
export function buildHostOrigin(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The origin that posted forms have to come from, without a trailing slash; null when none is set (loopback only). */
export function getSiteOrigin({ SITE_URL, siteUrl }: Settings): string | null {
  return SITE_URL === '' ? null : siteUrl;
}

/** The hosts of the site, without ports: those of the settings, and the one that a request names. */
export function listOwnHosts({ siteHosts }: Settings, requested: string | undefined): readonly string[] {
  const host = requested?.replace(/:\d+$/, '').toLowerCase() ?? '';
  return host === '' || siteHosts.includes(host) ? siteHosts : [...siteHosts, host];
}
