import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildLedger } from '../../../test/support/build-ledger.ts';
import { CASES } from '../../../test/support/cases.ts';
import { buildSampleFact, buildSampleJourney } from '../../../test/support/sample-commissions.ts';
import { type ContentUpdate, rankUpdates } from './content-updates.ts';

const PAGES = ['/', '/pricing', '/blog/a', '/blog/b'];
const PARTNERS = ['highlevel', 'kit'];

const buildUpdate = (key: string, place: Partial<ContentUpdate>): ContentUpdate => ({
  ...{ key, kind: 'link', text: key, file: '', url: '', partner: null, pages: [], ...place },
});

it('orders what to update by the money of the clicks that depend on it, whatever the ledger has', () => {
  const sale = fc.record({
    page: fc.constantFrom(...PAGES),
    partner: fc.constantFrom(...PARTNERS),
    amount: fc.integer({ min: 0, max: 100_000 }),
    currency: fc.constantFrom('USD', 'EUR'),
    status: fc.constantFrom('pending', 'approved', 'paid', 'reversed'),
    isMatched: fc.boolean(),
  });
  const place = fc.oneof(
    fc.record({ pages: fc.array(fc.constantFrom(...PAGES)) }),
    fc.record({ partner: fc.constantFrom(...PARTNERS) }),
  );
  const clicks = fc.array(fc.nat(50), { minLength: 6, maxLength: 6 });
  fc.assert(
    fc.property(fc.array(sale, { maxLength: 30 }), fc.array(place), clicks, (sales, places, counts) => {
      const id = (index: number) => `${String(index).padStart(8, '0')}-8d1a-4c2b-9e7f-2a6d4b8c0e12`;
      const ledger = buildLedger({
        facts: sales.map(({ partner, amount, currency, status, isMatched }, index) => ({
          ...buildSampleFact(
            { nativeId: String(index), amount, currency, status },
            { partner, clickId: isMatched ? id(index) : null },
          ),
          sequence: index + 1,
        })),
        journeys: sales.map(({ page, partner }, index) =>
          buildSampleJourney({ clickId: id(index), page, partner }),
        ),
        ...{ decisions: [], terms: new Map(), firstEventTime: null },
      });
      const pages = new Map(PAGES.map((page, index) => [page, counts[index] ?? 0]));
      const partners = new Map(PARTNERS.map((partner, index) => [partner, counts[4 + index] ?? 0]));
      const updates = places.map((one, index) => buildUpdate(String(index).padStart(3, '0'), one));
      const ranked = rankUpdates(updates, ledger, { pages, partners }, 'USD');
      expect(ranked.map(({ key }) => key).sort()).toEqual(updates.map(({ key }) => key));
      for (const [index, one] of ranked.entries()) {
        const before = ranked[index - 1];
        if (before !== undefined) expect(before.amount).toBeGreaterThanOrEqual(one.amount);
        const own = sales.filter(
          ({ page, partner, currency, status, isMatched }) =>
            isMatched &&
            currency === 'USD' &&
            status !== 'reversed' &&
            (one.partner === null ? one.pages.includes(page) : partner === one.partner),
        );
        expect(one.amount).toBe(own.reduce((sum, { amount }) => sum + amount, 0));
      }
    }),
    { numRuns: CASES },
  );
});
