import { expect, it } from 'vitest';
import { buildArticleDraft, buildPageDraft, buildProductDraft, PAGE_KINDS, PLACEHOLDERS } from '../drafts.ts';
import { findCopyFaults } from './copy-rules.ts';

it.each([
  ['Put it beside the plan.', 'beside'],
  ['An e-mail arrives.', 'e-mail'],
  ['What is left over each month', 'left over'],
  ['A catalogue of tools', 'catalogue'],
  ['A worked example', 'worked example'],
  ['Two worked cases', 'worked cases'],
  ['Without handwork', 'handwork'],
  ['Wait with importing the list.', 'Wait with importing'],
  ['Unlock your growth', 'Unlock'],
  ['Buy it now!', 'w!'],
  ['The right column has the savings.', 'right column'],
  ['A margin of 40 % is left.', '0 %'],
  ['Bounces over 2 percent', '2 percent'],
  ['The dearer way to the same result', 'dearer'],
  ['One slow fortnight', 'fortnight'],
  ['The one-off cost', 'one-off'],
  ['Do the sum now.', 'Do the sum'],
  ['Against it stand usage charges.', 'Against it stand'],
  ['A missed call is none.', 'is none'],
  ['This is no legal advice.', 'no legal advice'],
  ['It is the page which asks.', 'e page which'],
  ['It reads "call on the 14th".', 'h".'],
])('rejects "%s"', (text, found) => {
  expect(findCopyFaults(`title: x\n${text}`)).toMatchObject([{ kind: 'style', line: 2, found }]);
});

it.each([
  'That is beside the point.',
  '# A comment may say beside.',
  'href: /blog/set-up-guide',
  'It counts 40%, and a percentage is not a price.',
  'The number, which is public',
  '[how](/blog/e-mail-basics) it works',
])('accepts "%s"', (text) => expect(findCopyFaults(text)).toEqual([]));

it('rejects what the generators wrote for the author to replace, except in a draft', () => {
  const drafts = [
    buildArticleDraft('A title', '2026-11-20', 'Guides'),
    buildProductDraft('A product', { key: 'shop', name: 'Shop' }),
    ...PAGE_KINDS.map((kind) => buildPageDraft('A title', '2026-11-20', kind, ['one', 'two'])),
  ];
  for (const draft of drafts) expect(findCopyFaults(draft)).toEqual([]);
  const site = 'lead: Say here what it costs.\nlabel: Example product\ntitle: See Example Product';
  // A draft of a product had them once.
  const former =
    'for: Say who buys it.\npro: Say what it does well\nother: Say what else it does well\ncon: Say where else it stops\nname: Name of the shop\nhref: https://example.com/product';
  const published = [...drafts, site, former].map((text) => text.replace(/^draft: true$/m, '')).join('\n');
  const faults = findCopyFaults(published);
  expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(['placeholder']));
  const found = faults.map((fault) => fault.found);
  expect(new Set(found)).toEqual(new Set(PLACEHOLDERS));
});
