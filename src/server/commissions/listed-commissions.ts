import { z } from 'zod';
import { NETWORKS, type Network } from '../../core/commissions/ledger/commission-terms.ts';
import type { ListedCommission } from '../../core/commissions/ledger/listed-commission.ts';
import { parseJson } from '../../core/text/parse-text.ts';
import type { Ledger } from '../../stores/ledger.ts';

const listedCommissions = z.array(
  z.object({
    partner: z.string(),
    id: z.string(),
    amount: z.number(),
    currency: z.string(),
    time: z.number(),
  }),
);

const buildStateKey = (network: Network) => `listed ${network}`;

/** Reads the networks' own lists, as they were read last. Rejects with `LedgerError`. */
export async function readListedCommissions(store: Ledger): Promise<readonly ListedCommission[]> {
  const texts = await Promise.all(NETWORKS.map((network) => store.readState(buildStateKey(network))));
  return texts.flatMap((text) => listedCommissions.safeParse(parseJson(text)).data ?? []);
}

/** Replaces the list of a network. Rejects with `LedgerError`. */
export async function writeListedCommissions(
  store: Ledger,
  network: Network,
  listed: readonly ListedCommission[],
): Promise<void> {
  await store.writeState(buildStateKey(network), JSON.stringify(listed));
}
