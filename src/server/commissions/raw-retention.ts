import type { CommissionStore } from '../../core/commissions/commission-store.ts';
import type { Log } from '../log.ts';

const DAY_MS = 86_400_000;
const RETENTION_DAYS = 30;

/** Removes stored messages after 30 days, now and then every day, until the returned function is called. */
export function startRawRetention(options: {
  readonly store: Pick<CommissionStore, 'removeRaw'>;
  readonly now: () => number;
  readonly log: Pick<Log, 'warn'>;
}): () => void {
  const { store, now, log } = options;
  const run = () => {
    store.removeRaw(now() - RETENTION_DAYS * DAY_MS).catch((error: unknown) => {
      log.warn('messages of networks past their retention could not be removed', { error });
    });
  };
  run();
  const timer = setInterval(run, DAY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
