import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { buildViewRequest, CONSOLE_NOW, postChange, postForm } from '../../../test/support/console-ledger.ts';
import { createContentConsole } from '../../../test/support/content-console.ts';
import type { ConsoleSite } from '../console-site.ts';
import { readPrices } from './prices.ts';

const TODAY = new Date(CONSOLE_NOW).toISOString().slice(0, 10);
const PRODUCT = `# Bought by us.
name: Desk One
kind: physical
sources:
  store: { title: Store, href: "https://store.example/desk", checked: 2025-06-01 } # two prices
  trial: { title: Trial, href: "https://store.example/trial", checked: 2025-06-01, via: a reader }
offers:
  black:
    name: Black
    partner: example
    price: 499   # with tax
    billed: once
    source: store
  white: { name: White, partner: example, price: 520.5, billed: once, source: store }
  lease: { name: Lease, partner: example, price: 20, billed: monthly, source: trial }
`;

let root: string;
let site: ConsoleSite;
const file = () => path.join(root, 'products/desk.yaml');
const readProduct = () => readFileSync(file(), 'utf8');

beforeEach(async () => {
  ({ root, site } = await createContentConsole((text) => text));
  writeFileSync(file(), PRODUCT);
  await site.content.applyEdits(['products/desk.yaml']);
});

const rest = ['prices'];
const readRows = async () => (await readPrices(site, buildViewRequest({ rest, search: 'q=desk' }))).list.rows;
const save = async (changes: Readonly<Record<string, object>>, sessionId?: string, search = '') => {
  const rows = await readRows();
  const sent = Object.entries(changes).map(([key, change]) => {
    const { hash = '', price = '' } = rows.find((row) => row.key === `desk.${key}`) ?? {};
    return { key: `desk.${key}`, hash, price, day: TODAY, read: 'stated', via: '', ...change };
  });
  return postChange(
    site,
    'content',
    { action: 'save-prices', changes: JSON.stringify(sent) },
    { rest, sessionId, search },
  );
};
const undo = () => postChange(site, 'content', { action: 'undo-changes' }, { rest });

it('lists every price with its shop, its age and how it was read', async () => {
  const rows = (await readRows()).filter(({ product }) => product === 'Desk One');
  expect(rows.map(({ key, price, state, read, via }) => [key, price, state, read, via])).toEqual([
    ['desk.black', '$499', 'old', 'stated', ''],
    ['desk.white', '$520.50', 'old', 'stated', ''],
    ['desk.lease', '$20', 'old', 'transcribed', 'a reader'],
  ]);
});

it('changes the bytes of the price and its day alone, and keeps the old price', async () => {
  const saved = await save({ black: { price: '$479.95' }, white: {} });
  expect(saved).toMatchObject({ isError: false, message: '2 prices saved.' });
  expect(readProduct()).toBe(
    PRODUCT.replace('desk", checked: 2025-06-01 }', `desk", checked: ${TODAY}, read: stated }`)
      .replace('price: 499 ', 'price: 479.95 ')
      .replace(
        '    source: store\n  white',
        '    source: store\n    history:\n      - amount: 499\n        from: 2025-06-01\n        read: stated\n        source: store\n  white',
      ),
  );
  expect((await readRows()).find(({ key }) => key === 'desk.black')?.was).toEqual({
    price: '$499',
    day: '2025-06-01',
  });
  await undo();
  expect(readProduct()).toBe(PRODUCT);
});

it.each([
  [{ black: {} }, false],
  [{ black: { price: 'much' } }, true],
])('keeps the search and the order of the list, saved or refused: %j', async (changes, isError) =>
  expect(await save(changes, undefined, 'q=desk&sort=-price')).toMatchObject({
    isError,
    location: expect.stringMatching(/prices\?q=desk&sort=-price/),
  }),
);

it('gives a price that was read alone a source of its own', async () => {
  await save({ black: {} });
  const text = readProduct();
  expect(text).toContain(
    'store: { title: Store, href: "https://store.example/desk", checked: 2025-06-01 } # two prices',
  );
  expect(text).toContain(`store-${TODAY}`);
  await save({ lease: { read: 'transcribed', via: 'a friend', price: '21' } });
  expect(readProduct()).toMatch(new RegExp(`trial: .*checked: ${TODAY}, via: a friend \\}`));
});

it('takes “opened by us” only of a row whose shop was opened from it in the same session, today', async () => {
  const opened = { black: { read: 'opened' } };
  expect((await save(opened, 's-1')).message).toContain('open the shop from its row first');
  await postForm(site, 'content', { action: 'open-shop', offer: 'desk.black' }, { rest, sessionId: 's-1' });
  for (const [changes, session] of [
    [opened, 's-2'],
    [{ black: { read: 'opened', day: '2025-07-01' } }, 's-1'],
    [{ ...opened, white: { read: 'opened' } }, 's-1'],
  ] as const)
    expect(await save(changes, session)).toMatchObject({ isError: true });
  expect(readProduct()).toBe(PRODUCT);
  expect(await save(opened, 's-1')).toMatchObject({ isError: false });
});

it.each([
  [{ black: { price: '49 or so' } }, 'is no amount of USD'],
  [{ black: { day: '2025-05-01' } }, 'read after'],
  [{ black: { day: '2999-01-01' } }, 'in the future'],
  [{ black: { read: 'copied' } }, 'which copy'],
  [{ red: {} }, 'no price desk.red'],
  [{ black: { price: '$470' }, white: { hash: 'other' } }, 'changed meanwhile'],
])('saves nothing of %j', async (changes, problem) => {
  expect(await save(changes)).toMatchObject({ isError: true, message: expect.stringContaining(problem) });
  expect(readProduct()).toBe(PRODUCT);
});

it('refuses prices of a file that was changed meanwhile', async () => {
  const rows = await readRows();
  const changes = rows
    .filter(({ key }) => key === 'desk.black')
    .map(({ key, hash }) => ({ key, hash, price: '470', day: TODAY, read: 'stated', via: '' }));
  const form = { action: 'save-prices', changes: JSON.stringify(changes) };
  writeFileSync(file(), `${PRODUCT}# later\n`);
  expect((await postChange(site, 'content', form, { rest })).message).toContain('changed meanwhile');
});
