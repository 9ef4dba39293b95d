import { DAY_MS } from '../../core/clock.ts';
import { PeriodicJob } from '../periodic-job.ts';
import type { Site } from '../site.ts';

const RETENTION_DAYS = 30;

/**
 * Creates the job that removes stored messages after 30 days at the trusted time, and none while that is null: a clock
 * that is ahead would remove all of them.
 */
export function createMessageRetention({
  log,
  money: { ledger },
  visitors: { trustedTime },
}: Site): PeriodicJob {
  const remove = async () => {
    const now = ledger.exists() ? await trustedTime.read() : null;
    if (now !== null) await ledger.removeRaw(now - RETENTION_DAYS * DAY_MS);
  };
  const failure = 'messages of networks past their retention could not be removed';
  return new PeriodicJob(log, failure, remove, DAY_MS, 0);
}
