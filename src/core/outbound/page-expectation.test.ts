import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../test/support/for-all.ts';
import { buildExcerpt, listPrices, NO_EXPECTATION, readPrice } from './page-expectation.ts';

it.each([
  ['$97', 9_700, 'USD'],
  ['US$ 1,297.50', 129_750, 'USD'],
  ['97 USD', 9_700, 'USD'],
  ['€1.297,50', 129_750, 'EUR'],
  ['1 297,50 €', 129_750, 'EUR'],
  ['£9.5', 950, 'GBP'],
  ['CHF 1’297.50', 129_750, 'CHF'],
  ['¥9,800', 9_800, 'JPY'],
  ['¥9,800.00', 9_800, 'JPY'],
  ['C$1,000', 100_000, 'CAD'],
])('reads %s', (text, amount, currency) => {
  expect(listPrices(`from ${text} a month`)).toEqual([{ amount, currency, at: 5 }]);
});

it.each(['97', '$', '97%', 'save $ on 5 plans', '2026-11-03'])('finds no price in %j', (text) =>
  expect(listPrices(text)).toEqual([]),
);

it('takes the first price after the text that is in the expected currency', () => {
  const expected = { equals: 'product:merchant.pro', near: 'Pro', currency: 'USD' };
  expect(readPrice(expected, 'Starter $97, Pro €199 or $297, Max $497', []).amount).toBe(29_700);
  expect(readPrice(expected, `Pro ${'word '.repeat(100)} $97`, []).amount).toBe(null);
  const other = { name: 'Team', price: '9', currency: 'EUR' };
  const named = ['Starter', 'Pro'].map((name, index) => ({ name, price: `${index + 1}97`, currency: 'usd' }));
  expect(readPrice(expected, '', named)).toMatchObject({ amount: 29_700, source: 'json-ld' });
  expect(readPrice(expected, 'Pro $297', [other])).toMatchObject({ amount: 29_700, source: 'text' });
});

it.each([
  [300, 9_700],
  [301, null],
])('of a price that begins %i characters behind its text, it reads %s', (distance, amount) => {
  const expected = { equals: 'product:merchant.pro', near: 'Pro', currency: 'USD' };
  expect(readPrice(expected, `Pro${' '.repeat(distance)}$97 a month`, []).amount).toBe(amount);
});

it('cuts what it stores of any text to 2 kB', () =>
  forAll(1, [fc.string({ unit: 'binary', maxLength: 4_000 })], (text) => {
    expect(new TextEncoder().encode(buildExcerpt(text, NO_EXPECTATION)).length).toBeLessThanOrEqual(2_000);
  }));
