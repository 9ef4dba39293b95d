import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS } from '../../src/core/clock.ts';
import type { SiteEvent } from '../../src/core/events/site-event.ts';
import { ArchivedEventReader, type EventArchive, EventArchiver } from '../../src/stores/archive.ts';
import { SqlEventStore } from '../../src/stores/events.ts';
import { Rollups } from '../../src/stores/rollups.ts';
import type { SqlExecutor } from '../../src/stores/sql/sql-executor.ts';
import { createMemoryEventArchive } from '../support/memory-event-archive.ts';
import { buildSampleEvent, collect } from '../support/sample-events.ts';

const TIME = Date.UTC(2026, 4, 10, 12);
const at = (day: number, fields: Partial<SiteEvent> = {}) =>
  buildSampleEvent({ serverTime: TIME + day * DAY_MS, label: `"ü" ${day}`, value: day / 7, ...fields });

/** Asserts what archiving does over a database. `open` opens an empty one with the tables of events each time. */
export function describeEventArchiver(title: string, open: () => SqlExecutor): void {
  describe(`event archiver: ${title}`, () => {
    let executor: SqlExecutor;
    let store: SqlEventStore;
    let archive: EventArchive;
    let archiver: EventArchiver;
    beforeEach(() => {
      executor = open();
      store = new SqlEventStore(executor);
      archive = createMemoryEventArchive();
      archiver = new EventArchiver(executor, archive);
    });
    afterEach(() => store.close());

    const rollups = () => new Rollups(executor, 'UTC');
    const append = async (...events: readonly SiteEvent[]) => {
      await store.append(events);
      while ((await rollups().advance()) > 0);
    };
    const readHot = () => collect(store.read({}));
    const readArchived = () => collect(archiver.read({}));

    it('moves old events unchanged, and leaves clicks, messages and newer events', async () => {
      const old = [at(0), at(1, { session: 'other', flags: ['bot'], campaign: { utm_source: 'x' } })];
      const stays = [at(0, { name: 'affiliate_redirect' }), at(1, { name: 'contact_message' }), at(2)];
      await append(...old, ...stays);
      expect(await archiver.archiveBefore(TIME + 2 * DAY_MS)).toBe(2);
      expect(await readArchived()).toEqual(old);
      expect(await readHot()).toEqual(stays);
      expect(await archiver.archiveBefore(TIME + 2 * DAY_MS)).toBe(0);
    });

    it('reads archived events by time, name and session', async () => {
      await append(at(0), at(1, { session: 'b' }), at(2, { name: 'pricing_view' }));
      await archiver.archiveBefore(TIME + 9 * DAY_MS);
      const count = async (filter: Parameters<EventArchiver['read']>[0]) =>
        (await collect(archiver.read(filter))).length;
      expect(await count({ from: TIME + DAY_MS })).toBe(2);
      expect(await count({ to: TIME + DAY_MS })).toBe(1);
      expect(await count({ names: ['pricing_view'] })).toBe(1);
      expect([await count({ session: 'b' }), await count({ session: '' })]).toEqual([1, 0]);
    });

    it('keeps the counts when they are rebuilt', async () => {
      await append(at(0), at(1), at(1, { name: 'affiliate_redirect' }), at(2), at(3));
      const before = await rollups().readByDay({ dimension: 'page' });
      await archiver.archiveBefore(TIME + 2 * DAY_MS);
      expect(await rollups().readByDay({ dimension: 'page' })).toEqual(before);
      await rollups().rebuild();
      expect(await rollups().readByDay({ dimension: 'page' })).toEqual(before);
      while ((await rollups().advance()) > 0);
      expect(await rollups().readByDay({ dimension: 'page' })).toEqual(before);
    });

    it('leaves events that are not counted yet', async () => {
      await store.append([at(0)]);
      expect(await archiver.archiveBefore(TIME + DAY_MS)).toBe(0);
    });

    it.each([
      ['cannot be written', { write: () => Promise.reject(new Error('no room')) }],
      ['has lost the file', { read: async () => null }],
      ['returns other bytes', { read: async () => Uint8Array.of(1, 2, 3) }],
    ])('removes nothing while the archive %s, and archives once when it works again', async (_, broken) => {
      const events = [at(0), at(1)];
      await append(...events);
      const failing = new EventArchiver(executor, { ...archive, ...broken });
      await expect(failing.archiveBefore(TIME + 9 * DAY_MS)).rejects.toThrow();
      expect(await readHot()).toEqual(events);
      expect(await readArchived()).toEqual([]);
      // What the interrupted run has left does not count, also when other events are archived next.
      await append(at(0, { label: 'late' }));
      expect(await archiver.archiveBefore(TIME + 9 * DAY_MS)).toBe(3);
      expect(await readArchived()).toHaveLength(3);
      expect(await readHot()).toEqual([]);
    });

    it('has every event once when the process ends before the database has removed them', async () => {
      await append(at(0), at(1));
      const batch = vi.fn(executor.batch.bind(executor));
      const ending = new EventArchiver(
        { query: executor.query.bind(executor), batch, close: () => executor.close() },
        archive,
      );
      batch.mockImplementation((statements) =>
        statements.some(({ sql }) => sql.startsWith('DELETE'))
          ? Promise.reject(new Error('the process ended'))
          : executor.batch(statements),
      );
      await expect(ending.archiveBefore(TIME + 9 * DAY_MS)).rejects.toThrow('ended');
      expect([(await readHot()).length, (await readArchived()).length]).toEqual([2, 0]);
      await archiver.archiveBefore(TIME + 9 * DAY_MS);
      expect([(await readHot()).length, (await readArchived()).length]).toEqual([0, 2]);
    });

    /** An archiver that waits before it reads a file back. */
    const createWaiting = () => {
      const reading = Promise.withResolvers<void>();
      const goOn = Promise.withResolvers<void>();
      const waiting = new EventArchiver(executor, {
        ...archive,
        read: async (name) => {
          reading.resolve();
          await goOn.promise;
          return archive.read(name);
        },
      });
      return { waiting, reading: reading.promise, goOn: goOn.resolve };
    };

    it('refuses a second run while one changes the archive, which ends undisturbed', async () => {
      await append(at(0), at(1));
      const { waiting, reading, goOn } = createWaiting();
      const run = waiting.archiveBefore(TIME + 9 * DAY_MS);
      await reading;
      await expect(archiver.archiveBefore(TIME + 9 * DAY_MS)).rejects.toThrow('another process');
      await expect(archiver.removeSession('a')).rejects.toThrow('another process');
      await expect(waiting.archiveBefore(TIME + 9 * DAY_MS)).rejects.toThrow('another process');
      goOn();
      expect(await run).toBe(2);
      expect([(await readHot()).length, (await readArchived()).length]).toEqual([0, 2]);
    });

    it('has every event once when a run stalls until another one takes over', async () => {
      await append(at(0), at(1));
      const { waiting, reading, goOn } = createWaiting();
      const run = waiting.archiveBefore(TIME + 9 * DAY_MS);
      await reading;
      await executor.batch([{ sql: 'UPDATE archive_state SET held_until = unixepoch() - 1' }]);
      await append(at(0, { label: 'late' }));
      expect(await archiver.archiveBefore(TIME + 9 * DAY_MS)).toBe(3);
      await append(at(1, { label: 'later' }));
      goOn();
      await expect(run).rejects.toThrow();
      expect([(await readHot()).length, (await readArchived()).length]).toEqual([1, 3]);
    });

    it('keeps the events of a run that has lost its turn', async () => {
      await append(at(0), at(1));
      const { waiting, reading, goOn } = createWaiting();
      const run = waiting.archiveBefore(TIME + 9 * DAY_MS);
      await reading;
      await executor.batch([{ sql: "UPDATE archive_state SET holder = 'another run'" }]);
      goOn();
      await expect(run).rejects.toThrow('taken over');
      expect([(await readHot()).length, (await readArchived()).length]).toEqual([2, 0]);
    });

    it('refuses to read a damaged file', async () => {
      await append(at(0));
      await archiver.archiveBefore(TIME + DAY_MS);
      const [name = ''] = await archive.list();
      const content = (await archive.read(name)) ?? new Uint8Array();
      await archive.write(name, content.fill(9, content.length / 2));
      await expect(readArchived()).rejects.toThrow('damaged');
    });

    it('refuses to read and to count without a file that the database lists', async () => {
      await append(at(0), at(3));
      await archiver.archiveBefore(TIME + DAY_MS);
      const [name = ''] = await archive.list();
      await archive.remove(name);
      const reader = new ArchivedEventReader(archiver, store);
      await expect(collect(reader.read({}))).rejects.toThrow(`${name} is missing`);
      await expect(reader.count({ all: true })).rejects.toThrow(`${name} is missing`);
      expect(await collect(reader.read({ from: TIME + 2 * DAY_MS }))).toHaveLength(1);
    });

    it.each([['with a list', 1] as const, ['of an earlier version', 0] as const])(
      'has every event once in a database %s that is older than the archive',
      async (_, hasList) => {
        const events = [0, 1, 2].map((day) => at(day, { session: 'a' }));
        await append(...events);
        await archiver.archiveBefore(TIME + DAY_MS);
        const newer = open();
        await new SqlEventStore(newer).append(events);
        while ((await new Rollups(newer, 'UTC').advance()) > 0);
        await new EventArchiver(newer, archive).archiveBefore(TIME + DAY_MS);
        await new EventArchiver(newer, archive).archiveBefore(TIME + 2 * DAY_MS);
        await newer.close();
        expect(await archive.list()).toHaveLength(2);
        if (hasList === 0) {
          const statements = ['DELETE FROM archive_files', 'UPDATE archive_state SET has_list = 0'];
          await executor.batch(statements.map((sql) => ({ sql })));
        }
        const reader = new ArchivedEventReader(archiver, store);
        expect(await reader.count({ all: true })).toBe(3);
        expect(await collect(reader.read({}))).toEqual(events);
        await archiver.archiveBefore(TIME + 9 * DAY_MS);
        expect(await collect(reader.read({}))).toEqual(events);
        // A file that does not count is no copy of the visitor that stays.
        await archiver.removeSession('a');
        expect(await archive.list()).toEqual([]);
      },
    );

    it('removes a session from every file, and files past their retention', async () => {
      await append(at(0, { session: 'a' }), at(0, { session: 'b' }));
      await archiver.archiveBefore(TIME + DAY_MS);
      await append(at(5, { session: 'a' }));
      await archiver.archiveBefore(TIME + 6 * DAY_MS);
      expect(await archiver.removeSession('a')).toBe(2);
      expect((await readArchived()).map(({ session }) => session)).toEqual(['b']);
      expect(await archive.list()).toHaveLength(1);
      expect([await archiver.removeBefore(TIME), await archiver.removeBefore(TIME + DAY_MS)]).toEqual([0, 1]);
      expect(await readArchived()).toEqual([]);
    });
  });
}
