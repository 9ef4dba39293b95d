import { setTimeout as sleep } from 'node:timers/promises';
import { createFirstPromoterSource } from '../../adapters/networks/firstpromoter.ts';
import { createImpactSource } from '../../adapters/networks/impact.ts';
import { createNetworkClient } from '../../adapters/networks/network-client.ts';
import { createPartnerStackSource } from '../../adapters/networks/partnerstack.ts';
import type { Clock } from '../../core/clock.ts';
import type { CommissionSource } from '../../core/commissions/commission-source.ts';
import type { Network } from '../../core/commissions/commission-terms.ts';
import type { Config } from '../config.ts';

/** Creates the APIs whose credentials are set, by network. */
export function createCommissionSources(
  config: Config,
  clock: Clock,
): ReadonlyMap<Network, CommissionSource> {
  const connect = (url: string, defaultUrl: string, headers: Readonly<Record<string, string>>) =>
    createNetworkClient({ url, defaultUrl, headers, clock, sleep: (ms) => sleep(ms) });
  const sources = new Map<Network, CommissionSource>();
  if (config.FIRSTPROMOTER_TOKEN !== '') {
    const client = connect(config.FIRSTPROMOTER_URL, 'https://api.firstpromoter.com/api/v2/affiliate', {
      authorization: `Bearer ${config.FIRSTPROMOTER_TOKEN}`,
      'account-id': config.FIRSTPROMOTER_ACCOUNT_ID,
    });
    sources.set('firstpromoter', createFirstPromoterSource(client));
  }
  if (config.PARTNERSTACK_KEY !== '') {
    const client = connect(config.PARTNERSTACK_URL, 'https://api.partnerstack.com/api', {
      authorization: `Bearer ${config.PARTNERSTACK_KEY}`,
    });
    sources.set('partnerstack', createPartnerStackSource(client));
  }
  if (config.IMPACT_SID !== '' && config.IMPACT_TOKEN !== '') {
    const credentials = Buffer.from(`${config.IMPACT_SID}:${config.IMPACT_TOKEN}`).toString('base64');
    const client = connect(config.IMPACT_URL, 'https://api.impact.com', {
      authorization: `Basic ${credentials}`,
      'ir-version': '16',
    });
    sources.set('impact', createImpactSource(client, config.IMPACT_SID));
  }
  return sources;
}
