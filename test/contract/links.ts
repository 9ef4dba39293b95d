import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LinkRecord } from '../../src/core/outbound/link-state.ts';
import { Links } from '../../src/stores/links.ts';
import type { SqlExecutor } from '../../src/stores/sql/sql-executor.ts';

const URL_A = 'https://a.example/pricing';

const buildRecord = (change: Partial<LinkRecord> = {}): LinkRecord => ({
  url: URL_A,
  state: 'healthy',
  reason: 'in order',
  since: 1,
  checkedAt: 1,
  dueAt: 2,
  misses: 0,
  missedSince: null,
  evidence: null,
  baseline: { finalHost: 'a.example', finalPath: '/pricing', parameterKept: true },
  result: {
    outcome: 'ok',
    reason: 'in order',
    hops: [{ url: URL_A, status: 200 }],
    offer: null,
    finalHost: 'a.example',
    finalPath: '/pricing',
    parameterKept: true,
  },
  ...change,
});

/** What the store of links guarantees, over any executor of the ledger's database. */
export function describeLinks(name: string, open: () => SqlExecutor): void {
  describe(`links: ${name}`, () => {
    let executor: SqlExecutor;
    let links: Links;
    beforeEach(() => {
      executor = open();
      links = new Links(executor);
    });
    afterEach(() => executor.close());

    it('reads what was written last of each link, and counts states', async () => {
      const record = buildRecord();
      await links.write(record, { id: 'lc-1', isChange: true });
      await links.write(buildRecord({ url: 'https://b.example/', state: 'broken' }));
      await links.write({ ...record, dueAt: 9 });
      expect((await links.readAll()).get(URL_A)).toEqual({ ...record, dueAt: 9 });
      expect([...(await links.countStates())].sort()).toEqual([
        ['broken', 1],
        ['healthy', 1],
      ]);
    });

    it('stores 90 checks of a link besides changes and evidence that is named', async () => {
      const offer = { excerpt: '$97', hash: 'h', prices: [] };
      for (let time = 1; time <= 96; time++) {
        const id = `lc-${time}`;
        const evidence = time === 2 || time === 3 ? { id, checkedAt: time, address: URL_A, offer } : null;
        await links.write(buildRecord({ checkedAt: time, evidence }), { id, isChange: time === 1 }, ['lc-2']);
      }
      const all = Array.from({ length: 96 }, (_, index) => `lc-${index + 1}`);
      const ids = (await links.findChecks(all)).map(({ id }) => id);
      expect(ids).toHaveLength(92);
      expect(ids.slice(-3)).toEqual(['lc-7', 'lc-2', 'lc-1']);
      expect(await links.findChecks(['lc-2', 'lc-3'])).toMatchObject([{ id: 'lc-2', evidence: { offer } }]);
    });

    it('removes what is known of links that are not watched any more, and leaves evidence', async () => {
      const offer = { excerpt: '$97', hash: 'h', prices: [] };
      const evidence = { id: 'lc-1', checkedAt: 1, address: URL_A, offer };
      await links.write(buildRecord({ evidence }), { id: 'lc-1', isChange: true });
      await links.write(buildRecord(), { id: 'lc-2', isChange: true });
      await links.removeOthers(['https://b.example/']);
      expect((await links.readAll()).size).toBe(0);
      expect((await links.findChecks(['lc-1', 'lc-2'])).map(({ id }) => id)).toEqual(['lc-1']);
    });

    it('lets one request to a host pass in its pause, also after one on the way of another link', async () => {
      expect(await links.claimHost('a.example', 1_000, 10)).toBe(true);
      expect(await links.claimHost('a.example', 1_009, 10)).toBe(false);
      expect(await links.claimHost('a.example', 1_010, 10)).toBe(true);
      await links.noteHosts(['a.example', 'b.example'], 1_015);
      expect(await links.claimHost('b.example', 1_020, 10)).toBe(false);
    });

    it('stores robots.txt of a host, and that it could not be read', async () => {
      expect(await links.readRobots('a.example')).toBe(null);
      await links.writeRobots('a.example', 'User-agent: *', 5);
      expect(await links.readRobots('a.example')).toEqual({ at: 5, text: 'User-agent: *' });
      await links.writeRobots('a.example', null, 6);
      expect(await links.readRobots('a.example')).toEqual({ at: 6, text: null });
    });

    it('replaces the links of articles', async () => {
      await links.writeArticleLinks([
        { page: '/blog/a', url: URL_A },
        { page: '/blog/a', url: URL_A },
        { page: '/blog/b', url: URL_A },
      ]);
      expect(await links.readArticleLinks()).toHaveLength(2);
      await links.writeArticleLinks([]);
      expect(await links.readArticleLinks()).toEqual([]);
    });
  });
}
