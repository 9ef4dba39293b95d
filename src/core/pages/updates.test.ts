import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { readSampleProducts, readSampleSavings } from '../../../test/support/sample-content.ts';
import { PriceHistory } from '../../sections/pages/product-parts.tsx';
import type { Product, Reading } from '../products/product.ts';
import { pageSchema } from './page.schema.ts';
import { buildLog, findPriceChanges } from './updates.ts';

const KIT = readSampleProducts().get('kit') ?? expect.fail();
const CREATOR = KIT.offers.find(({ key }) => key === 'creator') ?? expect.fail();
const [SOURCE] = KIT.sources;

const read = (amount: number, checked: string): Reading => ({
  amount,
  source: { ...(SOURCE ?? expect.fail()), checked, read: 'opened', via: undefined },
});

/** Kit with earlier readings of its offer `creator`, which is $39 now. */
const buildKit = (history: readonly Reading[]): Product => ({
  ...KIT,
  offers: KIT.offers.map((offer) => (offer.key === 'creator' ? { ...offer, history } : offer)),
});

function findChanges(history: readonly Reading[]) {
  const products = new Map([...readSampleProducts(), ['kit', buildKit(history)]]);
  const names = [
    'product:kit',
    'product:kit.creator',
    'product:kit.price',
    'product:kit.pro',
    'price:starter',
  ];
  return findPriceChanges(new Map(names.map((name) => [name, ''])), {
    savings: readSampleSavings(),
    products,
  });
}

const RAISED = [read(2_900, '2025-01-02')];
const ROW = { date: CREATOR.source?.checked, text: 'Kit Creator: $39 per month, before $29.' };

it('names a change of a price for its product and each figure that shows it, and for no other', () => {
  expect([...findChanges(RAISED)].filter(([, rows]) => rows.length > 0)).toEqual([
    ['kit', [ROW]],
    ['product:kit.creator', [ROW]],
    ['product:kit.price', [ROW]],
  ]);
});

it.each([
  ['one reading', []],
  ['two readings of one amount', [read(3_900, '2025-01-02')]],
])('%s is no change', (_, history) => expect(findChanges(history).size).toBe(0));

it.each([
  ['a figure', { text: 'Only {product:kit.creator}.' }],
  ['a section', { sections: [{ type: 'product-box', product: 'kit' }] }],
  ['a list of products', { sections: [{ products: ['hubspot', 'kit'] }] }],
  ['a shortcode', { markdown: '{{versus products="hubspot, kit" verdict="x"}}' }],
])('a page has the changes of the products of %s, once', (_, content) => {
  const updates = [{ date: '2026-11-25', text: 'A paragraph.' }];
  expect(buildLog(updates, [content, content], findChanges(RAISED), '2025-01-01')).toEqual([
    { date: '2026-11-25', text: 'A paragraph.' },
    ROW,
    { date: '2025-01-01', text: 'First published.' },
  ]);
});

it('a page without the price has no row of it', () =>
  expect(buildLog([], { text: '{product:kit}', product: 'hubspot' }, findChanges(RAISED))).toEqual([]));

it.each([
  [{ date: '2026-11-21', text: 'x' }, true],
  [{ date: '2026-11-21', text: 'x', corrected: true }, true],
  [{ date: 'November', text: 'x' }, false],
  [{ date: '2026-11-21', text: '' }, false],
  [{ date: '2026-11-21', text: 'x'.repeat(241) }, false],
])('a page with the update %j is valid: %s', (update, isValid) => {
  const page = {
    title: 'A',
    description: 'A description of this page that is long enough to be one.',
    updates: [update],
    sections: [{ type: 'prose', body: 'Text.' }],
  };
  expect(pageSchema.safeParse(page).success).toBe(isValid);
});

const NOW = Date.parse('2026-11-21');
const draw = (history: readonly Reading[], now = NOW) =>
  renderToStaticMarkup(createElement(PriceHistory, { product: KIT, offer: { ...CREATOR, history }, now }));

it('draws a chart from two readings on, each with its day and how it was read', () => {
  expect(draw([])).toBe('');
  expect(draw([])).not.toContain('<svg');
  const chart = draw([read(2_900, '2025-01-02')]);
  expect(chart.match(/<time/g)).toHaveLength(2);
  expect(chart).toContain('January 2, 2025</time>: <strong class="font-semibold">$29</strong>');
  expect(chart).toContain('We opened the live page on January 2, 2025.');
  expect(chart).toContain('d="M0 19H288V2H320"');
  expect(draw(RAISED, Date.parse('2030-01-01')), 'a price past its age').toBe('');
});
