import { expect, it } from 'vitest';
import { DAY_MS } from '../../src/core/clock.ts';
import { CommissionFold } from '../../src/server/commissions/commission-fold.ts';
import { Ledger } from '../../src/stores/ledger.ts';
import type { SqlExecutor } from '../../src/stores/sql/sql-executor.ts';
import { buildSampleFact, buildSampleJourney, SAMPLE_CLICK } from '../support/sample-commissions.ts';

/** Asserts that rows of commissions are kept on a database as they are on every other one. */
export function describeFoldedCommissions(name: string, open: () => SqlExecutor): void {
  it(`folded commissions: ${name}: what arrives, a click, an import and other terms change the rows`, async () => {
    const store = new Ledger(open());
    const fold = (source: 'csv' | null) =>
      new CommissionFold({ store, readTerms: () => new Map([['highlevel', { source }]]) });
    const list = async (source: 'csv' | null = null) => {
      await fold(source).refold();
      const rows = [];
      for await (const page of store.folded.readRows()) rows.push(...page);
      const differences = [];
      for await (const line of fold(source).compare()) differences.push(line);
      expect(differences).toEqual([]);
      return rows.map(([, , id, , , , , , amount, , , , , , , , , , page]) => [id, amount, page]);
    };
    const label = { id: 'tag', item: '', name: '', items: 2 };
    const facts = [
      buildSampleFact({ nativeId: '1', amount: 100 }, { clickId: SAMPLE_CLICK }),
      buildSampleFact({ nativeId: '1', amount: 300 }, { clickId: SAMPLE_CLICK }),
      buildSampleFact({ nativeId: '2', amount: 200, label }, { importId: 'a', source: 'csv' }),
    ];
    expect(await store.append({ facts })).toEqual({ stored: 3, duplicates: 0 });
    expect(await list()).toEqual([['1', 300, null]]);
    await store.writeImport({
      id: 'a',
      partner: 'kit',
      file: 'a.csv',
      state: 'committed',
      rows: 1,
      changedAt: 1,
    });
    await store.append({ facts: [], journeys: [buildSampleJourney()] });
    expect(await list()).toEqual([
      ['1', 300, '/pricing'],
      ['2', 200, null],
    ]);
    expect(await list('csv')).toHaveLength(2);
    await store.close();
  });

  it(`folded commissions: ${name}: how long the first commission of a click took is the same in every range`, async () => {
    const store = new Ledger(open());
    const CLICKED = 1_760_000_000_000;
    const clicks = Array.from(
      { length: 10 },
      (_, index) => `0a1b2c3d-4e5f-4a6b-8c7d-0000000000${10 + index}`,
    );
    // Customers come after 1 to 10 days and pay monthly; one of them begins with a lead, one with a reversed sale.
    const facts = clicks.flatMap((clickId, index) =>
      [0, 30, 60, 90].map((later, payment) =>
        buildSampleFact(
          {
            nativeId: `${index}-${payment}`,
            ...(payment === 0 && index === 3 && { kind: 'lead', amount: 0 }),
            ...(payment === 0 && index === 4 && { status: 'reversed' }),
            ...(payment === 1 && index % 2 === 0 && { currency: 'EUR' }),
            eventTime: CLICKED + (index + 1 + later) * DAY_MS,
            changeTime: CLICKED + (index + 1 + later) * DAY_MS,
          },
          { clickId },
        ),
      ),
    );
    const journeys = clicks.map((clickId) => buildSampleJourney({ clickId, clickTime: CLICKED }));
    await store.append({ facts, journeys });
    await new CommissionFold({ store, readTerms: () => new Map() }).refold();
    const read = (days: readonly [number, number], every?: number) => {
      const booked = {
        of: 'booking' as const,
        from: CLICKED / DAY_MS + days[0],
        to: CLICKED / DAY_MS + days[1],
      };
      return store.entries.readDurations({ isCounted: true, days: booked }, every);
    };
    const own = { is: 'convert', partner: facts[0]?.partner };
    const build = (median: number, count: number) => [
      { ...own, durations: { median: median * DAY_MS, count } },
    ];
    expect(await read([-1, 200])).toEqual(build(5, 10));
    expect(await read([5.5, 70])).toEqual(build(8, 5));
    expect(await read([20, 200])).toEqual([]);
    // One of three is read.
    const [some] = await read([-1, 200], 3);
    expect([1, 2, 3, 4, 5]).toContain(some?.durations.count);
    await store.close();
  });
}
