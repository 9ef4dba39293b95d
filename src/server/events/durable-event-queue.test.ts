import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { NO_LOG } from '../../../test/support/no-log.ts';
import { buildSampleEvent } from '../../../test/support/sample-events.ts';
import type { SiteEvent } from '../../core/events/site-event.ts';
import { type AppendResult, EventStoreError } from '../../stores/events.ts';
import { DurableEventQueue } from './durable-event-queue.ts';

/** A store that is slow or broken when the test says so. */
function createFaultyStore() {
  const stored = new Map<string, SiteEvent>();
  const fault = { isBroken: false, delayMs: 0 };
  return {
    stored,
    fault,
    async append(events: readonly SiteEvent[]): Promise<AppendResult> {
      const [event] = events;
      if (fault.delayMs > 0) await sleep(fault.delayMs);
      if (fault.isBroken) throw new EventStoreError('unavailable', '[events:test] full');
      if (!event || stored.has(event.id)) return { stored: 0, duplicates: 1 };
      stored.set(event.id, event);
      return { stored: 1, duplicates: 0 };
    },
  };
}

function setUp(options: Partial<ConstructorParameters<typeof DurableEventQueue>[0]> = {}) {
  const store = createFaultyStore();
  const logged: string[] = [];
  const lost: unknown[] = [];
  const note = (message: string, fields?: Readonly<Record<string, unknown>>) => {
    logged.push(message);
    if (fields?.['event'] !== undefined) lost.push(fields['event']);
  };
  let ids = 0;
  const queue = new DurableEventQueue({
    name: 'clicks',
    store,
    newId: () => `new-${++ids}`,
    log: { ...NO_LOG, warn: note, error: note },
    budgetMs: 50,
    retryMs: 5,
    ...options,
  });
  const click = (id: string) => buildSampleEvent({ id, name: 'affiliate_redirect' });
  const list = () => [...store.stored.values()].map(({ id, flags }) => [id, ...flags]);
  return { store, queue, click, list, logged, lost };
}

async function until(isTrue: () => boolean): Promise<void> {
  await expect.poll(isTrue, { interval: 5 }).toBe(true);
}

it('stores an event before it resolves', async () => {
  const { queue, click, list } = setUp();
  await queue.add(click('a'));
  expect(list()).toEqual([['a']]);
});

it('stores an event whose id is stored already as a duplicate with a new id', async () => {
  const { queue, click, list } = setUp();
  await Promise.all([queue.add(click('a')), queue.add(click('a')), queue.add(click('b'))]);
  await until(() => list().length === 3);
  expect(list().sort()).toEqual([['a'], ['b'], ['new-1', 'duplicate']]);
});

it('resolves after the time budget when the store is slow, and stores the event once', async () => {
  const { queue, click, list, store } = setUp();
  store.fault.delayMs = 2_000;
  const started = performance.now();
  await queue.add(click('a'));
  expect(performance.now() - started).toBeGreaterThan(45);
  expect(list()).toEqual([]);
  await until(() => list().length === 1);
  expect(queue.waiting).toBe(0);
});

it('queues events while the store is broken, and stores each once when it works again', async () => {
  const { queue, click, list, store, logged } = setUp();
  store.fault.isBroken = true;
  for (let n = 0; n < 450; n++) await queue.add(click(`c${n}`));
  expect(queue.waiting).toBe(450);
  expect(logged).toEqual(['clicks wait in memory']);
  await sleep(30);
  store.fault.isBroken = false;
  await until(() => queue.waiting === 0);
  expect(list()).toEqual(Array.from({ length: 450 }, (_, n) => [`c${n}`]));
});

it('stores an id that came twice while the store was broken as one event and a duplicate', async () => {
  const { queue, click, list, store } = setUp();
  await queue.add(click('before'));
  store.fault.isBroken = true;
  for (const id of ['before', 'a', 'a']) await queue.add(click(id));
  store.fault.isBroken = false;
  await until(() => queue.waiting === 0);
  expect(list().sort()).toEqual([['a'], ['before'], ['new-1', 'duplicate'], ['new-2', 'duplicate']]);
});

it('counts events beyond its capacity as lost', async () => {
  const { queue, click, store, logged, lost } = setUp({ capacity: 2, retryMs: 60_000 });
  store.fault.isBroken = true;
  for (const id of ['a', 'b', 'c']) await queue.add(click(id));
  expect([queue.waiting, queue.lost, lost]).toEqual([2, 1, [click('c')]]);
  await queue.add(click('d'));
  expect(logged.filter((message) => message.includes('are being lost'))).toHaveLength(1);
});

it('logs each event that is lost where nothing can wait', async () => {
  const { queue, click, store, logged, lost } = setUp({ capacity: 0 });
  store.fault.isBroken = true;
  for (const id of ['a', 'b']) await queue.add(click(id));
  expect([queue.waiting, queue.lost, logged]).toEqual([0, 2, Array(2).fill('clicks: event not stored')]);
  expect(lost).toEqual([click('a'), click('b')]);
});

it('retries while it is closed until the store works again', async () => {
  const { queue, click, list, store, logged } = setUp();
  store.fault.isBroken = true;
  await queue.add(click('a'));
  const closed = queue.close(5_000);
  await sleep(60);
  store.fault.isBroken = false;
  await closed;
  expect(list()).toEqual([['a']]);
  expect(logged).toEqual(['clicks wait in memory']);
});

it('logs an event whose write never returns when the time to close is over', {
  tags: ['measures'],
}, async () => {
  const { queue, click, store, logged } = setUp({ budgetMs: 5 });
  store.fault.delayMs = 25_000;
  await queue.add(click('a'));
  const began = performance.now();
  await queue.close(50);
  expect(performance.now() - began).toBeLessThan(10_000);
  expect(logged).toEqual(['clicks: event not stored', 'clicks were lost']);
});

it('writes what waits when it is closed', async () => {
  const { queue, click, list, store, logged } = setUp({ retryMs: 60_000 });
  store.fault.isBroken = true;
  await queue.add(click('a'));
  store.fault.isBroken = false;
  store.fault.delayMs = 80;
  await queue.add(click('slow'));
  await queue.close(1_000);
  expect(list()).toEqual([['slow'], ['a']]);
  expect(logged).toEqual(['clicks wait in memory']);
});

it.each(['clicks', 'assessments'])('logs %s by their name when they cannot be written', async (name) => {
  const { queue, click, store, logged } = setUp({ name, retryMs: 60_000 });
  store.fault.isBroken = true;
  await queue.add(click('a'));
  await queue.close(20);
  expect(logged).toEqual([`${name} wait in memory`, `${name}: event not stored`, `${name} were lost`]);
});
