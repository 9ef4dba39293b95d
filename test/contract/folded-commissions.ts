import { expect, it } from 'vitest';
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
}
