import { setTimeout as sleep } from 'node:timers/promises';
import type { CommissionSource } from '../../core/commissions/commission-source.ts';
import type { Network } from '../../core/commissions/commission-terms.ts';
import { createFirstPromoterSource } from '../../sources/networks/firstpromoter.ts';
import { createImpactSource } from '../../sources/networks/impact.ts';
import { createNetworkClient, type NetworkClientOptions } from '../../sources/networks/network-client.ts';
import { createPartnerStackSource } from '../../sources/networks/partnerstack.ts';
import type { Platform } from '../platform.ts';
import type { Settings } from '../settings.ts';

type ClientParts = Pick<NetworkClientOptions, 'get' | 'clock' | 'sleep' | 'deadlineMs'>;

interface NetworkApi {
  /** The settings without which the API is not read. */
  readonly credentials: readonly (keyof Settings)[];
  readonly connect: (settings: Settings, parts: ClientParts) => CommissionSource;
}

/** The networks that have an API. */
export const NETWORK_APIS: { readonly [N in Network]?: NetworkApi } = {
  firstpromoter: {
    credentials: ['FIRSTPROMOTER_TOKEN'],
    connect: (settings, parts) => {
      const client = createNetworkClient({
        ...parts,
        url: settings.FIRSTPROMOTER_URL,
        defaultUrl: 'https://api.firstpromoter.com/api/v2/affiliate',
        headers: {
          authorization: `Bearer ${settings.FIRSTPROMOTER_TOKEN}`,
          'account-id': settings.FIRSTPROMOTER_ACCOUNT_ID,
        },
      });
      return createFirstPromoterSource(client);
    },
  },
  partnerstack: {
    credentials: ['PARTNERSTACK_KEY'],
    connect: (settings, parts) => {
      const client = createNetworkClient({
        ...parts,
        url: settings.PARTNERSTACK_URL,
        defaultUrl: 'https://api.partnerstack.com/api',
        headers: { authorization: `Bearer ${settings.PARTNERSTACK_KEY}` },
      });
      return createPartnerStackSource(client);
    },
  },
  impact: {
    credentials: ['IMPACT_SID', 'IMPACT_TOKEN'],
    connect: (settings, parts) => {
      const credentials = Buffer.from(`${settings.IMPACT_SID}:${settings.IMPACT_TOKEN}`).toString('base64');
      const client = createNetworkClient({
        ...parts,
        url: settings.IMPACT_URL,
        defaultUrl: 'https://api.impact.com',
        headers: { authorization: `Basic ${credentials}`, 'ir-version': '16' },
      });
      return createImpactSource(client, settings.IMPACT_SID);
    },
  },
};

/** Creates the APIs whose credentials are set, by network. */
export function createCommissionSources(
  settings: Settings,
  { clock, httpGet: get }: Pick<Platform, 'clock' | 'httpGet'>,
): ReadonlyMap<Network, CommissionSource> {
  const parts: ClientParts = { get, clock, sleep: (ms) => sleep(ms) };
  const sources = new Map<Network, CommissionSource>();
  for (const [network, { credentials, connect }] of Object.entries(NETWORK_APIS)) {
    if (credentials.every((name) => settings[name] !== '')) {
      sources.set(network as Network, connect(settings, parts));
    }
  }
  return sources;
}
