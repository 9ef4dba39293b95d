import { DAY_MS } from '../../core/clock.ts';
import type { Ledger } from '../../stores/ledger.ts';
import type { Log } from '../log.ts';
import { PeriodicJob } from '../periodic-job.ts';

const RETENTION_DAYS = 30;

/**
 * Creates the job that removes stored messages after 30 days at the trusted time, and none while that is null: a clock
 * that is ahead would remove all of them.
 */
export function createMessageRetention(options: {
  readonly store: Pick<Ledger, 'removeRaw'>;
  readonly readTrustedTime: () => Promise<number | null>;
  readonly log: Pick<Log, 'warn'>;
}): PeriodicJob {
  const { store, readTrustedTime, log } = options;
  return new PeriodicJob({
    name: 'messages of networks past their retention could not be removed',
    async run() {
      const now = await readTrustedTime();
      if (now !== null) await store.removeRaw(now - RETENTION_DAYS * DAY_MS);
    },
    firstMs: 0,
    intervalMs: DAY_MS,
    log,
  });
}
