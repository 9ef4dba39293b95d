import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EventFeed, SqlEventStore } from '../../src/stores/events.ts';
import type { SqlExecutor } from '../../src/stores/sql/sql-executor.ts';
import { buildSampleEvent } from '../support/sample-events.ts';

const NOW = 1_763_600_000_000;
const SINCE = NOW - 30 * 60_000;

const at = (serverTime: number, page: string) => buildSampleEvent({ serverTime, page });

/** Asserts the contract of the port. `open` opens an empty database with the tables of events each time. */
export function describeEventFeed(name: string, open: () => SqlExecutor): void {
  describe(`event feed: ${name}`, () => {
    let store: SqlEventStore;
    let feed: EventFeed;
    beforeEach(() => {
      const executor = open();
      store = new SqlEventStore(executor);
      feed = new EventFeed(executor);
    });
    afterEach(() => store.close());

    it('has the newest events first, and none before the given time', async () => {
      await store.append([at(SINCE - 1, '/old'), at(SINCE, '/first'), at(NOW, '/last')]);
      const { events } = await feed.readRecent({ since: SINCE, limit: 10 });
      expect(events.map(({ page }) => page)).toEqual(['/last', '/first']);
    });

    it('continues after a position, and says the same position while nothing happens', async () => {
      await store.append([at(NOW, '/one')]);
      const { position } = await feed.readRecent({ since: SINCE, limit: 10 });
      expect(await feed.readRecent({ since: SINCE, after: position, limit: 10 })).toEqual({
        events: [],
        position,
      });
      await store.append([at(NOW, '/two')]);
      const next = await feed.readRecent({ since: SINCE, after: position, limit: 10 });
      expect(next.events.map(({ page }) => page)).toEqual(['/two']);
      expect(next.position).toBeGreaterThan(position);
    });

    it('leaves out what no visitor caused, and has no more events than the limit', async () => {
      const bots = Array.from({ length: 6 }, () => buildSampleEvent({ serverTime: NOW, flags: ['bot'] }));
      const views = Array.from({ length: 5 }, (_, index) => at(NOW, `/${index}`));
      await store.append([...views, ...bots]);
      const { events } = await feed.readRecent({ since: SINCE, limit: 3 });
      expect(events.map(({ page }) => page)).toEqual(['/4', '/3', '/2']);
    });

    it('has no event in an empty store', async () =>
      expect(await feed.readRecent({ since: SINCE, limit: 10 })).toEqual({ events: [], position: 0 }));
  });
}
