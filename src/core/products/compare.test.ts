import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../test/support/for-all.ts';
import { readSampleProducts } from '../../../test/support/sample-content.ts';
import { pageSchema } from '../pages/page.schema.ts';
import { sectionSchema } from '../pages/sections/section.schema.ts';
import {
  compareProducts,
  findProductFaults,
  isProductSection,
  orderRoundup,
  type RoundupOrder,
} from './compare.ts';
import type { Offer, Product } from './product.ts';

const sample = readSampleProducts();
const [model] = sample.values();
if (model === undefined) throw new Error('the sample has no product');
const NOW = Date.parse('2026-11-23');

/** What a program pays, and where its links lead: nothing of it may change an order. */
const program = fc.record({
  partner: fc.constantFrom('acme', 'zenith', 'generous', 'stingy'),
  destination: fc.constantFrom('pricing', 'trial', 'home'),
  commission: fc.integer({ min: 0, max: 100_000 }),
  earningsPerClick: fc.double({ min: 0, max: 50, noNaN: true }),
});

const generated = fc.array(
  fc.record({
    amount: fc.integer({ min: 0, max: 100_000 }),
    billed: fc.constantFrom<Offer['billed'][]>('once', 'monthly', 'yearly'),
    score: fc.option(fc.integer({ min: 0, max: 50 })),
    programs: fc.tuple(program, program),
  }),
  { minLength: 2, maxLength: 12 },
);

type Generated = typeof generated extends fc.Arbitrary<infer T> ? T : never;

function buildProducts(list: Generated, variant: 0 | 1): Map<string, Product> {
  return new Map(
    list.map(({ amount, billed, score, programs }, index) => {
      const [offer] = model?.offers ?? [];
      if (model === undefined || offer === undefined) throw new Error('the sample has no offer');
      const scores = score === null ? [] : [{ criterion: 'All', score: score / 10, why: 'Tested.' }];
      const offers = [{ ...offer, amount, billed, ...programs[variant] }];
      return [`p${index}`, { ...model, key: `p${index}`, scores, offers }];
    }),
  );
}

it('the order of a roundup does not depend on commission, earnings per click or partner', () =>
  forAll(1, [generated, fc.constantFrom<RoundupOrder[]>('listed', 'score', 'price')], (list, order) => {
    const items = list.map((_, index) => ({ product: `p${index}` }));
    const [one, other] = ([0, 1] as const).map((variant) =>
      orderRoundup(items, order, buildProducts(list, variant), NOW).map(({ product }) => product),
    );
    expect(other).toEqual(one);
    expect([...(one ?? [])].sort()).toEqual(items.map(({ product }) => product).sort());
  }));

it('orders by score, best first, and by price, cheapest first; what has neither comes last', () => {
  const list: Generated = [
    [900, 'monthly', 30],
    [2_400, 'yearly', 45],
    [500, 'monthly', null],
  ].map(([amount, billed, score]) => ({ amount, billed, score, programs: [{}, {}] })) as unknown as Generated;
  const products = buildProducts(list, 0);
  const items = ['p0', 'p1', 'p2'].map((product) => ({ product }));
  const order = (by: RoundupOrder) => orderRoundup(items, by, products).map(({ product }) => product);
  expect(order('score')).toEqual(['p1', 'p0', 'p2']);
  expect(order('price')).toEqual(['p1', 'p2', 'p0']);
  expect(order('listed')).toEqual(['p0', 'p1', 'p2']);
  // Prices that are too old order nothing.
  const later = orderRoundup(items, 'price', products, Date.parse('2036-01-01'));
  expect(later).toEqual(items);
});

it('a comparison puts what differs first and folds what is equal', () => {
  const products = ['kit', 'hubspot'].flatMap((key) => sample.get(key) ?? []);
  const { different, equal } = compareProducts(
    products,
    [
      { label: 'Email', cells: ['yes', 'yes'] },
      { label: 'Calls', cells: ['no', 'yes'] },
      { label: 'Commitment', fact: 'commitment' },
    ],
    false,
    NOW,
  );
  expect(different.map(({ label }) => label)).toEqual(['Best for', 'Not for', 'Calls', 'Commitment']);
  expect(different.at(-1)?.cells).toEqual(['–', '12 months']);
  expect(equal).toEqual([
    { label: 'Price from', cells: ['Free', 'Free'] },
    { label: 'Email', cells: ['yes', 'yes'] },
  ]);
});

const scored = (criterion: string): Product => ({
  ...model,
  scores: [{ criterion, score: 4, why: 'Measured.' }],
});
const products = new Map([
  ...sample,
  ['quiet', scored('Noise')],
  ['silent', scored('Noise')],
  ['stable', scored('Stability')],
]);
const faultsOf = (section: object) => {
  const parsed = sectionSchema.parse(section);
  if (!isProductSection(parsed)) throw new Error('names no product');
  return findProductFaults(parsed, products).map(({ path, reason }) => `${path.join('.')}: ${reason}`);
};

/** A passing and a failing document of each rule. */
it.each([
  [
    'a box names a product and an offer that exist',
    { type: 'product-box', product: 'kit', offer: 'creator' },
    { type: 'product-box', product: 'kit', offer: 'gold' },
    'offer: "kit" has no offer "gold"',
  ],
  [
    'a comparison names products that exist',
    { type: 'product-comparison', products: ['kit', 'hubspot'] },
    { type: 'product-comparison', products: ['kit', 'tik'] },
    'products.1: no product is called "tik"',
  ],
  [
    'compared scores are on the same criteria',
    { type: 'product-comparison', products: ['quiet', 'silent'], scores: true },
    { type: 'product-comparison', products: ['quiet', 'stable'], scores: true },
    'products.1: has scores for Stability, and quiet for Noise',
  ],
  [
    'a roundup by score has scores',
    {
      type: 'roundup',
      basis: 'By score.',
      order: 'score',
      items: [{ product: 'quiet' }, { product: 'silent' }],
    },
    {
      type: 'roundup',
      basis: 'By score.',
      order: 'score',
      items: [{ product: 'quiet' }, { product: 'kit' }],
    },
    'items.1.product: has no scores to compare',
  ],
])('%s', (_, good, bad, fault) => {
  expect(faultsOf(good)).toEqual([]);
  expect(faultsOf(bad).join('\n')).toContain(fault);
});

const problemsOf = (section: object) => {
  const result = sectionSchema.safeParse(section);
  return result.error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n') ?? '';
};
const ROUNDUP = {
  type: 'roundup',
  basis: 'Three desks, measured.',
  items: [{ product: 'a' }, { product: 'b' }],
};

it.each([
  ['a basis that is about earnings', { ...ROUNDUP, basis: 'Best EPC first.' }, 'what the site earns'],
  ['an aggregate rating', { ...ROUNDUP, aggregateRating: 4.8 }, 'aggregateRating'],
  ['a product twice', { ...ROUNDUP, items: [{ product: 'a' }, { product: 'a' }] }, 'has a product twice'],
  [
    'a comparison of seven',
    { type: 'product-comparison', products: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] },
    'products',
  ],
])('%s is refused', (_, section, problem) => {
  expect(problemsOf(ROUNDUP)).toBe('');
  expect(problemsOf(section)).toContain(problem);
});

it('a page with a box needs the defaults of its links', () => {
  const page = {
    title: 'Desks',
    description: 'A description of this page that is long enough to be one in search results.',
    sections: [{ type: 'product-box', product: 'kit' }],
  };
  expect(pageSchema.safeParse({ ...page, cta: { source: 'desks' } }).success).toBe(true);
  expect(pageSchema.safeParse(page).success).toBe(false);
});
