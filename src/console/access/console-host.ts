import ipaddr from 'ipaddr.js';
import type { AppContext } from '../../server/http/route.ts';
import { buildHostOrigin, isLoopbackHost } from '../../server/http/same-origin.ts';
import type { Settings } from '../../server/settings.ts';

/**
 * Creates the check whether there is a console for a request: at the host that is configured for it, and for the
 * addresses that may use it. Empty settings allow every host and every address.
 */
export function createConsoleAdmission(settings: {
  readonly host: string;
  /** Each as `isNetwork` accepts it. */
  readonly networks: readonly string[];
}): (context: AppContext) => boolean {
  const networks = settings.networks.map(parseNetwork);
  return ({ req, env }) => {
    const host = (req.header('host') ?? '').toLowerCase();
    if (settings.host !== '' && host !== settings.host) return false;
    return networks.length === 0 || networks.some((network) => isWithin(env.clientAddress, network));
  };
}

type Network = ReturnType<typeof ipaddr.parseCIDR>;

function parseNetwork(text: string): Network {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

function isWithin(text: string, [network, bits]: Network): boolean {
  if (!ipaddr.isValid(text)) return false;
  // An IPv4 client of a socket for both families has an address such as ::ffff:203.0.113.7.
  const address = ipaddr.process(text);
  return address.kind() === network.kind() && address.match(network, bits);
}

/** The origin of the console that the settings name, without a trailing slash; null when they name none. */
export function getConsoleOrigin({ SITE_URL, CONSOLE_HOST, siteUrl }: Settings): string | null {
  if (SITE_URL === '') return null;
  return CONSOLE_HOST === '' ? siteUrl : `${new URL(siteUrl).protocol}//${CONSOLE_HOST}`;
}

/** Whether a password may be sent over the connection of a request. */
export function isConfidential({ settings }: { readonly settings: Settings }, request: Request): boolean {
  return settings.siteUrl.startsWith('https:') || isLoopbackHost(request.headers.get('host') ?? '');
}

/** What the forms show where it may not. */
export const NOT_CONFIDENTIAL =
  'A password would travel unencrypted. Open the console at localhost, or set SITE_URL to the https address of the site.';

/** An origin at which the console can be opened, for addresses that are printed or sent. */
export function buildConsoleOrigin(settings: Settings, port: number): string {
  const host = ['0.0.0.0', '::'].includes(settings.HOST) ? 'localhost' : settings.HOST;
  const given =
    settings.CONSOLE_HOST === '' ? buildHostOrigin(host, port) : `http://${settings.CONSOLE_HOST}`;
  return getConsoleOrigin(settings) ?? given;
}

/** Names under which this machine reaches itself, and addresses that stand for every interface. */
const LOCAL_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1', '0.0.0.0', '::']);

/**
 * Writes where the console is, a line each: at the public address, and at the address that works on this machine
 * before there is a domain. Browsers take `localhost` as secure, so the cookie and the checks of the origin hold there.
 */
export function formatConsoleAddress(settings: Settings, port: number, path: string): string {
  const origin = buildConsoleOrigin(settings, port);
  const local = `http://localhost:${port}`;
  const isLocal =
    LOCAL_HOSTS.has(settings.HOST) && settings.CONSOLE_HOST === '' && settings.CONSOLE_ADDRESSES.length === 0;
  const extra = isLocal && isElsewhere(origin) ? `Console on this machine: ${local}${path}\n` : '';
  return `Console: ${origin}${path}\n${extra}`;
}

const isElsewhere = (origin: string) => !isLoopbackHost(new URL(origin).host);
