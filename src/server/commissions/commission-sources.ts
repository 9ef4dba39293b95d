import { setTimeout as sleep } from 'node:timers/promises';
import type { CommissionSource } from '../../core/commissions/ledger/commission-source.ts';
import type { Network } from '../../core/commissions/ledger/commission-terms.ts';
import type { Networks } from '../../core/commissions/networks/network.schema.ts';
import { createApiSource, isConnected } from '../../sources/networks/network-api.ts';
import type { Platform } from '../platform.ts';
import type { Settings } from '../settings.ts';
import type { NetworkSecrets } from './secrets.ts';

/** Creates the interfaces whose secrets are set, by network; a test may have their hosts on this machine. */
export function createCommissionSources(
  networks: Networks,
  { TEST_HOSTS }: Settings,
  { clock, httpGet }: { readonly clock: Platform['clock']; readonly httpGet: Platform['httpGet'] },
  { find: findSecret }: NetworkSecrets,
): ReadonlyMap<Network, CommissionSource> {
  const options = {
    get: httpGet,
    clock,
    sleep: (ms: number) => sleep(ms),
    findSecret,
    testHosts: TEST_HOSTS,
  };
  return new Map(
    [...networks].flatMap(([name, file]) =>
      isConnected(file, findSecret) ? [[name, createApiSource(file, options)] as const] : [],
    ),
  );
}
