import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { buildSampleEvent } from '../../../test/support/sample-events.ts';
import { type AppendResult, EventStoreError } from '../../core/journey/event-store.ts';
import type { SiteEvent } from '../../core/journey/site-event.ts';
import { type ClickKeeperOptions, createClickKeeper } from './click-keeper.ts';

/** A store that can be slow or broken, as told. */
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
      if (!event || stored.has(event.id)) return { stored: 0, duplicates: 1, conflicts: 0 };
      stored.set(event.id, event);
      return { stored: 1, duplicates: 0, conflicts: 0 };
    },
  };
}

function setUp(options: Partial<ClickKeeperOptions> = {}) {
  const store = createFaultyStore();
  const logged: string[] = [];
  let ids = 0;
  const keeper = createClickKeeper({
    store,
    newId: () => `new-${++ids}`,
    log: { warn: (message) => logged.push(message), error: (message) => logged.push(message) },
    budgetMs: 50,
    retryMs: 5,
    ...options,
  });
  const click = (id: string) => buildSampleEvent({ id, name: 'affiliate_redirect' });
  const list = () => [...store.stored.values()].map(({ id, flags }) => [id, ...flags]);
  return { store, keeper, click, list, logged };
}

async function until(isTrue: () => boolean): Promise<void> {
  const deadline = performance.now() + 3000;
  while (!isTrue() && performance.now() < deadline) await sleep(5);
  expect(isTrue()).toBe(true);
}

describe('a kept click', () => {
  it('is stored when the promise resolves', async () => {
    const { keeper, click, list } = setUp();
    await keeper.keep(click('a'));
    expect(list()).toEqual([['a']]);
  });

  it('that is stored already is stored once more as a double', async () => {
    const { keeper, click, list } = setUp();
    await Promise.all([keeper.keep(click('a')), keeper.keep(click('a')), keeper.keep(click('b'))]);
    await until(() => list().length === 3);
    expect(list().sort()).toEqual([['a'], ['b'], ['new-1', 'double']]);
  });

  it('holds the visitor up for the time budget alone when the store is slow, and is stored once', async () => {
    const { keeper, click, list, store } = setUp();
    store.fault.delayMs = 200;
    const started = performance.now();
    await keeper.keep(click('a'));
    const waited = performance.now() - started;
    expect(waited).toBeGreaterThan(45);
    expect(waited).toBeLessThan(1_000);
    expect(list()).toEqual([]);
    await until(() => list().length === 1);
    expect(keeper.waiting).toBe(0);
  });

  it('waits in memory while the store is broken, and is stored once when it works again', async () => {
    const { keeper, click, list, store, logged } = setUp();
    store.fault.isBroken = true;
    for (let n = 0; n < 450; n++) await keeper.keep(click(`c${n}`));
    expect(keeper.waiting).toBe(450);
    expect(logged).toEqual(['clicks wait in memory']);
    await sleep(30);
    store.fault.isBroken = false;
    await until(() => keeper.waiting === 0);
    expect(list()).toEqual(Array.from({ length: 450 }, (_, n) => [`c${n}`]));
  });

  it('pressed twice while the store is broken is one click and a double', async () => {
    const { keeper, click, list, store } = setUp();
    await keeper.keep(click('before'));
    store.fault.isBroken = true;
    for (const id of ['before', 'a', 'a']) await keeper.keep(click(id));
    store.fault.isBroken = false;
    await until(() => keeper.waiting === 0);
    expect(list().sort()).toEqual([['a'], ['before'], ['new-1', 'double'], ['new-2', 'double']]);
  });

  it('beyond the memory’s bound is counted as lost', async () => {
    const { keeper, click, store } = setUp({ capacity: 2, retryMs: 60_000 });
    store.fault.isBroken = true;
    for (const id of ['a', 'b', 'c']) await keeper.keep(click(id));
    expect([keeper.waiting, keeper.lost]).toEqual([2, 1]);
  });

  it('is written at the end', async () => {
    const { keeper, click, list, store, logged } = setUp({ retryMs: 60_000 });
    store.fault.isBroken = true;
    await keeper.keep(click('a'));
    store.fault.isBroken = false;
    store.fault.delayMs = 80;
    await keeper.keep(click('slow'));
    await keeper.close();
    expect(list()).toEqual([['slow'], ['a']]);
    expect(logged).toEqual(['clicks wait in memory']);
  });

  it('that cannot be written at the end is named in the log', async () => {
    const { keeper, click, store, logged } = setUp({ retryMs: 60_000 });
    store.fault.isBroken = true;
    await keeper.keep(click('a'));
    await keeper.close();
    expect(logged).toEqual(['clicks wait in memory', 'clicks were lost']);
  });
});
