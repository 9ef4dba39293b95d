import { expect, it } from 'vitest';
import { CASES, SEED } from '../../test/support/cases.ts';
import { openMemoryDatabase } from '../../test/support/memory-executor.ts';
import {
  type DeliveryResult,
  type Mutation,
  POISON,
  simulateDelivery,
} from '../../test/support/simulation/simulate-delivery.ts';
import { consumeEvents } from '../runtimes/cloudflare/queue-consumer.ts';

/** What is wrong with a run; empty when nothing is. */
function findDefects({
  acknowledged,
  stored,
  foreign,
  deadLetters,
  left,
}: DeliveryResult): readonly string[] {
  const counts = new Map<string, number>();
  for (const id of stored) counts.set(id, (counts.get(id) ?? 0) + 1);
  return [
    ...acknowledged.filter((id) => counts.get(id) !== 1).map((id) => `${id} is not stored exactly once`),
    ...(foreign > 0 ? ['something is stored that was not sent'] : []),
    ...(deadLetters.some((body) => JSON.stringify(body) !== JSON.stringify(POISON))
      ? ['an event is among the dead letters']
      : []),
    ...(left > 0 ? ['a message stays in the queue'] : []),
  ];
}

it('stores every acknowledged event exactly once, whatever fails', async () => {
  const db = openMemoryDatabase();
  const totals = { acknowledged: 0, stored: 0, deadLetters: 0 };
  for (let seed = SEED; seed < SEED + CASES; seed++) {
    const result = await simulateDelivery(seed, db);
    expect(findDefects(result), `seed ${seed}`).toEqual([]);
    totals.acknowledged += result.acknowledged.length;
    totals.stored += result.stored.length;
    totals.deadLetters += result.deadLetters.length;
  }
  // The runs are not empty: senders gave up now and then, and poisoned messages were found.
  expect(totals.acknowledged).toBeGreaterThan(CASES);
  expect(totals.stored).toBeGreaterThan(totals.acknowledged);
  expect(totals.deadLetters).toBeGreaterThan(CASES / 2);
});

it('repeats a run exactly when it has the same seed', async () => {
  const db = openMemoryDatabase();
  expect(await simulateDelivery(42, db)).toEqual(await simulateDelivery(42, db));
});

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'acknowledges messages before the commit': {
    consume: (messages, options) => {
      for (const message of messages) message.ack();
      return consumeEvents(messages, options);
    },
  },
  'takes a message for accepted before the queue has responded': {
    wrapQueue: (queue) => ({
      send: async (events) => {
        queue.send(events).catch(() => undefined);
      },
    }),
  },
  'sends a whole batch to the dead letters because of one message': {
    consume: async (messages, options) => {
      const isPoisoned = messages.some(({ body }) => !Array.isArray(body));
      const poisoned = messages.map((message) => ({ ...message, body: [message.body, 0] }));
      return consumeEvents(isPoisoned ? poisoned : messages, options);
    },
  },
  'stores a delivery that repeats under another id': {
    wrapStore: (store) => ({
      ...Object.create(store),
      append: async (events) => {
        const result = await store.append(events);
        if (result.duplicates > 0) {
          await store.append(events.map((event) => ({ ...event, id: `${event.id}-again` })));
        }
        return result;
      },
    }),
  },
};

it.each(Object.keys(MUTATIONS))('notices a system that %s', async (name) => {
  const db = openMemoryDatabase();
  const defects: string[] = [];
  for (let seed = 1; seed <= 300 && defects.length === 0; seed++) {
    defects.push(...findDefects(await simulateDelivery(seed, db, MUTATIONS[name])));
  }
  expect(defects).not.toEqual([]);
});
