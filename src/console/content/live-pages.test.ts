import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { buildViewRequest, CONSOLE_NOW, postChange } from '../../../test/support/console-ledger.ts';
import { createContentConsole } from '../../../test/support/content-console.ts';
import { ContentFiles } from '../../content-files/content-files.ts';
import { ImageStore } from '../../content-files/image-store.ts';
import { describeReading } from '../../core/products/product.ts';
import type { ConsoleSite } from '../console-site.ts';
import { listLivePages, readLivePages } from './live-pages.ts';

const TODAY = new Date(CONSOLE_NOW).toISOString().slice(0, 10);
const PRICING = 'https://store.example/pricing';
const TERMS = 'https://store.example/terms';
const PRODUCT = `name: Desk
kind: software
sources:
  pricing: { title: Pricing, href: "${PRICING}", checked: 2025-06-01, via: an index } # two plans
  limits: { title: Limits, href: "${PRICING}", checked: 2025-06-03, via: a copy, read: copied }
  terms: { title: Terms, href: "${TERMS}", checked: 2025-06-01, via: a note }
  own: { title: Own, href: "https://store.example/own", checked: 2025-06-01 }
  help: { title: Help, href: "https://store.example/help", checked: 2025-06-01, via: a copy, read: copied }
offers:
  one:
    name: One
    partner: example
    price: 97 # a month
    billed: monthly
    source: pricing
    history:
      - { amount: 90, from: 2025-01-01, source: pricing }
  two: { name: Two, partner: example, price: 20.5, billed: monthly, source: own }
facts:
  text: { label: Text, amount: 0.0083, per: segment, source: limits }
  users: { label: Users, value: unlimited, source: limits }
  refunds: { label: Refunds, value: none, source: terms }
  export: { label: Export, value: CSV, source: help }
`;
const CLAIMS = `card:
  figure: No card
  wording: for the trial
  claimedBy: pages of this kind
  fact:
    heading: Have a card ready
    text: A reader says that the form asks for a card.
    source: https://reader.example/
    checked: 2025-06-02
    page: { source: "${TERMS}", text: The terms ask for a card. }
`;

let root: string;
let site: ConsoleSite;
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const list = () => listLivePages(site.content.read());

beforeEach(async () => {
  ({ root, site } = await createContentConsole((text) => text));
  writeFileSync(path.join(root, 'products/desk.yaml'), PRODUCT);
  writeFileSync(path.join(root, 'claims/desk.yaml'), CLAIMS);
  await site.content.applyEdits(['products/desk.yaml', 'claims/desk.yaml']);
});

const rest = ['live-pages'];
function post(fields: Readonly<Record<string, string | readonly string[] | File>>) {
  const form = new FormData();
  for (const [name, values] of Object.entries({ action: 'save-live-page', ...fields }))
    for (const value of [values].flat()) form.append(name, value as string | File);
  return postChange(site, 'content', form, { rest });
}

async function answer(href: string, texts: Readonly<Record<string, string>> = {}, other: object = {}) {
  const parameters = new URLSearchParams({ page: href });
  const { page } = await readLivePages(site, { ...buildViewRequest({ rest }), parameters });
  const figures = page?.figures ?? [];
  const id = figures.map((figure) => figure.id);
  const says = figures.map((figure) => texts[figure.id] ?? figure.typed);
  return post({ page: href, state: page?.state ?? '', day: TODAY, id, says, ...other });
}

it('lists each page of prices and terms once, with what rests on it, prices first', () => {
  const pages = list().filter(({ href }) => href.includes('store.example'));
  expect(pages.map(({ href, figures }) => [href, figures.map(({ id, says }) => [id, says])])).toEqual([
    [
      PRICING,
      [
        ['desk offers one price', '97.00'],
        ['desk facts text amount', '0.0083'],
        ['desk facts users value', 'unlimited'],
      ],
    ],
    [
      TERMS,
      [
        ['desk facts refunds value', 'none'],
        ['card fact text', 'The terms ask for a card.'],
      ],
    ],
  ]);
});

it('marks every source of a page that says what we say as opened, and leaves all figures', async () => {
  expect(await answer(PRICING)).toMatchObject({ isError: false, message: 'Pricing: as it says.' });
  expect(read('products/desk.yaml')).toBe(
    PRODUCT.replace('2025-06-01, via: an index }', `${TODAY}, read: opened }`)
      .replace('2025-06-03, via: a copy, read: copied }', `${TODAY}, read: opened }`)
      .replace('source: pricing }\n  two', 'via: an index, source: pricing }\n  two'),
  );
  expect(list().map(({ href }) => href)).not.toContain(PRICING);
});

it('takes what a page says now into every file, so that nothing is left that nobody has opened', async () => {
  const changed = { 'desk offers one price': '$99', 'desk facts text amount': '0.009' };
  expect(await answer(PRICING, changed)).toMatchObject({ isError: false, message: 'Pricing: 2 corrected.' });
  expect(await answer(TERMS)).toMatchObject({ isError: false });
  const { products, claims } = site.content.read();
  const [one] = products.get('desk')?.offers ?? [];
  expect([one?.amount, one?.history.map(({ amount, source }) => [amount, source.via])]).toEqual([
    9900,
    [
      [9000, 'an index'],
      [9700, 'an index'],
    ],
  ]);
  expect(claims.get('card')?.fact).toEqual({
    heading: 'Have a card ready',
    text: 'The terms ask for a card.',
    source: TERMS,
    checked: TODAY,
  });
  const sources = products.get('desk')?.sources ?? [];
  expect(
    sources
      .filter(({ key }) => key !== 'help')
      .map(describeReading)
      .join('\n'),
  ).not.toMatch(/^Transcribed|^From/m);
});

it('lets a claim stand that the page makes', async () => {
  await answer(TERMS, { 'card fact text': '' });
  expect(site.content.read().claims.get('card')).toMatchObject({ evidence: TERMS, checked: TODAY });
  expect(read('claims/desk.yaml')).not.toContain('fact');
});

it.each([
  [{ 'desk offers one price': '99 or so' }, {}, 'no amount of USD'],
  [{ 'desk facts text amount': '-1' }, {}, 'no amount of USD'],
  [{ 'desk facts users value': ' ' }, {}, 'is no text'],
  [{}, { day: '2025-06-02' }, 'already'],
  [{}, { day: '2999-01-01' }, 'in the future'],
  [{}, { day: 'today' }, 'the day'],
  [{}, { state: 'other' }, 'meanwhile'],
])('saves nothing of %j %j, and keeps what was typed', async (texts, other, problem) => {
  const saved = await answer(PRICING, texts, other);
  expect(saved).toMatchObject({ isError: true, message: expect.stringContaining(problem) });
  expect(read('products/desk.yaml')).toBe(PRODUCT);
  const typed = new URL(saved.location, 'https://site.example').searchParams;
  const { page } = await readLivePages(site, { ...buildViewRequest({ rest }), parameters: typed });
  for (const [id, text] of Object.entries(texts))
    expect(page?.figures.find((figure) => figure.id === id)?.typed).toBe(text.trim());
});

it('keeps a picture of the page beside its source, which pages link to, and none of a refused answer', async () => {
  const store = new ImageStore(root);
  // What was added is converted in the background.
  const files = new ContentFiles(root, () => ({ images: new Map(), origin: 'build' }));
  Object.assign(site.platform.content, { imageStore: store, files });
  Object.assign(site.content, { applyEdits: async () => undefined });
  const picture = new File(['<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'], 'a.svg');
  const before = store.list().length;
  for (const [file, day] of [
    [picture, '2999-01-01'],
    [new File(['x'], 'a.png'), TODAY],
  ] as const)
    expect(await answer(PRICING, {}, { file, day })).toMatchObject({ isError: true });
  expect(store.list()).toHaveLength(before);
  expect(await answer(PRICING, {}, { file: picture })).toMatchObject({ isError: false });
  const name = `store-example-pricing-${TODAY}.svg`;
  expect(store.list().map((one) => one.path)).toContain(name);
  expect(read('products/desk.yaml')).toContain(`../images/${name}`);
  expect(store.readUses().get(name)?.length).toBe(2);
});

it('takes an answer once', async () => {
  const { page } = await readLivePages(site, buildViewRequest({ rest }));
  const sent = { page: PRICING, state: page?.state ?? '', day: TODAY };
  const results = [1, 2].map(() => post(sent));
  const [first, second] = await Promise.all(results);
  expect([first?.isError, second?.isError].sort()).toEqual([false, true]);
});
