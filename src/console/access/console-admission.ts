import ipaddr from 'ipaddr.js';
import type { AppContext } from '../../server/http/route.ts';

/** Whether a text is an address or a network in CIDR notation: `203.0.113.7`, `2001:db8::/32`. */
export function isNetwork(text: string): boolean {
  const [address = ''] = text.split('/');
  // The library completes short forms: 1.2.3 would be 1.2.0.3.
  if (!address.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(address)) return false;
  return text.includes('/') ? ipaddr.isValidCIDR(text) : ipaddr.isValid(text);
}

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
