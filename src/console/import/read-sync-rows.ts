import type { Network } from '../../core/commissions/commission-terms.ts';
import { buildSyncLogKey, parseSyncLog } from '../../core/commissions/sync-log.schema.ts';
import type { Partner } from '../../core/outbound/partner.ts';
import { parseJson } from '../../core/text/parse-text.ts';
import type { CommissionStore } from '../../stores/ledger.ts';
import type { SyncRow } from './import-model.ts';

/** What the state of the networks' APIs is read with. */
export interface SyncReading {
  /** Networks whose API is read. */
  readonly networks: readonly Network[];
  /** Hours between two runs; 0: they do not run by themselves. */
  readonly syncHours: number;
  readonly partners: ReadonlyMap<string, Pick<Partner, 'name' | 'terms'>>;
}

const HOUR_MS = 3_600_000;

/** Reads the last run of each network whose API is read. Rejects with `CommissionStoreError`. */
export async function readSyncRows(
  store: Pick<CommissionStore, 'readState'> | null,
  { networks, syncHours, partners }: SyncReading,
): Promise<readonly SyncRow[]> {
  return Promise.all(
    networks.map(async (network) => {
      const last = parseSyncLog(parseJson((await store?.readState(buildSyncLogKey(network))) ?? ''));
      return {
        network,
        partners: [...partners.values()]
          .filter(({ terms }) => terms.network === network)
          .map(({ name }) => name),
        last,
        nextAt: last === null || syncHours === 0 ? null : last.at + syncHours * HOUR_MS,
      };
    }),
  );
}
