import { setTimeout as sleep } from 'node:timers/promises';
import type { SiteEvent } from '../../core/events/site-event.ts';
import type { EventAppender } from '../../stores/events.ts';
import type { Log } from '../log.ts';

interface QueueInput {
  /** What the events are, for the log: `clicks`, `assessments`. */
  readonly name: string;
  readonly store: EventAppender;
  /** Creates a UUID. */
  readonly newId: () => string;
  readonly log: Log;
  /** How long a visitor waits for the disk, in ms. */
  readonly budgetMs: number;
  /** Most events in memory; 10,000 when left out. With 0, what the store does not take is lost and logged. */
  readonly capacity?: number;
  /** Called with each write, which may last longer than the response, for a runtime that ends with the response. */
  readonly keepAlive?: (work: Promise<unknown>) => void;
  /** First pause before a retry, in ms; it doubles up to 64 times that. 250 when left out. */
  readonly retryMs?: number;
}

/** How the log says that an event was not stored, after the name of the queue; the entry has the event. */
export const NOT_STORED = ': event not stored';

/** `replaced`: the id was stored already, so another event was stored. `waiting`: the store has not responded yet. */
export type AddOutcome = 'stored' | 'replaced' | 'waiting';

/** Events written concurrently after an outage; the store commits them together. */
const RETRY_BATCH = 200;
const MAX_DOUBLINGS = 6;

/**
 * Stores events that a visitor waits for: on disk before the response when that is quick, else in memory until the
 * store works again. An event whose id is stored already is stored under a new id with the flag `duplicate`.
 */
export class DurableEventQueue {
  readonly #options: Required<QueueInput>;
  readonly #queue = new Map<string, SiteEvent>();
  readonly #pending = new Map<Promise<AddOutcome>, SiteEvent>();
  #lost = 0;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #retrying: Promise<void> | undefined;
  #isClosing = false;

  constructor(options: QueueInput) {
    this.#options = { capacity: 10_000, retryMs: 250, keepAlive: () => undefined, ...options };
  }

  /** How many events are in memory alone. */
  get waiting(): number {
    return this.#queue.size;
  }

  /** How many events did not fit into memory. */
  get lost(): number {
    return this.#lost;
  }

  /**
   * Stores an event; resolves when it is on disk, at the latest after `budgetMs`. Never rejects. `replace` builds the
   * event to store when the id is stored already; by default the same event under a new id, as a duplicate.
   */
  async add(event: SiteEvent, replace?: () => SiteEvent): Promise<AddOutcome> {
    const written = this.#write(event, replace).catch((error: unknown): AddOutcome => {
      this.#enqueue(event, error);
      return 'waiting';
    });
    this.#pending.set(written, event);
    this.#options.keepAlive(written);
    void written.then(() => this.#pending.delete(written));
    return (await waitAtMost(written, this.#options.budgetMs)) ?? 'waiting';
  }

  /** Writes what waits for as long as `timeoutMs`, then logs each event that could not be written. */
  async close(timeoutMs: number): Promise<void> {
    this.#isClosing = true;
    const deadline = performance.now() + timeoutMs;
    const getTimeLeft = () => Math.max(0, deadline - performance.now());
    await waitAtMost(Promise.all(this.#pending.keys()), getTimeLeft());
    while (this.#queue.size > 0 && getTimeLeft() > 0) {
      await waitAtMost(this.#retry(), getTimeLeft());
      if (this.#queue.size > 0) await sleep(Math.min(this.#options.retryMs, getTimeLeft()));
    }
    this.#logUnwritten();
  }

  #logUnwritten(): void {
    const { name, log } = this.#options;
    const unwritten = [...this.#pending.values(), ...this.#queue.values()];
    for (const event of unwritten) log.error(name + NOT_STORED, { event });
    if (unwritten.length > 0 || this.#lost > 0) {
      log.error(`${name} were lost`, { waiting: unwritten.length, lost: this.#lost });
    }
  }

  async #write(event: SiteEvent, replace = () => this.#buildDuplicate(event)): Promise<AddOutcome> {
    const { duplicates } = await this.#options.store.append([event]);
    if (duplicates === 0) return 'stored';
    await this.#options.store.append([replace()]);
    return 'replaced';
  }

  #enqueue(event: SiteEvent, error: unknown): void {
    const { name, log, capacity } = this.#options;
    if (capacity === 0) {
      this.#lost += 1;
      log.error(name + NOT_STORED, { event, lost: this.#lost, error });
      return;
    }
    if (this.#queue.size === 0) log.warn(`${name} wait in memory`, { error });
    const queued = this.#queue.has(event.id) ? this.#buildDuplicate(event) : event;
    if (this.#queue.size >= capacity) {
      if (this.#lost === 0) log.error(`${name} are being lost: too many wait in memory`, { capacity });
      this.#lost += 1;
      log.error(name + NOT_STORED, { event: queued });
    } else this.#queue.set(queued.id, queued);
    this.#scheduleRetry();
  }

  #scheduleRetry(): void {
    if (this.#timer || this.#retrying !== undefined || this.#isClosing || this.#queue.size === 0) return;
    const pause = this.#options.retryMs * 2 ** Math.min(this.#failures, MAX_DOUBLINGS);
    this.#timer = setTimeout(() => void this.#retry(), pause);
    this.#timer.unref();
  }

  #retry(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#retrying ??= this.#writeQueue().finally(() => {
      this.#retrying = undefined;
      this.#scheduleRetry();
    });
    return this.#retrying;
  }

  async #writeQueue(): Promise<void> {
    while (this.#queue.size > 0) {
      // A single event finds out whether the store works again before the others follow.
      const batch = [...this.#queue.values()].slice(0, this.#failures > 0 ? 1 : RETRY_BATCH);
      const results = await Promise.allSettled(batch.map((event) => this.#write(event)));
      for (const [index, event] of batch.entries()) {
        if (results[index]?.status === 'fulfilled') this.#queue.delete(event.id);
      }
      const isDone = results.every(({ status }) => status === 'fulfilled');
      this.#failures = isDone ? 0 : this.#failures + 1;
      if (!isDone) return;
    }
  }

  #buildDuplicate(event: SiteEvent): SiteEvent {
    return { ...event, id: this.#options.newId(), flags: [...event.flags, 'duplicate'] };
  }
}

function waitAtMost<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, undefined);
    void work.then((result) => {
      clearTimeout(timer);
      resolve(result);
    });
  });
}
