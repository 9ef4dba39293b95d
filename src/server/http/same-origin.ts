import { isLoopback, isPublicAddress } from '../../core/text/parse-text.ts';
import type { DataProblem } from '../../stores/data-folder.ts';
import type { Log } from '../log.ts';
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

/**
 * Notices visitors from outside on a site without a public address: nobody has decided there what may be stored in European
 * browsers.
 */
export class OutsideUse {
  readonly #log: Log;
  /** Whether nothing is to be noticed (any more). */
  #isSettled: boolean;
  #problems: readonly DataProblem[] = [];

  constructor({ SITE_URL, STORAGE_CONSENT_REGIONS: regions }: Settings, log: Log) {
    this.#log = log;
    this.#isSettled = isPublicAddress(SITE_URL) || regions.length > 0;
  }

  /** Looks at a request that only visitors and operators send. */
  note(headers: Headers): void {
    if (this.#isSettled) return;
    const isForwarded = headers.has('x-forwarded-for') || headers.has('forwarded');
    if (!isForwarded && !isPublicAddress(`http://${headers.get('host')}`)) return;
    this.#isSettled = true;
    const title = 'Visitors come from outside, and SITE_URL is no public address';
    const detail =
      'Set SITE_URL, so that nothing is stored in European browsers before consent, or STORAGE_CONSENT_REGIONS=none.';
    this.#problems = [{ key: 'outside', title, detail }];
    this.#log.warn(`${title}. ${detail}`);
  }

  read(): readonly DataProblem[] {
    return this.#problems;
  }
}
