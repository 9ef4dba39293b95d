import type { Content } from '../../core/pages/content.ts';
import { createCommissionSources } from '../../server/commissions/commission-sources.ts';
import type { Commissions } from '../../server/commissions/commissions.ts';
import type { Platform } from '../../server/platform.ts';
import type { Config } from '../../server/settings.ts';
import type { RollupReader } from '../../stores/rollup-reader.ts';
import { readSyncRows } from '../import/read-sync-rows.ts';
import { AlertReader } from './alert-reader.ts';

/** Creates the reader of alerts over the stores, the disk and the last backup of the process. */
export function createAlertReader(options: {
  readonly config: Config;
  readonly content: Pick<Content, 'partners'>;
  readonly commissions: Commissions;
  readonly rollups: RollupReader;
  readonly platform: Pick<Platform, 'clock' | 'httpGet' | 'readDisk' | 'readLastBackup'>;
}): AlertReader {
  const { config, content, commissions, rollups, platform } = options;
  const { clock } = platform;
  const { partners } = content;
  const networks = [...createCommissionSources(config, platform).keys()];
  const syncHours = config.COMMISSION_SYNC_HOURS;
  return new AlertReader({
    partners,
    readEntries: () => commissions.readEntries(),
    rollups,
    async readFailedSyncs() {
      const store = commissions.getLedger()?.store ?? null;
      const rows = await readSyncRows(store, { networks, syncHours, partners });
      return rows.flatMap(({ network, last }) =>
        last?.state === 'failed' ? [{ network, problem: last.problem }] : [],
      );
    },
    readDisk: () => platform.readDisk(),
    readBackup: async () => ({
      last: platform.readLastBackup(),
      firstEvent: await commissions.clicks.readFirstEventTime(),
    }),
    limits: { clicks: config.ALERT_CLICKS, backupDays: config.ALERT_BACKUP_DAYS },
    timeZone: config.TIME_ZONE,
    now: clock.now,
  });
}
