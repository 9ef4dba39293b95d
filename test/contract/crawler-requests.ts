import { describe, expect, it } from 'vitest';
import { CrawlerRequestCounts } from '../../src/stores/crawler-requests.ts';
import type { SqlExecutor } from '../../src/stores/sql/sql-executor.ts';

const DAY = '2026-11-20';
const count = (agent: string, page: string, requests = 1, day = DAY) => ({
  day,
  agent,
  page,
  requests,
  verified: 0,
});

/** Asserts the contract of the store. `open` opens an empty database with the tables of events each time. */
export function describeCrawlerRequests(name: string, open: () => SqlExecutor): void {
  describe(`requests of crawlers: ${name}`, () => {
    const create = () => new CrawlerRequestCounts(open());

    it('adds counts up by agent and page, most first', async () => {
      const store = create();
      await store.add([count('GPTBot', '/a', 2), { ...count('ClaudeBot', '/a', 3), verified: 1 }]);
      await store.add([count('GPTBot', '/a', 4), count('GPTBot', '/b', 1, '2026-11-21')]);
      await store.add([]);
      expect(await store.readByPage({})).toEqual([
        count('GPTBot', '/a', 6),
        { ...count('ClaudeBot', '/a', 3), verified: 1 },
        count('GPTBot', '/b', 1, '2026-11-21'),
      ]);
      expect(await store.readByAgent({})).toEqual([
        count('GPTBot', '', 7, '2026-11-21'),
        { ...count('ClaudeBot', '', 3), verified: 1 },
      ]);
      expect(await store.readByAgent({ page: '/b' })).toEqual([count('GPTBot', '', 1, '2026-11-21')]);
    });

    it('reads days inclusively, and removes those before a day', async () => {
      const store = create();
      const days = ['2026-11-18', '2026-11-19', '2026-11-20'];
      await store.add(days.map((day) => count('GPTBot', `/${day}`, 1, day)));
      const readPages = async (filter = {}) => (await store.readByPage(filter)).map(({ page }) => page);
      expect(await readPages({ from: '2026-11-19', to: '2026-11-19' })).toEqual(['/2026-11-19']);
      await store.removeBefore('2026-11-20');
      expect(await readPages()).toEqual(['/2026-11-20']);
    });

    it('counts the pages of an agent beyond a thousand on a day together', async () => {
      const store = create();
      const pages = Array.from({ length: 1_000 }, (_, index) => count('GPTBot', `/${index}`));
      await store.add(pages);
      await store.add([count('GPTBot', '/0'), count('GPTBot', '/x'), count('GPTBot', '/y')]);
      await store.add([count('ClaudeBot', '/x'), count('GPTBot', '/x', 1, '2026-11-21')]);
      const rows = await store.readByPage({ to: DAY });
      expect(rows.filter(({ page, requests }) => requests > 1 || /[xy]/.test(page))).toEqual([
        count('GPTBot', '(other)', 2),
        count('GPTBot', '/0', 2),
        count('ClaudeBot', '/x'),
      ]);
    });
  });
}
