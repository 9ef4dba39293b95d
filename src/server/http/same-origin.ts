import { isLoopback, isPublicAddress } from '../../core/text/parse-text.ts';
import type { DataProblem } from '../../stores/data-folder.ts';
import type { Settings } from '../settings.ts';
import type { SiteBase } from '../site.ts';

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

const OUTSIDE: DataProblem = {
  key: 'outside',
  title: 'Visitors come from outside, and SITE_URL is no public address',
  detail:
    'Set SITE_URL, so that nothing is stored in European browsers before consent, or STORAGE_CONSENT_REGIONS=none.',
};

/**
 * Notices visitors from outside on a site without a public address: nobody has decided there what may be stored in European
 * browsers. The ledger remembers it for the next start and for the thread of the console.
 */
export class OutsideUse {
  readonly #site: SiteBase;
  /** Whether a decision makes it right. */
  readonly #isDecided: boolean;
  #isKnown = false;
  /** The host of this machine or network that was named last: reading it again would cost a tenth of an event. */
  #inside = '';

  constructor(site: SiteBase) {
    const { SITE_URL, STORAGE_CONSENT_REGIONS: regions, DEMO } = site.settings;
    this.#site = site;
    this.#isDecided = DEMO || isPublicAddress(SITE_URL) || regions.length > 0;
    if (site.platform.hasTimers && site.platform.isConsoleThread !== true)
      void this.read().then((problems) => problems.length > 0 && this.#warn());
  }

  /** Looks at a request that only visitors and operators send. */
  note(headers: Headers): void {
    if (this.#isDecided || this.#isKnown) return;
    const isForwarded = headers.has('x-forwarded-for') || headers.has('forwarded');
    const host = headers.get('host') ?? '';
    if (!isForwarded && (host === this.#inside || !isPublicAddress(`http://${host}`))) {
      this.#inside = host;
      return;
    }
    this.#isKnown = true;
    this.#warn();
    const { clock, money } = this.#site;
    void money.ledger.writeState(OUTSIDE.key, String(clock.now())).catch(() => undefined);
  }

  /** What was noticed, before this start too. Never rejects. */
  async read(): Promise<readonly DataProblem[]> {
    const { ledger } = this.#site.money;
    if (!this.#isDecided && !this.#isKnown && ledger.exists())
      this.#isKnown = (await ledger.readState(OUTSIDE.key).catch(() => null)) !== null;
    return this.#isKnown ? [OUTSIDE] : [];
  }

  #warn(): void {
    this.#site.log.warn(`${OUTSIDE.title}. ${OUTSIDE.detail}`);
  }
}
