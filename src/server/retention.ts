import type { Clock } from '../core/clock.ts';
import type { EventStore } from '../core/journey/event-store.ts';
import { buildRetentionLimit } from '../core/journey/retention.ts';
import type { Log } from './log.ts';

const DAY_MS = 86_400_000;

/**
 * Removes events older than `months`, now and then every day, until the returned function is called.
 * A store that cannot do it now is no error of the site: it is logged and tried the next day.
 */
export function startRetention(options: {
  readonly store: Pick<EventStore, 'remove'>;
  readonly months: number;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
}): () => void {
  const { store, months, clock, log } = options;
  const run = () => {
    store.remove({ before: buildRetentionLimit(clock.now(), months) }).then(
      (removed) => {
        if (removed > 0) log.info('events past their retention were removed', { removed, months });
      },
      (error: unknown) => log.warn('events past their retention could not be removed', { error }),
    );
  };
  run();
  const timer = setInterval(run, DAY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
