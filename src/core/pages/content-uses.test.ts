import { expect, it } from 'vitest';
import { listUsingFiles, type NamedKind } from './content-uses.ts';

it.each<readonly [kind: NamedKind, key: string, text: string, isUsed: boolean]>([
  ['partner', 'kit', 'cta: { partner: kit, source: hero }', true],
  ['partner', 'kit', 'promotedPartner: "kit"', true],
  ['partner', 'kit', 'Read [its prices](/go/kit?page=pricing).', true],
  ['partner', 'kit', 'partner: kit-two', false],
  ['partner', 'kit', 'product: kit', false],
  ['product', 'kit', 'products: [hubspot, kit]', true],
  ['product', 'kit', 'products:\n  - hubspot\n  - kit\n', true],
  ['product', 'kit', '{{product-box product="kit"}} and {{compare products="hubspot, kit"}}', true],
  ['product', 'kit', 'From {product:kit.creator} a month', true],
  ['product', 'kit', 'From {product:kits.creator} a month', false],
  ['author', 'desk', 'author: desk', true],
  ['author', 'desk', 'tested: { by: desk, on: 2026-11-01 }', true],
  ['author', 'desk', 'A desk by the window', false],
  ['claim', 'hub-agencies', 'stats: [hub-years, hub-agencies]', true],
  ['claim', 'hub-agencies', 'used by {claim:hub-agencies.marked}', true],
  ['claim', 'hub', 'used by {claim:hub-agencies}', false],
])('finds out whether a %s "%s" is named in: %s', (kind, key, text, isUsed) => {
  const files = [{ file: 'pages/a.yaml', text }];
  expect(listUsingFiles(kind, key, files)).toEqual(isUsed ? ['pages/a.yaml'] : []);
});
