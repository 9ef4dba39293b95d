import type { DatabaseSync } from 'node:sqlite';
import type { SiteEvent } from '../../../src/core/events/site-event.ts';
import { consumeEvents } from '../../../src/runtimes/cloudflare/queue-consumer.ts';
import { type EventStore, SqlEventStore } from '../../../src/stores/events.ts';
import { createJsonWrites, QueuedEventStore } from '../../../src/stores/queued-events.ts';
import { SimulatedDatabase } from './simulated-database.ts';
import { type EventQueue, SimulatedQueue } from './simulated-queue.ts';
import { VirtualTime } from './virtual-time.ts';

/** Parts of the system that a test replaces by wrong ones, to see that the simulation notices. */
export interface Mutation {
  readonly consume?: typeof consumeEvents;
  readonly wrapQueue?: (queue: EventQueue) => EventQueue;
  readonly wrapStore?: (store: EventStore) => EventStore;
}

/** What one run is checked by. */
export interface DeliveryResult {
  /** Ids of the events whose sender got a response that they are stored. */
  readonly acknowledged: readonly string[];
  /** Ids in the database. */
  readonly stored: readonly string[];
  /** What no sender sent, or other than it was sent. */
  readonly foreign: number;
  readonly deadLetters: readonly unknown[];
  /** Messages that are still in the queue. */
  readonly left: number;
}

/** A body that no consumer can store. */
export const POISON = { poison: true };

/** After this time nothing fails any more, in virtual ms. */
const HEALED_AFTER_MS = 60_000;
const MAX_MS = 4_000_000;

/**
 * Runs senders, a queue, consumers and a database with faults: lost connections and responses, timeouts, outages,
 * crashes, deliveries that repeat and change order, and poisoned messages. The SQL is the product's, on SQLite.
 */
export async function simulateDelivery(
  seed: number,
  db: DatabaseSync,
  mutation: Mutation = {},
): Promise<DeliveryResult> {
  const { consume = consumeEvents, wrapQueue = (queue) => queue, wrapStore = (store) => store } = mutation;
  db.exec('DELETE FROM events');
  const time = new VirtualTime(seed);
  const database = new SimulatedDatabase(db, time);
  const store = wrapStore(new SqlEventStore(database, createJsonWrites));
  const deadLetters: unknown[] = [];
  const queue = new SimulatedQueue(time, (messages) =>
    consume(messages, {
      store,
      deadLetters: {
        send: async (body) => {
          await time.sleep(time.pick(1, 50));
          if (time.happens(queue.failureRate)) throw new Error('the dead letters are not reachable');
          deadLetters.push(body);
        },
      },
    }),
  );
  const path = time.happens(0.5) ? 'queue' : 'database';
  const front = new QueuedEventStore({
    store,
    queue: wrapQueue(queue),
    path,
    waitMs: time.pick(20, 2_000),
    startTimer: time.startTimer,
  });
  const sent = new Map<string, SiteEvent>();
  const acknowledged = new Set<string>();
  let sending = 0;
  const send = async () => {
    sending += 1;
    for (let count = time.pick(1, 3); count > 0; count--) {
      const events = Array.from({ length: time.pick(1, 3) }, (_, index) =>
        buildEvent(sent.size + index, time),
      );
      for (const event of events) sent.set(event.id, event);
      if (await sendUntilStored(events, { front, time })) {
        for (const { id } of events) acknowledged.add(id);
      }
    }
    sending -= 1;
  };
  for (let count = time.pick(1, 3); count > 0; count--) void send();
  for (let count = time.pick(0, 2); count > 0; count--) queue.put(POISON);
  void startOutages(time, database, queue);
  const isOver = () => (sending === 0 && queue.length === 0) || time.now > MAX_MS;
  void queue.deliver(isOver);
  await time.run(isOver);
  const rows = db.prepare('SELECT * FROM events').all();
  return {
    acknowledged: [...acknowledged],
    stored: rows.map((row) => String(row['id'])),
    foreign: rows.filter((row) => sent.get(String(row['id']))?.label !== row['label']).length,
    deadLetters,
    left: queue.length,
  };
}

function buildEvent(index: number, time: VirtualTime): SiteEvent {
  return {
    id: `event-${index}`,
    name: 'page_view',
    session: 's',
    page: '/',
    label: `label-${time.pick(0, 1_000_000)}`,
    value: 0,
    data: {},
    campaign: {},
    clientTime: null,
    serverTime: 1_763_600_000_000 + Math.round(time.now),
    flags: [],
  };
}

/** Sends events as a browser does: again until they are stored. Some browsers are closed before that. */
async function sendUntilStored(
  events: readonly SiteEvent[],
  { front, time }: { readonly front: EventStore; readonly time: VirtualTime },
): Promise<boolean> {
  for (;;) {
    const response = front.append(events).then(
      () => 'stored',
      () => 'refused',
    );
    // The worker that handles the request may crash as well.
    const outcome = await Promise.race([response, time.sleep(time.pick(3_000, 6_000))]);
    if (outcome === 'stored') return true;
    if (time.happens(0.1)) return false;
    await time.sleep(time.pick(10, 3_000));
  }
}

/** The database and the queue are out now and then, also at the same time, and work from some time on. */
async function startOutages(
  time: VirtualTime,
  ...parts: (SimulatedDatabase | SimulatedQueue)[]
): Promise<void> {
  while (time.now < HEALED_AFTER_MS) {
    for (const part of parts) part.isOut = time.happens(0.25);
    await time.sleep(time.pick(100, 10_000));
  }
  for (const part of parts) {
    part.isOut = false;
    part.failureRate = 0;
  }
}
