import { expect, it } from 'vitest';
import { Merchants } from './merchants.ts';

it.each([
  ['https://amazon.com/dp/B1?tag=me-21', true],
  ['https://www.amazon.com/dp/B1?tag=me-21', true],
  ['https://notamazon.com/dp/B1?tag=me-21', false],
  ['https://amazon.com.example/dp/B1?tag=me-21', false],
  ['https://amazon.com/dp/B1', false],
  ['https://www.awin1.com/cread.php?awinmid=1&awinaffid=2', true],
  ['https://notawin1.com/cread.php?awinmid=1&awinaffid=2', false],
  ['https://shop.example/?fpr=me', true],
  ['https://shop.example/?ref=me', false],
  ['ftp://amazon.com/?tag=me-21', false],
])('of a link to %s, it says: paid %s', (target, expected) => {
  expect(new Merchants().isPaid(target)).toBe(expected);
});

it('counts links to a merchant, and hosts below it, among those of its partner, and of no other host', () => {
  const merchants = new Merchants();
  merchants.add('https://shop.example/?fpr=me', false);
  for (const host of ['shop.example', 'eu.shop.example', 'notshop.example'])
    merchants.add(`https://${host}/page`, false);
  expect(merchants.list().map(({ plain }) => [...plain.keys()])).toEqual([
    ['https://shop.example/page', 'https://eu.shop.example/page'],
  ]);
});
