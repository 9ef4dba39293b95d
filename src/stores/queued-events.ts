import type { SiteEvent } from '../core/events/site-event.ts';
import {
  type AppendResult,
  type CountFilter,
  EVENT_COLUMNS,
  type EventFilter,
  type EventStore,
  EventStoreError,
  type EventWrites,
} from './events.ts';
import type { Database } from './sql/sql-executor.ts';
import { buildJsonLists } from './sql/statements.ts';

/** Most bytes of one message, as JSON in UTF-8: Cloudflare Queues takes 128,000. */
export const MAX_MESSAGE_BYTES = 120_000;

/** One delivery of a message. It comes again until it is acknowledged. */
export interface QueuedMessage {
  readonly body: unknown;
  /** How often it was delivered, this time included. */
  readonly attempts: number;
  /** The message is not delivered again. */
  ack(): void;
  /** The message is delivered again, after a pause. */
  retry(options: { readonly delaySeconds: number }): void;
}

/** Takes messages that cannot be stored, for the operator. */
export interface DeadLetters {
  /** Resolves once the body is accepted. */
  send(body: unknown): Promise<void>;
}

/** What is tried first; the other one is the fallback. */
export type EventPath = 'database' | 'queue';

/**
 * The event store in front of a database and a queue: an append is acknowledged when one of them has accepted it. What
 * the queue has accepted counts as stored; its consumer finds out whether an id was stored before. An event that both
 * accept is stored once, because the consumer's append is idempotent as well.
 */
export class QueuedEventStore implements EventStore {
  readonly #options;
  #isClosed = false;

  constructor(options: {
    readonly store: EventStore;
    /**
     * Takes what the database does not accept in time, as messages of at most `MAX_MESSAGE_BYTES`, and delivers what it
     * has accepted at least once.
     */
    readonly queue: { send(events: readonly SiteEvent[]): Promise<void> };
    readonly path: EventPath;
    /** ms after which the fallback is tried too. */
    readonly waitMs: number;
    /** ms after which both count as failed once the fallback is tried; `waitMs` when left out. */
    readonly giveUpMs?: number;
    /** Calls back after ms unless the returned function is called; `setTimeout` when left out. */
    readonly startTimer?: (ms: number, callback: () => void) => () => void;
  }) {
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
    return { stored: events.length, duplicates: 0 };
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

const INSERT = `INSERT INTO events (${EVENT_COLUMNS.join(', ')})
  SELECT ${EVENT_COLUMNS.map((_, index) => `value ->> ${index}`).join(', ')} FROM json_each(?)
  WHERE true ON CONFLICT (id) DO NOTHING`;
/** Longer than a queue keeps a message: 14 days. */
const FORGET_REMOVALS = 'DELETE FROM removed_visits WHERE removed_at < (unixepoch() - 15 * 86400) * 1000';
/** To the end of the second: clocks of instances differ, and what was posted before may still be on its way. */
const NOTE_REMOVAL = 'INSERT OR REPLACE INTO removed_visits VALUES (?, (unixepoch() + 1) * 1000)';
const FIND_REMOVALS = `SELECT session, removed_at AS removedAt FROM removed_visits
  WHERE session IN (SELECT value FROM json_each(?))`;
const REMOVE_DELIVERED = `DELETE FROM events WHERE session = ? AND session <> '' AND server_time <= ?`;

const PROBE = `INSERT OR REPLACE INTO store_probe VALUES (1, ?, x'')`;
/** A probe is a written row, of which plans of D1 have a number: a health check repeats it once a minute. */
const PROBE_INTERVAL_MS = 60_000;

/**
 * Appends on D1, where each statement of a worker counts against a limit: one statement, however many events. Requests
 * share no promise, because a worker cannot wait in one request for the work of another.
 */
export function createJsonWrites(database: Database): EventWrites {
  let probedAt = Number.NEGATIVE_INFINITY;
  return {
    async append(rows) {
      const texts = buildJsonLists(rows);
      const results = await database.batch(texts.map((text) => ({ sql: INSERT, values: [text] })));
      const stored = results.reduce((sum, { changes }) => sum + changes, 0);
      return { stored, duplicates: rows.length - stored };
    },
    async probe() {
      const at = Date.now();
      if (at - probedAt < PROBE_INTERVAL_MS) return null;
      const reason = await database.change(PROBE, at).then(
        () => null,
        (error: Error) => error.message,
      );
      probedAt = reason === null ? at : Number.NEGATIVE_INFINITY;
      return reason;
    },
    noteRemoval: (session) =>
      database.batch([{ sql: FORGET_REMOVALS }, { sql: NOTE_REMOVAL, values: [session] }]),
  };
}

/**
 * The same for what a queue delivers: events of a visit that was deleted meanwhile are removed again. They are looked for
 * after the append, so that a later deletion finds them, and apart from it: an event was lost once in workerd whose write read
 * another table in its batch. The cause is unknown, and tries of such batches have not shown it again.
 */
export function createDeliveredWrites(database: Database): EventWrites {
  const writes = createJsonWrites(database);
  return {
    ...writes,
    async append(rows) {
      const appended = await writes.append(rows);
      const sessions = JSON.stringify([...new Set(rows.map((row) => row[EVENT_COLUMNS.indexOf('session')]))]);
      const [found] = await database.batch([{ sql: FIND_REMOVALS, values: [sessions] }]);
      for (const { session, removedAt } of found?.rows ?? [])
        await database.change(REMOVE_DELIVERED, session ?? '', removedAt ?? 0);
      return appended;
    },
  };
}
