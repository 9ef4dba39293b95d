import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CostRow } from '../../src/core/commissions/cost/campaign-cost.ts';
import type { CostEntry, Costs } from '../../src/stores/costs.ts';
import type { SqlExecutor } from '../../src/stores/sql/sql-executor.ts';

const FILE: CostEntry = {
  id: 'file-1',
  platform: 'google',
  file: 'november.csv',
  timeZone: '',
  state: 'committed',
  changedAt: 1,
};
const buildCost = (change: Partial<CostRow> = {}): CostRow => ({
  platform: 'google',
  name: 'Brand',
  period: '2026-11-01',
  amount: 500,
  currency: 'USD',
  ...change,
});

/** What the store of costs guarantees, over any executor of the ledger's database. */
export function describeCosts(
  name: string,
  open: () => SqlExecutor,
  createCosts: (executor: SqlExecutor) => Costs,
): void {
  describe(`costs: ${name}`, () => {
    let executor: SqlExecutor;
    let store: Costs;
    beforeEach(() => {
      executor = open();
      store = createCosts(executor);
    });
    afterEach(() => executor.close());

    const amounts = async (from = '2026-11-01', to = '2026-11-30') =>
      (await store.read(from, to)).map(({ period, amount, entry }) => [period, amount, entry]);

    it('replaces a cost of the same platform, campaign and day, and returns to it when that is undone', async () => {
      await store.write(FILE, [buildCost(), buildCost({ period: '2026-11-02', amount: 7 })]);
      await store.write({ ...FILE, id: 'file-2' }, [buildCost({ amount: 650 })]);
      const replaced = [
        ['2026-11-01', 650, 'file-2'],
        ['2026-11-02', 7, 'file-1'],
      ];
      expect(await amounts()).toEqual(replaced);
      expect(await store.undo('file-2', 9)).toBe(true);
      expect(await amounts()).toEqual([
        ['2026-11-01', 500, 'file-1'],
        ['2026-11-02', 7, 'file-1'],
      ]);
      expect(await store.undo('file-2', 9)).toBe(false);
      expect(await store.undo('unknown', 9)).toBe(false);
      await store.write({ ...FILE, id: 'file-2' }, [buildCost({ amount: 650 })]);
      expect(await amounts()).toEqual(replaced);
      await store.write(FILE, [buildCost(), buildCost({ period: '2026-11-02', amount: 7 })]);
      expect((await amounts())[0]).toEqual(['2026-11-01', 500, 'file-1']);
    });

    it('reads days of a range, and months that have any of them', async () => {
      const periods = '2026-10 2026-10-31 2026-11 2026-11-01 2026-11-15 2026-12 2026-12-01'.split(' ');
      await store.write(
        FILE,
        periods.map((period) => buildCost({ period })),
      );
      expect((await amounts('2026-11-02', '2026-12-01')).map(([period]) => period)).toEqual(
        '2026-11 2026-11-15 2026-12 2026-12-01'.split(' '),
      );
    });

    it('reads the days of a range as one cost of each campaign and currency, and months as they are', async () => {
      const periods = ['2026-10', '2026-10-31', '2026-11', '2026-11-01', '2026-11-15'];
      const costs = periods.map((period) => buildCost({ period }));
      await store.write(FILE, [...costs, buildCost({ period: '2026-11-20', currency: 'EUR' })]);
      await store.write({ ...FILE, id: 'file-2' }, [buildCost({ period: '2026-11-15', amount: 1 })]);
      const summed = await store.readSummed('2026-10-31', '2026-11-30');
      expect(summed.map(({ period, amount, currency }) => [period, amount, currency]).sort()).toEqual([
        ['2026-10', 500, 'USD'],
        ['2026-11', 500, 'USD'],
        ['2026-11-15', 1_001, 'USD'],
        ['2026-11-20', 500, 'EUR'],
      ]);
      const [month] = await store.readSummed('2026-11-21', '2026-11-30');
      expect(month).toMatchObject({ period: '2026-11', amount: 500 });
    });

    it('lists entries with what they brought, the one that changed last at the end', async () => {
      await store.write(FILE, [buildCost(), buildCost({ period: '2026-11-03', currency: 'EUR', amount: 9 })]);
      await store.write({ ...FILE, id: 'typed-1', platform: 'typed', file: '' }, [
        buildCost({ platform: 'typed' }),
      ]);
      await store.undo('file-1', 5);
      const [typed, listed] = await store.readEntries();
      expect(typed).toMatchObject({ name: 'Brand', rows: 1, first: '2026-11-01' });
      expect(listed).toEqual({
        ...FILE,
        state: 'undone',
        changedAt: 5,
        name: '',
        rows: 2,
        first: '2026-11-01',
        last: '2026-11-03',
        sums: { EUR: 9, USD: 500 },
      });
    });

    it('counts under the campaign that was found or assigned; an assignment stays', async () => {
      const match = { platform: 'google', name: 'Brand', campaign: 'google / cpc / brand' } as const;
      await store.write(FILE, [buildCost(), buildCost({ name: 'Other' })], [match]);
      const campaigns = async () =>
        (await store.read('2026-11-01', '2026-11-30')).map(({ campaign }) => campaign);
      expect(await campaigns()).toEqual(['google / cpc / brand', 'google / cpc / Other']);
      await store.assign({ ...match, campaign: 'google / cpc / (gclid)' });
      await store.write({ ...FILE, id: 'file-2' }, [buildCost({ amount: 1 })], [match]);
      expect((await campaigns())[0]).toBe('google / cpc / (gclid)');
      expect(await store.readCampaigns()).toEqual([
        { platform: 'google', name: 'Brand', campaign: 'google / cpc / (gclid)', origin: 'operator' },
        { platform: 'google', name: 'Other', campaign: null, origin: null },
      ]);
    });

    it('stores thousands of costs at once', async () => {
      const costs = Array.from({ length: 3_000 }, (_, index) =>
        buildCost({ name: `Campaign ${index}`, amount: index }),
      );
      await store.write(FILE, costs);
      const [entry] = await store.readEntries();
      expect(entry).toMatchObject({ rows: 3_000, sums: { USD: (3_000 * 2_999) / 2 } });
    });
  });
}
