import type { RollupStore } from '../../core/events/rollup-store.ts';
import type { Log } from '../log.ts';
import { PeriodicJob } from '../periodic-job.ts';

/** Reads count what is not rolled up yet themselves, so a longer interval makes them slower, not wrong. */
const INTERVAL_MS = 1_000;

/** Creates the job that adds new events to the counts. */
export function createRollupJob(store: Pick<RollupStore, 'advance'>, log: Pick<Log, 'warn'>): PeriodicJob {
  return new PeriodicJob({
    name: 'events could not be added to the counts',
    async run(signal) {
      while (!signal.aborted && (await store.advance()) > 0);
    },
    intervalMs: INTERVAL_MS,
    log,
  });
}
