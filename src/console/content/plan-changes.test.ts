import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createElement } from 'react';
import { beforeEach, expect, it } from 'vitest';
import {
  buildForm,
  buildViewRequest,
  CONSOLE_NOW,
  postChange,
  renderWithForms,
} from '../../../test/support/console-ledger.ts';
import { createContentConsole } from '../../../test/support/content-console.ts';
import { leadPartnerLinks } from '../../content-files/edit/plan-removal.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import { ChangesView } from './changes-view.tsx';
import { readChanges } from './plan-changes.ts';

const TODAY = new Date(CONSOLE_NOW).toISOString().slice(0, 10);
const ARTICLE = `---
title: "A desk for you"   # shown in the list
excerpt: 'The desk that we''d buy: Desk One, a desk at $449.'
categories: [Desks, Rooms]
publishedAt: 2025-01-01
author: team
checked: { date: 2025-01-01, what: The prices }
---
## Desk One

Buy the desk. Desk One costs $449, see [the desk](/desk) and \`desk\`.
Desks: {product:desk.price}. The Desk One has four legs.
`;
const PRODUCT = `name: Desk One
kind: physical
verdict: A desk that stands.
sources: { store: { title: The desk page, href: "https://store.example/desk", checked: 2025-06-01 } }
offers: { black: { name: Black, partner: example, price: 499, billed: once, source: store } }
`;

let root: string;
let site: ConsoleSite;
const FILES = { 'articles/one.md': ARTICLE, 'articles/two.md': ARTICLE, 'products/desk.yaml': PRODUCT };
const readFile = (file: string) => readFileSync(path.join(root, file), 'utf8');

beforeEach(async () => {
  ({ root, site } = await createContentConsole((text) => text));
  mkdirSync(path.join(root, 'articles'), { recursive: true });
  writeFileSync(
    path.join(root, 'authors/team.yaml'),
    'name: Team\nkind: team\nrole: Editors\nbio: We test.\n',
  );
  for (const [file, text] of Object.entries(FILES)) writeFileSync(path.join(root, file), text);
  await site.content.applyEdits(Object.keys(FILES));
});

const ask = (name: string, search: string, viewer?: ViewRequest['viewer']) =>
  buildViewRequest({ rest: [name], search, ...(viewer && { viewer }) });
const read = async (name: string, search = '') => {
  const model = await readChanges(site, ask(name, search));
  if (model === null) throw new Error('no such view');
  return { ...model, changes: model.groups.flatMap(({ changes }) => changes) };
};
const take = async (name: string, search: string, ids: readonly string[], viewer?: ViewRequest['viewer']) => {
  const form = buildForm({ action: 'take-changes' });
  for (const id of ids) form.append('line', id);
  return postChange(site, 'content', form, ask(name, search, viewer));
};
const undo = () => postChange(site, 'content', { action: 'undo-changes' }, ask('replace', ''));
/** Takes all that a view proposes. */
const takeAll = async (name: string, search: string) =>
  take(
    name,
    search,
    (await read(name, search)).changes.map(({ id }) => id),
  );

it('finds words in texts, not in addresses, code, figures and parts of words', async () => {
  const { changes, lines, note } = await read('replace', 'find=desk&with=table&case=');
  const inOne = changes.filter(({ file }) => file === 'articles/one.md');
  expect(inOne.map(({ line, after }) => [line, after])).toEqual([
    [11, 'Buy the table. Desk One costs $449, see [the desk](/desk) and `desk`.'],
    [11, 'Buy the desk. Desk One costs $449, see [the table](/desk) and `desk`.'],
    [2, 'title: "A table for you"   # shown in the list'],
    [3, "excerpt: 'The table that we''d buy: Desk One, a table at $449.'"],
  ]);
  expect(changes.filter(({ file }) => file === 'products/desk.yaml').map(({ after }) => after)).toEqual([
    'verdict: A table that stands.',
    expect.stringContaining('title: The table page'),
  ]);
  expect([lines, note]).toEqual(['4 files, 11 lines', '']);
});

it.each([
  ['follow-up', 'follow-up'],
  ['and/or', 'and/or'],
  ['(a+)+$', '(a+)+$'],
  ['a.b', 'a.b'],
  ['C++', 'C++'],
  ['[x]{2}|y^', '[x]{2}|y^'],
  ['\\d & \\', '\\d & \\'],
  ['🎉 Tür-zu', '🎉 Tür-zu'],
  ['FOLLOW-UP', 'follow-up'],
])('finds %j as it is written, in words and as the name of a product', async (find, word) => {
  const other = ARTICLE.replace('Buy the desk.', `Buy it, ${word} too, axb CCC follow_up.`);
  writeFileSync(path.join(root, 'articles/two.md'), other);
  const named = JSON.stringify(`${find} Tool`);
  writeFileSync(path.join(root, 'products/wi-fi.yaml'), PRODUCT.replace('name: Desk One', `name: ${named}`));
  await site.content.applyEdits([]);
  const search = new URLSearchParams({ find, with: 'this', part: '' });
  const { changes } = await read('replace', `${search}`);
  const after = changes.flatMap((one) => (one.file === 'articles/two.md' ? [one.after] : []));
  expect(after).toEqual([expect.stringContaining('Buy it, this too, axb CCC follow_up.')]);
  const ids = changes.flatMap(({ id, file }) => (file === 'articles/two.md' ? [id] : []));
  expect(await take('replace', `${search}`, ids)).toMatchObject({ isError: false });
  writeFileSync(
    path.join(root, 'articles/two.md'),
    ARTICLE.replace('Buy the desk.', `Buy the ${find} Tool.`),
  );
  const missing = (await read('missing')).changes.filter(({ file }) => file === 'articles/two.md');
  expect(missing.map(({ after: line }) => line)).toContainEqual(
    expect.stringContaining(`[${find} Tool](/go/example)`),
  );
});

it('offers no prices', async () => {
  expect(await read('replace', 'find=$449&with=$499')).toMatchObject({
    count: 0,
    note: '$449 is a price; change it in Prices.',
  });
  expect(await read('replace', 'find=449&with=499')).toMatchObject({
    count: 0,
    note: expect.stringContaining('part of a price'),
  });
});

it.each([
  [
    'missing',
    '',
    'Buy the desk. <ins><u title="/go/example">Desk One</u></ins> costs $449, see the desk and desk.',
  ],
  ['replace', 'find=stands&with=lasts', 'Verdict: A desk that <del>stands</del><ins>lasts</ins>.'],
  ['many', 'file=articles/one.md&set=checked', 'Day of the check: { Date: 2025-'],
])('shows lines as readers and the form name them: %s', async (name, search, line) => {
  const request = ask(name, search);
  const model = await readChanges(site, request);
  if (model === null) return expect.unreachable();
  const html = renderWithForms('content', request.viewer, createElement(ChangesView, { model }), {
    parameters: search,
  });
  expect(html).toContain(line);
});

it('replaces what is ticked in all files or in none, and takes it back in one step', async () => {
  const search = 'find=desk&with=%3A+%23+%22table%22&case=';
  const { changes } = await read('replace', search);
  const [, ...ticked] = changes.map(({ id }) => id);
  expect(await take('replace', search, ticked)).toMatchObject({
    isError: false,
    message: 'Replaced: 4 files, 10 lines.',
  });
  expect(readFile('articles/one.md')).toContain('Buy the desk. Desk One costs');
  expect(readFile('articles/two.md')).toContain(': # "table" that we\'\'d buy');
  expect(await undo()).toMatchObject({ isError: false });
  for (const [file, text] of Object.entries(FILES)) expect(readFile(file)).toBe(text);
  expect(await undo()).toMatchObject({ isError: true });
});

it('changes nothing when a file was changed meanwhile, a result is invalid, or the operator may not publish', async () => {
  const search = 'find=desk&with=table';
  const ids = (await read('replace', search)).changes.map(({ id }) => id);
  writeFileSync(path.join(root, 'articles/two.md'), ARTICLE.replace('Buy', 'Please buy'));
  expect((await take('replace', search, ids)).message).toContain('changed meanwhile');
  const long = `find=desk&with=${'x'.repeat(400)}`;
  expect(await takeAll('replace', long)).toMatchObject({
    isError: true,
    message: expect.stringContaining('must have at most'),
  });
  const viewer = { kind: 'operator', id: 'o-2', name: 'Bo', capabilities: ['content'] } as const;
  const now = (await read('replace', search)).changes.map(({ id }) => id);
  expect((await take('replace', search, now, viewer)).message).toContain('visitors see this');
  expect(readFile('articles/one.md')).toBe(ARTICLE);
});

it('links the first mention of a product in a text that does not link it', async () => {
  const { changes } = await read('missing');
  expect(changes.map(({ file, line, after }) => [file, line, after.slice(0, 60)])).toEqual(
    ['articles/one.md', 'articles/two.md'].map((file) => [
      file,
      11,
      'Buy the desk. [Desk One](/go/example) costs $449, see [the d',
    ]),
  );
  await takeAll('missing', '');
  expect(await read('missing')).toMatchObject({ count: 0 });
});

it('shows ten names without a link at once, and the others after them', async () => {
  for (let number = 1; number <= 13; number += 1)
    writeFileSync(path.join(root, `articles/more-${number}.md`), ARTICLE);
  await site.content.applyEdits([]);
  expect(await read('missing')).toMatchObject({ all: 15, count: 10 });
  await takeAll('missing', '');
  expect(await read('missing')).toMatchObject({ all: 5, count: 5 });
});

it.each([
  ['set=category&value=Tables', 'categories: [Tables, Rooms]'],
  ['set=checked', `checked: { date: ${TODAY}, what: The prices }`],
  ['set=state&value=draft', 'draft: true'],
])('changes %s in all chosen files', async (set, expected) => {
  const search = `file=articles/one.md&file=articles/two.md&file=products/desk.yaml&${set}`;
  expect(await read('many', search)).toMatchObject({ count: 2, leftOut: [{ file: 'products/desk.yaml' }] });
  expect(await takeAll('many', search)).toMatchObject({ isError: false });
  for (const file of ['articles/one.md', 'articles/two.md']) expect(readFile(file)).toContain(expected);
});

it('publishes no piece among many that the button Publish refuses, and says why', async () => {
  const draft = ARTICLE.replace('author: team', 'draft: true\nauthor: team');
  writeFileSync(path.join(root, 'articles/one.md'), draft.replace('Buy the desk.', '4.5 stars.'));
  writeFileSync(path.join(root, 'articles/two.md'), draft.replace('Buy the desk.', 'TK the desk.'));
  const search = 'file=articles/one.md&file=articles/two.md&set=state&value=published';
  expect(await read('many', search)).toMatchObject({
    count: 0,
    leftOut: [
      { file: 'articles/one.md', reason: expect.stringContaining('"4.5 stars": from where') },
      { file: 'articles/two.md', reason: expect.stringContaining('A “TK” is left in the text') },
    ],
  });
  await takeAll('many', search);
  expect(readFile('articles/one.md')).toContain('draft: true');
  // Words that are replaced are published with their piece.
  writeFileSync(path.join(root, 'articles/one.md'), ARTICLE);
  await site.content.applyEdits(['articles/one.md']);
  expect(await takeAll('replace', 'find=four legs&with=TK&code=')).toMatchObject({
    isError: true,
    message: expect.stringMatching(/^Nothing was changed\. content\/articles\/one\.md: A “TK” is left/),
  });
  expect(readFile('articles/one.md')).toBe(ARTICLE);
});

it.each([
  ['/go/example?page=demo&source=article', '/go/other?source=article'],
  ['/go/example?source=article&page=demo', '/go/other?source=article'],
  ['/go/example?source=a&position=b', '/go/other?source=a&position=b'],
  ['/go/example', '/go/other'],
  ['/go/example-2?page=demo', '/go/example-2?page=demo'],
  ['/go/example#top', '/go/other#top'],
])('leads %s to %s where a partner takes the place of another one', (from, to) => {
  const target = { key: 'other', destinations: new Map([['pricing', 'https://other.example/']]) };
  expect(leadPartnerLinks(`See [it](${from}) or ${from}.`, 'example', target)).toBe(
    `See [it](${to}) or ${to}.`,
  );
});

it('leads the links to a partner to another one', async () => {
  writeFileSync(
    path.join(root, 'partners/other.yaml'),
    readFile('partners/example.yaml')
      .replace(/^name: .*$/m, 'name: Other')
      .replace('key: example', 'key: other')
      .replace('your-code', 'our-code'),
  );
  await takeAll('missing', '');
  await site.content.applyEdits([]);
  const search = 'file=articles/one.md&set=partner&from-partner=example&value=other';
  expect(await takeAll('many', search)).toMatchObject({ isError: false });
  expect(readFile('articles/one.md')).toContain('[Desk One](/go/other)');
  expect(readFile('articles/two.md')).toContain('[Desk One](/go/example)');
});
