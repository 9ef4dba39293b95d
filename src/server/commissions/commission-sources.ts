import { setTimeout as sleep } from 'node:timers/promises';
import type { CommissionSource } from '../../core/commissions/commission-source.ts';
import type { Network } from '../../core/commissions/commission-terms.ts';
import { createFirstPromoterSource } from '../../sources/networks/firstpromoter.ts';
import { createImpactSource } from '../../sources/networks/impact.ts';
import { createNetworkClient, type NetworkClientOptions } from '../../sources/networks/network-client.ts';
import { createPartnerStackSource } from '../../sources/networks/partnerstack.ts';
import type { Platform } from '../platform.ts';
import type { Config } from '../settings.ts';

type ClientParts = Pick<NetworkClientOptions, 'get' | 'clock' | 'sleep' | 'deadlineMs'>;

interface NetworkApi {
  /** The settings without which the API is not read. */
  readonly credentials: readonly (keyof Config)[];
  readonly connect: (config: Config, parts: ClientParts) => CommissionSource;
}

/** The networks that have an API. */
export const NETWORK_APIS: { readonly [N in Network]?: NetworkApi } = {
  firstpromoter: {
    credentials: ['FIRSTPROMOTER_TOKEN'],
    connect: (config, parts) => {
      const client = createNetworkClient({
        ...parts,
        url: config.FIRSTPROMOTER_URL,
        defaultUrl: 'https://api.firstpromoter.com/api/v2/affiliate',
        headers: {
          authorization: `Bearer ${config.FIRSTPROMOTER_TOKEN}`,
          'account-id': config.FIRSTPROMOTER_ACCOUNT_ID,
        },
      });
      return createFirstPromoterSource(client);
    },
  },
  partnerstack: {
    credentials: ['PARTNERSTACK_KEY'],
    connect: (config, parts) => {
      const client = createNetworkClient({
        ...parts,
        url: config.PARTNERSTACK_URL,
        defaultUrl: 'https://api.partnerstack.com/api',
        headers: { authorization: `Bearer ${config.PARTNERSTACK_KEY}` },
      });
      return createPartnerStackSource(client);
    },
  },
  impact: {
    credentials: ['IMPACT_SID', 'IMPACT_TOKEN'],
    connect: (config, parts) => {
      const credentials = Buffer.from(`${config.IMPACT_SID}:${config.IMPACT_TOKEN}`).toString('base64');
      const client = createNetworkClient({
        ...parts,
        url: config.IMPACT_URL,
        defaultUrl: 'https://api.impact.com',
        headers: { authorization: `Basic ${credentials}`, 'ir-version': '16' },
      });
      return createImpactSource(client, config.IMPACT_SID);
    },
  },
};

/** Creates the APIs whose credentials are set, by network. */
export function createCommissionSources(
  config: Config,
  { clock, httpGet: get }: Pick<Platform, 'clock' | 'httpGet'>,
): ReadonlyMap<Network, CommissionSource> {
  const parts: ClientParts = { get, clock, sleep: (ms) => sleep(ms) };
  const sources = new Map<Network, CommissionSource>();
  for (const [network, { credentials, connect }] of Object.entries(NETWORK_APIS)) {
    if (credentials.every((name) => config[name] !== '')) {
      sources.set(network as Network, connect(config, parts));
    }
  }
  return sources;
}
