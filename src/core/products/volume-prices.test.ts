import { expect, it } from 'vitest';
import { readSampleProducts, SHIPPED_CONTENT } from '../../../test/support/sample-content.ts';
import { type Product, QUANTITIES } from './product.ts';
import {
  describeCheapest,
  findVolumePrice,
  parseVolume,
  sortVolumePrices,
  VOLUME_ORDERS,
  type Volume,
} from './volume-prices.ts';

// The plans that ship, with the limits and amounts of platform-facts.md.
const products = readSampleProducts(SHIPPED_CONTENT);
const NOV_2026 = Date.parse('2026-11-25');
const AUG_2027 = Date.parse('2027-08-14');
const volumeOf = (people: number, contacts: number, texts: number, emails: number): Volume => ({
  people,
  contacts,
  texts,
  emails,
});
const findAll = (volume: Volume, now = NOV_2026) =>
  [...products.values()].map((product) => findVolumePrice(product, volume, now));

/** Plan and first year in dollars; without a price for the numbers, the nearest one in brackets. */
const show = (product: string, volume: Volume, now = NOV_2026): string => {
  const row = findAll(volume, now).find((one) => one.product.key === product);
  const text = row?.price ? `${row.price.offer.name} ${row.price.firstYear / 100}` : 'nothing';
  return row?.isCovered ? text : `(${text})`;
};

it.each([
  ['hubspot', volumeOf(3, 1000, 500, 10_000), 'Starter 720'],
  ['kit', volumeOf(3, 1000, 500, 10_000), 'Pro 948'],
  ['highlevel', volumeOf(3, 1000, 500, 10_000), 'Starter 1380.55'],
  ['activecampaign', volumeOf(3, 1000, 500, 10_000), '(Starter 180)'],
  ['hubspot', volumeOf(9, 1000, 0, 10_000), 'Starter 2160'],
  ['hubspot', volumeOf(9, 2000, 0, 20_000), 'Marketing Hub Professional 16920'],
  // Each limit, and one above it.
  ['hubspot', volumeOf(2, 1000, 0, 2000), 'Free tools 0'],
  ['hubspot', volumeOf(3, 1000, 0, 2000), 'Starter 720'],
  ['hubspot', volumeOf(2, 1000, 0, 2001), 'Starter 480'],
  ['hubspot', volumeOf(1, 1001, 0, 0), 'Marketing Hub Professional 13680'],
  ['hubspot', volumeOf(1, 1000, 0, 10_001), 'Marketing Hub Professional 13680'],
  ['hubspot', volumeOf(3, 2000, 0, 20_000), 'Marketing Hub Professional 13680'],
  ['hubspot', volumeOf(4, 2000, 0, 20_000), 'Marketing Hub Professional 14220'],
  ['hubspot', volumeOf(1, 2001, 0, 0), 'Marketing Hub Enterprise 50200'],
  ['hubspot', volumeOf(1, 1000, 0, 20_001), 'Marketing Hub Enterprise 50200'],
  ['hubspot', volumeOf(5, 10_000, 0, 100_000), 'Marketing Hub Enterprise 50200'],
  ['hubspot', volumeOf(6, 10_000, 0, 100_000), 'Marketing Hub Enterprise 51100'],
  ['hubspot', volumeOf(5, 10_001, 0, 0), '(Marketing Hub Enterprise 50200)'],
  ['kit', volumeOf(1, 10_000, 0, 1_000_000), 'Newsletter 0'],
  ['kit', volumeOf(1, 10_001, 0, 0), '(Newsletter 0)'],
  ['kit', volumeOf(2, 1000, 0, 0), 'Pro 948'],
  ['kit', volumeOf(2, 1001, 0, 0), '(Pro 948)'],
  ['activecampaign', volumeOf(1, 1000, 0, 10_000), 'Starter 180'],
  ['activecampaign', volumeOf(2, 1000, 0, 10_000), '(Starter 180)'],
  ['activecampaign', volumeOf(1, 1001, 0, 10_000), '(Starter 180)'],
  ['activecampaign', volumeOf(1, 1000, 0, 10_001), '(Starter 180)'],
  ['highlevel', volumeOf(25, 1_000_000, 0, 0), 'Starter 1164'],
  ['highlevel', volumeOf(1, 0, 1, 0), 'Starter 1219.91'],
  ['highlevel', volumeOf(1, 0, 180_000, 450_000), 'Starter 33592.75'],
  ['highlevel', volumeOf(1, 0, 180_001, 0), '(Starter 29947.75)'],
  ['highlevel', volumeOf(1, 0, 0, 450_001), '(Starter 4809)'],
])('prices %s for %o with %s', (product, volume, expected) => {
  expect(show(product, volume)).toBe(expected);
});

it('adds up line by line, with the second year without what is paid once', () => {
  const [hubspot] = findAll(volumeOf(9, 2000, 0, 20_000)).filter(({ product }) => product.key === 'hubspot');
  expect(hubspot?.price?.lines.map(({ label, amount }) => [label, amount])).toEqual([
    ['Marketing Hub Professional: $890 × 12 months', 1_068_000],
    ['Extra seats: 6 × $45 × 12 months', 324_000],
    ['Onboarding, once: $3,000', 300_000],
  ]);
  expect(hubspot?.price?.secondYear).toBe(1_392_000);
  expect(hubspot?.reasons.slice(0, 2)).toEqual([
    'The Free tools plan covers 2 people.',
    'The Starter plan covers 1,000 contacts.',
  ]);
});

it('uses no plan price past its age, and keeps a usage rate of that age with its day', () => {
  // Marketing Hub Professional was read on August 13, 2026: 365 days are its age, 366 are too many.
  expect(show('hubspot', volumeOf(9, 2000, 0, 0), AUG_2027 - 86_400_000)).toBe(
    'Marketing Hub Professional 16920',
  );
  expect(show('hubspot', volumeOf(9, 2000, 0, 0), AUG_2027)).toBe('(Starter 2160)');
  // Only the free plan was read later.
  expect(show('kit', volumeOf(1, 10, 0, 0), AUG_2027)).toBe('Newsletter 0');
  expect(show('kit', volumeOf(1, 20_000, 0, 0), AUG_2027)).toBe('(Newsletter 0)');
  const row = findAll(volumeOf(1, 10, 10, 0)).find(({ product }) => product.key === 'highlevel');
  expect(row?.price?.lines.map(({ agedDay }) => agedDay)).toEqual([
    '',
    'July 30, 2025',
    'July 30, 2025',
    'May 7, 2025',
    'May 7, 2025',
  ]);
  expect(row?.price?.firstYear).toBe(121_991 + Math.round(9 * 12 * 1.33));
});

it.each(VOLUME_ORDERS)('sorts rows without a price last by %s', (order) => {
  const rows = sortVolumePrices(findAll(volumeOf(9, 2000, 100, 20_000)), order);
  expect(rows.map(({ isCovered }) => isCovered)).toEqual([true, true, false, false]);
  const names = rows.map(({ product }) => product.name);
  // GoHighLevel is first by price and by name.
  expect(names.slice(0, 2)).toEqual(
    order.startsWith('-') ? ['HubSpot', 'GoHighLevel'] : ['GoHighLevel', 'HubSpot'],
  );
});

it.each([
  [
    volumeOf(3, 1000, 500, 10_000),
    'For these numbers HubSpot costs the least: $720 in the first year, without the 500 texts or workflows. GoHighLevel’s price is ==the only one that includes the 500 texts==.',
  ],
  [
    volumeOf(9, 2000, 0, 20_000),
    'For these numbers GoHighLevel costs the least: $1,326 in the first year. HubSpot costs $16,920.',
  ],
  [volumeOf(1, 500, 0, 0), 'For these numbers HubSpot and Kit cost the least: $0 in the first year.'],
  [
    volumeOf(1, 20_000, 5, 0),
    'Only GoHighLevel has a dated price for these numbers: $1,220.55 in the first year.',
  ],
  [volumeOf(1, 20_000, 180_001, 0), 'None of these platforms has a dated price for these numbers.'],
])('says which costs the least for %o', (volume, sentence) => {
  expect(describeCheapest(sortVolumePrices(findAll(volume), 'name'), volume)).toBe(sentence);
});

it.each([
  ['', [3, 4, 5, 6], [], true],
  ['people=9&budget=300', [9, 4, 5, 6], [], true, 30_000],
  ['people=0&contacts=1,000&texts=1e9&emails=', [1, 1000, 1_000_000, 0], ['people', 'emails'], false],
  ['people=-3&contacts=two&texts=2.6&budget=-9', [1, 0, 3, 6], ['people', 'contacts', 'texts'], true],
])('reads ?%s', (query, numbers, invalid, isExample, budget = 0) => {
  const read = parseVolume(new URLSearchParams(query), volumeOf(3, 4, 5, 6));
  expect(QUANTITIES.map((quantity) => read.volume[quantity])).toEqual(numbers);
  expect([...read.invalid.keys()]).toEqual(invalid);
  expect(read).toMatchObject({ isExample, budget });
  const asTyped = new URLSearchParams(query);
  for (const [quantity, text] of read.invalid) expect(text).toBe(asTyped.get(quantity));
});

it('never shows a higher volume for less', () => {
  const priced = (product: Product, people: number) =>
    findVolumePrice(product, volumeOf(people, 900, 9, 900), NOV_2026);
  for (const product of products.values()) {
    for (let people = 1; people < 40; people += 1) {
      const [less, more] = [priced(product, people), priced(product, people + 1)];
      if (!less.isCovered || !more.isCovered) continue;
      expect(more.price?.firstYear).toBeGreaterThanOrEqual(less.price?.firstYear ?? 0);
    }
  }
});
