import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../test/support/for-all.ts';
import { readSamplePartners, readSampleProducts } from '../../../test/support/sample-content.ts';
import { type ContentUpdate, listLinkUpdates, rankUpdates } from './content-updates.ts';
import type { LinkRecord } from './link-state.ts';
import { listWatchedLinks } from './watched-links.ts';

const PAGES = ['/', '/pricing', '/blog/a', '/blog/b'];
const PARTNERS = ['highlevel', 'kit'];

const buildUpdate = (key: string, place: Partial<ContentUpdate>): ContentUpdate => ({
  key,
  kind: 'link',
  text: key,
  file: '',
  url: '',
  partner: null,
  pages: [],
  ...place,
});

it('orders what to update by the money of the clicks that depend on it, whatever the ledger has', async () => {
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
  await forAll(1, [fc.array(sale, { maxLength: 30 }), fc.array(place), clicks], (sales, places, counts) => {
    const money = sales
      .filter(({ isMatched, currency }) => isMatched && currency === 'USD')
      .map(({ page, amount, status, ...sale }) => ({
        ...sale,
        status,
        path: { page },
        amount: status === 'reversed' ? 0 : amount,
        reversedAmount: 0,
      }));
    const pages = new Map(PAGES.map((page, index) => [page, counts[index] ?? 0]));
    const partners = new Map(PARTNERS.map((partner, index) => [partner, counts[4 + index] ?? 0]));
    const updates = places.map((one, index) => buildUpdate(String(index).padStart(3, '0'), one));
    const ranked = rankUpdates(updates, money, { pages, partners });
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
  });
});

const DAY = 86_400_000;
const PARTNERS_OF_SAMPLE = readSamplePartners();
const CONTENT = { partners: PARTNERS_OF_SAMPLE, products: readSampleProducts(), claims: new Map() };

/** What is listed of the links of HighLevel after two checks a day apart have found a price, or none. */
function listAfter(amount: number | null, state: LinkRecord['state'], reason: string) {
  const [partner] = [...PARTNERS_OF_SAMPLE.values()].filter(({ key }) => key === 'highlevel');
  if (partner === undefined) throw new Error('the sample has no partner HighLevel');
  const regions = new Map([['DE', new Map([['sign-up', 'https://www.gohighlevel.com/de']])]]);
  const watched = listWatchedLinks(new Map([['highlevel', { ...partner, regions }]]), [], []);
  const price = { equals: 'product:highlevel.starter', currency: 'USD', amount, source: 'text' } as const;
  const offer = { excerpt: '', hash: '', prices: [price] };
  const found = { finalHost: 'www.gohighlevel.com', finalPath: '/', parameterKept: true };
  return listLinkUpdates(
    watched.map((link) => ({
      link,
      record: {
        url: link.url,
        state,
        reason,
        since: 0,
        checkedAt: DAY,
        dueAt: 2 * DAY,
        misses: 2,
        missedSince: 0,
        baseline: null,
        result: { ...found, reason, hops: [], offer: null, outcome: 'different' },
        evidence: link.destinations.includes('pricing')
          ? { id: 'lc-20261103-9f2c61aa', checkedAt: DAY, address: link.url, offer }
          : null,
      },
    })),
    CONTENT,
  );
}

it('names a link by its partner and destinations, and the field that has its address', () => {
  const updates = listAfter(9_700, 'broken', 'responds with status 404');
  expect(updates.map(({ kind, text, at }) => [kind, text, at])).toEqual(
    expect.arrayContaining([
      ['link', 'Link to GoHighLevel (pricing, trial): responds with status 404', 'destinations.pricing'],
      ['link', 'Link to GoHighLevel (sign up in DE): responds with status 404', 'regions.DE.sign-up'],
    ]),
  );
  expect(updates.filter(({ kind }) => kind !== 'link')).toEqual([]);
});

it.each([
  ['healthy', 9_900, 'its page says $99, this site $97'],
  ['changed', null, 'its page shows no price, this site says $97'],
] as const)('lists a price of a %s page that is %s there as stale, in its field', (state, amount, text) => {
  const prices = listAfter(amount, state, 'a reason').filter(({ kind }) => kind === 'price');
  expect(prices.map((update) => [update.file, update.at, update.text])).toEqual([
    ['products/highlevel.yaml', 'offers.starter', expect.stringContaining(text)],
  ]);
});

it('lists no price that only one check has missed', () =>
  expect(listAfter(null, 'healthy', 'in order')).toEqual([]));
