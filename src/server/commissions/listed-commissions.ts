import { z } from 'zod';
import type { Network } from '../../core/commissions/ledger/commission-terms.ts';
import type { ListedCommission } from '../../core/commissions/ledger/listed-commission.ts';
import type { Networks } from '../../core/commissions/networks/network.schema.ts';
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
export async function readListedCommissions(
  store: Ledger,
  networks: Networks,
): Promise<readonly ListedCommission[]> {
  const listing = [...networks].filter(([, file]) => file.interface?.compare !== undefined);
  const texts = await Promise.all(listing.map(([network]) => store.readState(buildStateKey(network))));
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
