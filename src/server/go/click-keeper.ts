import type { EventStore } from '../../core/journey/event-store.ts';
import type { SiteEvent } from '../../core/journey/site-event.ts';
import type { Log } from '../log.ts';

/** Keeps clicks: on disk before the visitor leaves when that is quick, else in memory until it works. */
export interface ClickKeeper {
  /** Resolves when the click is on disk, or after the time budget. Never rejects. */
  keep(click: SiteEvent): Promise<void>;
  /** Clicks that are in memory alone. */
  readonly waiting: number;
  /** Clicks that did not fit into memory. */
  readonly lost: number;
  /** Stops trying again, writes what waits as far as the store allows, and says in the log what it could not. */
  close(): Promise<void>;
}

export interface ClickKeeperOptions {
  readonly store: Pick<EventStore, 'append'>;
  readonly newId: () => string;
  readonly log: Pick<Log, 'warn' | 'error'>;
  /** How long a visitor waits for the disk, in ms. */
  readonly budgetMs: number;
  /** Most clicks in memory. */
  readonly capacity?: number;
  /** First pause before another try, in ms; it doubles up to 64 times that. */
  readonly retryMs?: number;
}

/** Clicks written at one time after an outage; the store makes one commit of them. */
const AT_ONCE = 200;

/** Creates the keeper. A click whose id is stored already is stored under a new one with the flag `double`. */
export function createClickKeeper(options: ClickKeeperOptions): ClickKeeper {
  const { store, newId, log, budgetMs, capacity = 10_000, retryMs = 250 } = options;
  const queue = new Map<string, SiteEvent>();
  const pending = new Set<Promise<void>>();
  let lost = 0;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  let retrying: Promise<void> | undefined;
  let isClosing = false;

  const write = async (click: SiteEvent): Promise<void> => {
    const { duplicates } = await store.append([click]);
    if (duplicates > 0) await store.append([buildDouble(click, newId())]);
  };

  const hold = (click: SiteEvent, error: unknown): void => {
    if (queue.size === 0) log.warn('clicks wait in memory', { error });
    const held = queue.has(click.id) ? buildDouble(click, newId()) : click;
    if (queue.size >= capacity) lost += 1;
    else queue.set(held.id, held);
    plan();
  };

  const plan = (): void => {
    if (timer || retrying || isClosing || queue.size === 0) return;
    timer = setTimeout(() => void retry(), retryMs * 2 ** Math.min(failures, 6));
    timer.unref();
  };

  const retry = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    retrying ??= writeQueue().finally(() => {
      retrying = undefined;
      plan();
    });
    return retrying;
  };

  const writeQueue = async (): Promise<void> => {
    while (queue.size > 0) {
      // One click finds out whether the store works again before the others follow.
      const batch = [...queue.values()].slice(0, failures > 0 ? 1 : AT_ONCE);
      const results = await Promise.allSettled(batch.map(write));
      for (const [index, click] of batch.entries()) {
        if (results[index]?.status === 'fulfilled') queue.delete(click.id);
      }
      failures = results.every(({ status }) => status === 'fulfilled') ? 0 : failures + 1;
      if (failures > 0) return;
    }
  };

  return {
    async keep(click) {
      const written = write(click).catch((error: unknown) => hold(click, error));
      pending.add(written);
      void written.then(() => pending.delete(written));
      await withinBudget(written, budgetMs);
    },
    get waiting() {
      return queue.size;
    },
    get lost() {
      return lost;
    },
    async close() {
      isClosing = true;
      await Promise.all(pending);
      await retrying;
      await retry();
      if (queue.size > 0 || lost > 0) log.error('clicks were lost', { waiting: queue.size, lost });
    },
  };
}

function buildDouble(click: SiteEvent, id: string): SiteEvent {
  return { ...click, id, flags: [...click.flags, 'double'] };
}

function withinBudget(work: Promise<void>, budgetMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, budgetMs);
    void work.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
