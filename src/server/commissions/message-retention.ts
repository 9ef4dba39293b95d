import { DAY_MS } from '../../core/clock.ts';
import type { CommissionStore } from '../../core/commissions/commission-store.ts';
import type { Log } from '../log.ts';

const RETENTION_DAYS = 30;

type ReadTrustedTime = () => Promise<number | null>;

/**
 * Removes stored messages that are older than 30 days at the trusted time, and none when it is null: a clock that is
 * ahead would remove all of them. Rejects with `CommissionStoreError`.
 */
export async function removeOldMessages(
  store: Pick<CommissionStore, 'removeRaw'>,
  readTrustedTime: ReadTrustedTime,
): Promise<void> {
  const now = await readTrustedTime();
  if (now !== null) await store.removeRaw(now - RETENTION_DAYS * DAY_MS);
}

/** Removes stored messages after 30 days: at once, then every 24 hours, until the returned function is called. */
export function startMessageRetention(options: {
  readonly store: Pick<CommissionStore, 'removeRaw'>;
  readonly readTrustedTime: ReadTrustedTime;
  readonly log: Pick<Log, 'warn'>;
}): () => void {
  const { store, readTrustedTime, log } = options;
  const run = () => {
    removeOldMessages(store, readTrustedTime).catch((error: unknown) => {
      log.warn('messages of networks past their retention could not be removed', { error });
    });
  };
  run();
  const timer = setInterval(run, DAY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
