import { expect, it } from 'vitest';
import { findLooseAmounts } from './price-rules.ts';

const find = (text: string) =>
  findLooseAmounts(text, ['Kit', 'HubSpot'], new Set(['$39', '$1,160', '$0.0113']));

it.each([
  ['a price of a product', 'Kit costs $39, or $39.00, a month.'],
  ['a total of the content', 'For nine people HubSpot costs $1,160 a month. A text costs $0.0113.'],
  ['a price with its source', 'HubSpot asks $45 for a seat [^2].'],
  ['an example', 'Assume that Kit costs you $140.'],
  ['a paragraph with an example', 'An example for one year.\nKit is $400, and the rest $90.'],
  ['a table below a heading that says so', '## An example\n\n| Tool | Price |\n|---|---|\n| Kit | $400 |'],
  ['money that is no price of a product', 'A seat here earns $4,000. Kit is not in this sentence.'],
  ['a word that contains the name', 'Kitchens cost $4,000.'],
])('accepts %s', (_, text) => expect(find(text)).toEqual([]));

it.each([
  ['an old price', 'Kit costs $29.\n', { amount: '$29', product: 'Kit', line: 1 }],
  [
    'the second line of a paragraph',
    'Prices differ.\nKit costs $29.',
    { amount: '$29', product: 'Kit', line: 2 },
  ],
  [
    'a row',
    'Prices:\n\n| Tool | Price |\n|---|---|\n| HubSpot | $50 |',
    { amount: '$50', product: 'HubSpot', line: 5 },
  ],
  ['a price whose example ended', 'Suppose $29.\n\nKit is $29.', { amount: '$29', product: 'Kit', line: 3 }],
])('finds %s', (_, text, expected) => expect(find(text)).toEqual([{ ...expected, isExplained: false }]));
