import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { checkContent } from '../scripts/build/check-content.ts';
import { buildCta } from '../src/core/outbound/cta.ts';
import { ShortcodeSection } from '../src/sections/articles/shortcode-section.tsx';
import { buildArticleContext } from '../src/server/pages/page-context.ts';
import { readContent } from '../src/sources/content/read-content.ts';
import { createFolder } from './support/create-folder.ts';
import { runCommand } from './support/run-command.ts';
import { createTestSite } from './support/test-site.ts';

/** Words of software that is paid by the month. */
const SUBSCRIPTION = /trial|subscri|platform|per (?:month|year|seat)|a month/i;

const buildDesk = (name: string, price: number, day: string) => `
name: ${name}
kind: physical
maker: Desk Company
verdict: A steady desk that is loud when it moves.
for: [Tall people]
notFor: [Shared rooms]
pros: [Steady at full height, Ten years of warranty]
cons: [Loud motor, Heavy]
sources:
  shop: { title: Desk Shop, href: "https://shop.example/desk", checked: ${day} }
  store: { title: Desk Store, href: "https://store.example/desk", checked: ${day} }
offers:
  shop: { name: Desk Shop, partner: shop, price: ${price}, billed: once, country: US, source: shop }
  store: { name: Desk Store, partner: store, price: ${price - 50}, currency: EUR, billed: once, country: DE, source: store }
`;

it('a site about standing desks has a roundup, a comparison and a review without a word about subscriptions', async () => {
  const folder = createFolder();
  const root = path.join(folder, 'content');
  const run = (...words: string[]) => runCommand('new', words, { CONTENT_DIR: root });
  const day = new Date().toISOString().slice(0, 10);
  await run('site', 'Standing Desks');
  const partner = readFileSync(path.join(root, 'partners/example.yaml'), 'utf8');
  for (const key of ['shop', 'store']) {
    const own = partner.replace(/^key: .*$/m, `key: ${key}`).replace('Example Product', `Desk ${key}`);
    writeFileSync(path.join(root, `partners/${key}.yaml`), own);
  }
  writeFileSync(path.join(root, 'products/desk-one.yaml'), buildDesk('Desk One', 499, day));
  writeFileSync(path.join(root, 'products/desk-two.yaml'), buildDesk('Desk Two', 799, day));
  for (const kind of ['roundup', 'versus', 'review']) {
    await run('page', kind, '--kind', kind);
    const file = path.join(root, `pages/${kind}.yaml`);
    const text = readFileSync(file, 'utf8').replace(
      /Say [^\n"}\],]*|Running text in Markdown\.|readers whom you name|Give the answer first[^\n]*/g,
      'A sentence about desks',
    );
    const about = 'Standing desks with their prices at two shops, and for whom each one is the right choice.';
    writeFileSync(
      file,
      text
        .replace(/^description: .*$/m, `description: ${about}`)
        .replace('draft: true\n', '')
        .replace('      - { product: example }\n', ''),
    );
  }
  expect(await checkContent(root, true)).toBeNull();
  const content = readContent(root);
  const site = await createTestSite({ content });
  const cta = buildCta({ source: 'desks' }, content);
  const context = buildArticleContext(site, cta, '/roundup');
  const markup = ['/roundup', '/versus', '/review']
    .flatMap((route) => content.pages.get(route)?.sections ?? [])
    .map((section) => renderToStaticMarkup(createElement(ShortcodeSection, { section, context })))
    .join('\n');
  for (const part of [
    'Desk One',
    'Desk Two',
    '$499',
    '€449',
    'United States',
    'Germany',
    '/go/shop',
    '/go/store',
  ])
    expect(markup).toContain(part);
  expect(markup).toContain('data-disclosure');
  expect(
    markup
      .replace(/<[^>]*>/g, '\n')
      .split('\n')
      .filter((line) => SUBSCRIPTION.test(line)),
  ).toEqual([]);
});
