import { setTimeout as sleep } from 'node:timers/promises';
import type { CommissionSource } from '../../core/commissions/ledger/commission-source.ts';
import type { Network } from '../../core/commissions/ledger/commission-terms.ts';
import { createNetworkClient, type NetworkClientOptions } from '../../sources/networks/network-client.ts';
import { API_NETWORKS, NETWORK_APIS } from '../../sources/networks/networks.ts';
import type { Platform } from '../platform.ts';
import type { Settings } from '../settings.ts';

/** Creates the source of a network's API, which a test may have on this machine (`TEST_HOSTS`). */
export function connectNetwork(
  network: keyof typeof NETWORK_APIS,
  settings: Settings,
  parts: Pick<NetworkClientOptions, 'get' | 'clock' | 'sleep' | 'deadlineMs'>,
): CommissionSource {
  const { buildRequest, createSource } = NETWORK_APIS[network];
  const { url, headers } = buildRequest(settings);
  const { origin, hostname } = new URL(url);
  const tried = url.replace(origin, settings.TEST_HOSTS.get(hostname) ?? origin);
  return createSource(createNetworkClient({ ...parts, url: tried, headers }), settings);
}

/** Creates the APIs whose credentials are set, by network. */
export function createCommissionSources(
  settings: Settings,
  { clock, httpGet: get }: { readonly clock: Platform['clock']; readonly httpGet: Platform['httpGet'] },
): ReadonlyMap<Network, CommissionSource> {
  const sources = new Map<Network, CommissionSource>();
  for (const network of API_NETWORKS) {
    const credentials: readonly (keyof Settings)[] = NETWORK_APIS[network].credentials;
    if (credentials.every((name) => settings[name] !== '')) {
      sources.set(network, connectNetwork(network, settings, { get, clock, sleep: (ms) => sleep(ms) }));
    }
  }
  return sources;
}
