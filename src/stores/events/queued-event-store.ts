import { type EventQueue, MAX_MESSAGE_BYTES } from '../../core/events/event-queue.ts';
import {
  type AppendResult,
  type CountFilter,
  type EventFilter,
  type EventStore,
  EventStoreError,
} from '../../core/events/event-store.ts';
import type { SiteEvent } from '../../core/events/site-event.ts';

/** What is tried first; the other one is the fallback. */
export type EventPath = 'database' | 'queue';

export interface QueuedEventStoreOptions {
  readonly store: EventStore;
  readonly queue: EventQueue;
  readonly path: EventPath;
  /** ms after which the fallback is tried too. */
  readonly waitMs: number;
  /** ms after which both count as failed once the fallback is tried; `waitMs` when left out. */
  readonly giveUpMs?: number;
  /** Calls back after ms unless the returned function is called; `setTimeout` when left out. */
  readonly startTimer?: (ms: number, callback: () => void) => () => void;
}

/**
 * The event store in front of a database and a queue: an append is acknowledged when one of them has accepted it. What
 * the queue has accepted counts as stored; its consumer finds out whether an id was stored before. An event that both
 * accept is stored once, because the consumer's append is idempotent as well.
 */
export class QueuedEventStore implements EventStore {
  readonly #options: Required<QueuedEventStoreOptions>;
  #isClosed = false;

  constructor(options: QueuedEventStoreOptions) {
    this.#options = { startTimer: startTimeout, giveUpMs: options.waitMs, ...options };
  }

  async append(events: readonly SiteEvent[]): Promise<AppendResult> {
    if (this.#isClosed) throw new EventStoreError('closed', '[events] the store is closed');
    const { store, path, waitMs, giveUpMs } = this.#options;
    const writeDatabase = () => store.append(events);
    const writeQueue = () => this.#send(events);
    const [first, second] = path === 'queue' ? [writeQueue, writeDatabase] : [writeDatabase, writeQueue];
    const attempt = first();
    try {
      return await this.#within(waitMs, attempt);
    } catch {
      // A slow one may still be the first to accept the events.
      return await this.#within(giveUpMs, Promise.any([attempt, second()])).catch(explainFailure);
    }
  }

  read(filter: EventFilter): AsyncIterable<SiteEvent> {
    return this.#options.store.read(filter);
  }

  count(filter: CountFilter): Promise<number> {
    return this.#options.store.count(filter);
  }

  readTimeRange(): ReturnType<EventStore['readTimeRange']> {
    return this.#options.store.readTimeRange();
  }

  remove(filter: Parameters<EventStore['remove']>[0]): Promise<number> {
    return this.#options.store.remove(filter);
  }

  probe(): Promise<string | null> {
    return this.#options.store.probe();
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#options.store.close();
  }

  async #send(events: readonly SiteEvent[]): Promise<AppendResult> {
    await Promise.all(splitMessages(events).map((message) => this.#options.queue.send(message)));
    return { stored: events.length, duplicates: 0, conflicts: 0 };
  }

  #within<T>(ms: number, work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(new Error(`no response after ${ms} ms`));
      const cancel = this.#options.startTimer(ms, giveUp);
      work.then(resolve, reject).finally(cancel);
    });
  }
}

function explainFailure(error: unknown): never {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  const reasons = errors.map((one) => (one instanceof Error ? one.message : String(one))).join('; ');
  const message = `[events] neither the database nor the queue accepted the events: ${reasons}`;
  throw new EventStoreError('unavailable', message, { cause: error });
}

const encoder = new TextEncoder();

/** Splits events into messages that the queue takes. */
function splitMessages(events: readonly SiteEvent[]): readonly (readonly SiteEvent[])[] {
  const messages: SiteEvent[][] = [];
  let bytes = MAX_MESSAGE_BYTES;
  for (const event of events) {
    // One more for the comma or bracket.
    const added = encoder.encode(JSON.stringify(event)).length + 1;
    if (bytes + added >= MAX_MESSAGE_BYTES) {
      messages.push([]);
      bytes = 0;
    }
    messages.at(-1)?.push(event);
    bytes += added;
  }
  return messages;
}

function startTimeout(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}
