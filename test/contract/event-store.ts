import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventStore } from '../../src/stores/events.ts';
import { forAll } from '../support/for-all.ts';
import { buildSampleEvent, collect } from '../support/sample-events.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replaceAll('\0', ''));
/** The collector refuses `__proto__` as a key. */
const anyKey = anyText.filter((key) => key !== '__proto__');
const anyEvent = fc
  .record({
    // Small values, or the smallest while a counterexample is sought, would be no ids of their own.
    id: fc.noBias(fc.noShrink(fc.uuid())),
    label: anyText,
    page: anyText,
    value: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
    data: fc.dictionary(anyKey, fc.oneof(anyText, fc.integer(), fc.boolean(), fc.array(anyText)), {
      noNullPrototype: true,
    }),
    clientTime: fc.option(fc.integer({ min: 0, max: 4e12 })),
    session: fc.uuid(),
  })
  .map(buildSampleEvent);

/** Holds an adapter to the port's contract. `create` gives an empty store each time. */
export function describeEventStore(name: string, create: () => EventStore): void {
  describe(`event store: ${name}`, () => {
    let store: EventStore;
    beforeEach(() => {
      store = create();
    });
    afterEach(() => store.close());

    it('is empty at first', async () => {
      expect(await collect(store.read({}))).toEqual([]);
      expect(await store.count({})).toBe(0);
      expect(await store.probe()).toBeNull();
    });

    it('gives back every field as it was stored', async () => {
      const event = buildSampleEvent({
        name: 'call_to_action',
        label: `"quoted", 'single'; DROP TABLE events; -- \n日本 😀`,
        value: -1.25,
        data: { source: 'hero', count: 3, shown: true, list: ['a', 'b'], empty: '' },
        campaign: { utm_source: 'newsletter', gclid: 'a=b&c' },
        clientTime: null,
        flags: ['bot', 'clock'],
      });
      await store.append([event]);
      expect(await collect(store.read({}))).toEqual([event]);
    });

    it('returns any text, key and number unchanged', async () =>
      forAll(1, [fc.array(anyEvent, { maxLength: 5 })], async (events) => {
        await store.append(events);
        for (const event of events) {
          const read = await collect(store.read({ session: event.session }));
          expect(read.find(({ id }) => id === event.id)).toEqual(event);
        }
        // Every event again is a duplicate.
        expect(await store.append(events)).toEqual({ stored: 0, duplicates: events.length });
      }));

    it('recognizes a number beyond the exact integers as a duplicate', async () => {
      const event = buildSampleEvent({ value: -25668492737575950 });
      await store.append([event]);
      expect(await store.append([event])).toEqual({ stored: 0, duplicates: 1 });
      expect(await collect(store.read({}))).toEqual([event]);
    });

    it('stores nothing for an empty batch', async () =>
      expect(await store.append([])).toEqual({ stored: 0, duplicates: 0 }));

    it('keeps the order of arrival over many batches and pages', async () => {
      const events = Array.from({ length: 1_203 }, (_, i) => buildSampleEvent({ serverTime: 5_000 - i }));
      for (let i = 0; i < events.length; i += 100) await store.append(events.slice(i, i + 100));
      expect(await collect(store.read({}))).toEqual(events);
      expect(await store.count({})).toBe(1_203);
    });

    it('keeps the order within appends that arrive together', async () => {
      const events = Array.from({ length: 50 }, (_, i) => buildSampleEvent({ value: i }));
      const results = await Promise.all(events.map((event) => store.append([event])));
      expect(results).toEqual(events.map(() => ({ stored: 1, duplicates: 0 })));
      expect(await collect(store.read({}))).toEqual(events);
    });

    it('stores an id once, whether it comes again alone, twice in one batch or at the same time', async () => {
      const event = buildSampleEvent();
      expect(await store.append([event, event])).toEqual({ stored: 1, duplicates: 1 });
      const again = await Promise.all([store.append([event]), store.append([event]), store.append([event])]);
      expect(again.map((result) => result.duplicates)).toEqual([1, 1, 1]);
      expect(await store.count({})).toBe(1);
    });

    it('takes a retry for the same fact, though it arrives later', async () => {
      const event = buildSampleEvent();
      await store.append([event]);
      const retry = {
        ...event,
        serverTime: event.serverTime + 60_000,
        clientTime: 7,
        flags: ['clock' as const],
      };
      expect(await store.append([retry])).toEqual({ stored: 0, duplicates: 1 });
      expect(await collect(store.read({}))).toEqual([event]);
    });

    it.each([
      ['label', { label: 'other' }],
      ['session', { session: 'other' }],
      ['value', { value: 2 }],
      ['data', { data: { source: 'other' } }],
      ['campaign', { campaign: { utm_source: 'other' } }],
    ])('keeps the first of two events with one id and another %s', async (_, change) => {
      const event = buildSampleEvent();
      await store.append([event]);
      const result = await store.append([{ ...event, ...change }, buildSampleEvent()]);
      expect(result).toEqual({ stored: 1, duplicates: 1 });
      expect((await collect(store.read({})))[0]).toEqual(event);
    });

    it('does not change what it stored when the caller changes the event', async () => {
      const data = { source: 'hero' };
      const event = buildSampleEvent({ data });
      await store.append([event]);
      data.source = 'changed';
      expect((await collect(store.read({})))[0]?.data).toEqual({ source: 'hero' });
    });

    it.each([
      ['from (inclusive)', { from: 200 }, [200, 300, 400]],
      ['to (exclusive)', { to: 300 }, [100, 200]],
      ['a range', { from: 200, to: 400 }, [200, 300]],
      ['an empty range', { from: 400, to: 200 }, []],
      ['a name', { names: ['pricing_view' as const] }, [200, 400]],
      ['several names', { names: ['pricing_view' as const, 'page_view' as const] }, [100, 200, 300, 400]],
      ['no name at all', { names: [] }, []],
      ['a session', { session: 'b' }, [300, 400]],
      ['a session that is not there', { session: "' OR 1=1 --" }, []],
      ['all of them', { session: 'b', names: ['pricing_view' as const], from: 100, to: 401 }, [400]],
    ])('reads and counts by %s', async (_, filter, expected) => {
      await store.append([
        buildSampleEvent({ serverTime: 100, session: 'a' }),
        buildSampleEvent({ serverTime: 200, session: 'a', name: 'pricing_view' }),
        buildSampleEvent({ serverTime: 300, session: 'b' }),
        buildSampleEvent({ serverTime: 400, session: 'b', name: 'pricing_view' }),
      ]);
      expect((await collect(store.read(filter))).map((event) => event.serverTime)).toEqual(expected);
      expect(await store.count(filter)).toBe(expected.length);
    });

    it.each([
      ['bot', [1, 2]],
      ['prefetch', [1, 2]],
      ['embedded', [1, 2]],
      ['flood', [1, 2]],
      ['duplicate', [1, 2]],
      ['clock', [2, 2]],
      ['gpc', [2, 2]],
    ] as const)('counts an event with the flag %s as counted and all: %j', async (flag, counts) => {
      await store.append([buildSampleEvent(), buildSampleEvent({ flags: [flag] })]);
      expect([await store.count({}), await store.count({ all: true })]).toEqual(counts);
      expect(await collect(store.read({}))).toHaveLength(2);
    });

    it('counts no event that has a counted flag beside one that is not', async () => {
      await store.append([buildSampleEvent({ flags: ['bot', 'clock', 'gpc'] }), buildSampleEvent()]);
      expect(await store.count({})).toBe(1);
      expect(await store.count({ session: 'session-1', all: true })).toBe(2);
    });

    it('ends a reading with the events that were there when it began', async () => {
      await store.append(Array.from({ length: 600 }, () => buildSampleEvent()));
      let read = 0;
      for await (const _ of store.read({})) if (++read === 1) await store.append([buildSampleEvent()]);
      expect(read).toBe(600);
    });

    it('removes the events of one session and no other', async () => {
      await store.append([
        ...Array.from({ length: 700 }, () => buildSampleEvent({ session: 'a' })),
        buildSampleEvent({ session: 'b' }),
        buildSampleEvent({ session: '' }),
      ]);
      expect(await store.remove({ session: 'a' })).toBe(700);
      expect(await store.remove({ session: 'a' })).toBe(0);
      expect(await store.remove({ session: '' })).toBe(0);
      expect(await store.count({})).toBe(2);
    });

    it('reads the oldest and the newest server time, whatever the order of arrival', async () => {
      expect(await store.readTimeRange()).toBeNull();
      await store.append([300, 100, 200].map((serverTime) => buildSampleEvent({ serverTime })));
      expect(await store.readTimeRange()).toEqual({ oldest: 100, newest: 300 });
    });

    it('removes what is older than a time', async () => {
      await store.append([99, 100, 101].map((serverTime) => buildSampleEvent({ serverTime })));
      expect(await store.remove({ before: 100 })).toBe(1);
      expect((await collect(store.read({}))).map((event) => event.serverTime)).toEqual([100, 101]);
    });

    it('finishes what was begun when it is closed, and refuses what comes after', async () => {
      const begun = store.append([buildSampleEvent()]);
      await Promise.all([store.close(), store.close()]);
      expect((await begun).stored).toBe(1);
      await expect(store.append([buildSampleEvent()])).rejects.toMatchObject({ code: 'closed' });
      await expect(store.count({})).rejects.toMatchObject({ code: 'closed' });
      await expect(collect(store.read({}))).rejects.toMatchObject({ code: 'closed' });
      expect(await store.probe()).toBe('The store is closed.');
    });
  });
}
