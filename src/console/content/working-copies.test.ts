import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import {
  buildViewRequest,
  CONSOLE_NOW,
  createTestConsole,
  postForm,
} from '../../../test/support/console-ledger.ts';
import { createFolder, createSmallContent } from '../../../test/support/create-folder.ts';
import { addOperator } from '../../../test/support/operators.ts';
import { ContentFiles } from '../../content-files/content-files.ts';
import { hashText } from '../../content-files/parse-yaml.ts';
import type { Capability, ConsoleViewer } from '../../core/console/capabilities.ts';
import { NO_IMAGES } from '../../core/pages/images/content-image.ts';
import type { ConsoleSite } from '../console-site.ts';
import { readContentFile } from './read-file.ts';
import { createDraftJob } from './working-copies.ts';

const FILE = 'articles/kept.md';
const DRAFT = `---
title: A kept article
excerpt: What a test has written and not saved, long enough for the list of articles.
categories: [Tests]
publishedAt: 2026-01-01
draft: true
---
## First

One.

## Second

Two.
`;
const SHOWN = DRAFT.replace('draft: true\n', '');
const MINUTE = 60_000;

let root: string;
let site: ConsoleSite;
let now: number;
beforeEach(async () => {
  now = CONSOLE_NOW;
  root = createFolder();
  createSmallContent(root, { [FILE]: () => DRAFT });
  const created = await createTestConsole({ now: () => now });
  const files = new ContentFiles(root, () => NO_IMAGES);
  site = { ...created, platform: { ...created.platform, content: { ...created.platform.content, files } } };
  for (const name of ['Ada', 'Bob']) await addOperator(site.operators.accounts, { id: name, name });
});

const read = () => readFileSync(path.join(root, FILE), 'utf8');
const write = (text: string) => writeFileSync(path.join(root, FILE), text);
const viewer = (
  name: string,
  capabilities: readonly Capability[] = ['content', 'publish'],
): ConsoleViewer => ({
  kind: 'operator',
  id: name,
  name,
  capabilities,
});
const open = (who = viewer('Ada'), search = '') =>
  readContentFile(site, buildViewRequest({ rest: FILE.split('/'), viewer: who, search }));
/** Posts a form as its page does: a script says which page it is, and what it follows. */
async function post(fields: Readonly<Record<string, string>>, who = viewer('Ada')) {
  const result = await postForm(site, 'content', fields, { rest: FILE.split('/'), viewer: who });
  return result instanceof Response ? result.json() : result;
}
const body = (change: (text: string) => string) => change(DRAFT.slice(DRAFT.indexOf('## First')));
const keep = (text: string, fields: Readonly<Record<string, string>> = {}, who = viewer('Ada')) =>
  post({ action: 'keep', page: 'p', number: '1', opened: hashText(read()), body: text, ...fields }, who);
const LONGER = body((text) => text.replace('Two.', 'Two, and more.'));

it('keeps what is written on the server, from where another device goes on; the file stays as it is', async () => {
  expect(await keep(LONGER)).toMatchObject({ said: 'Saved 21:06.', isUnsaved: true, isChanged: false });
  expect(read()).toBe(DRAFT);
  const model = await open();
  expect(model?.body).toBe(LONGER.trim());
  expect(model).toMatchObject({ opened: hashText(DRAFT), isPosted: false, conflict: null, unsaved: null });
  expect(model?.kept).toMatchObject({ stamp: 'p 1', isUnsaved: true });
  expect(model?.history.versions).toHaveLength(1);
  expect((await open(viewer('Ada'), 'copy=Ada'))?.compared).toMatchObject({ isOwn: true, name: 'Ada' });
  expect((await open(viewer('Bob')))?.text).toBe(DRAFT);
  expect(await keep(body(String), { number: '2' })).toMatchObject({
    said: 'No unsaved changes.',
    isUnsaved: false,
  });
});

it('says that another device has gone on, and replaces its text when that was seen', async () => {
  await keep('From the phone.', { page: 'phone' });
  const refused = await keep('From the desk.', { page: 'desk' });
  expect(refused).toMatchObject({ isElsewhere: true, stamp: 'phone 1', time: '21:06' });
  expect((await open())?.body).toContain('From the phone.');
  expect(await keep('From the desk.', { page: 'desk', follows: 'phone 1' })).toMatchObject({
    isElsewhere: false,
  });
  expect((await open())?.body).toContain('From the desk.');
});

it('asks for the text that the fields were built from when the file is another one', async () => {
  const opened = hashText(DRAFT);
  write(DRAFT.replace('One.', 'One of theirs.'));
  expect(await keep(LONGER, { opened })).toEqual({ needsBase: true });
  expect(await keep(LONGER, { opened, draft: DRAFT })).toMatchObject({ isChanged: true });
  const model = await open();
  expect(model?.text).toBe(DRAFT.replace('Two.', 'Two, and more.'));
  expect(model).toMatchObject({ opened, conflict: { hash: hashText(read()) } });
  expect(await post({ action: 'save', opened, draft: DRAFT, body: LONGER })).toMatchObject({ status: 409 });
  expect(read()).toContain('One of theirs.');
});

it.each([
  [
    'nothing but a name',
    { page: 'p' },
    { problem: 'the file is not on the server any more' },
    'articles/none.md',
  ],
  ['too much', { body: 'x'.repeat(2_000_000) }, { problem: 'the text is too long' }, FILE],
])('stores nothing for %s', async (_, fields, answer, file) => {
  const form = { action: 'keep', page: 'p', number: '1', opened: '', draft: DRAFT, ...fields };
  const result = await postForm(site, 'content', form, { rest: file.split('/'), viewer: viewer('Ada') });
  expect(await Object(result).json()).toEqual(answer);
  expect(await site.content.versions.readCopies()).toEqual([]);
});

it('saves without leaving the page: a version, the new hash, or what is wrong; what was kept ends', async () => {
  await keep(LONGER);
  const saved = { action: 'save', page: 'p', number: '2', body: LONGER };
  const refused = await post({ ...saved, opened: hashText(DRAFT), '["title"]': '' });
  expect(refused).toMatchObject({ problems: [{ text: expect.stringContaining('Title') }] });
  expect(await site.content.versions.readCopies()).toHaveLength(1);
  const answer = await post({ ...saved, opened: hashText(DRAFT) });
  expect(answer).toEqual({ message: expect.stringMatching(/^Saved\./), opened: hashText(read()) });
  expect(read()).toBe(DRAFT.replace('Two.', 'Two, and more.'));
  expect(await site.content.versions.readCopies()).toEqual([]);
  expect((await open())?.history.versions).toHaveLength(2);
});

it('saves a text without the one that another device has written meanwhile, which stays', async () => {
  await keep('From the phone.', { page: 'phone' });
  const saved = { action: 'save', page: 'desk', number: '1', opened: hashText(DRAFT), body: LONGER };
  expect(await post(saved)).toMatchObject({ message: expect.stringMatching(/^Saved\./) });
  expect(await open()).toMatchObject({ conflict: { hash: hashText(read()) } });
  expect((await open())?.body).toContain('From the phone.');
  const { hash = '' } = (await open())?.kept ?? {};
  const overwritten = {
    action: 'overwrite',
    current: hashText(read()),
    kept: hash,
    draft: DRAFT,
    body: 'Both.',
  };
  expect(await post(overwritten)).toMatchObject({ isError: false });
  expect((await open())?.kept).toBeNull();
});

it('keeps the text of an operator who puts an older version back', async () => {
  await open();
  await keep(LONGER);
  await post({ action: 'restore', version: '1', opened: hashText(DRAFT) });
  expect((await open())?.body).toBe(LONGER.trim());
});

it('discards a text, or gives it to somebody who has none', async () => {
  await keep(LONGER, {}, viewer('Bob'));
  expect((await open(viewer('Ada'), 'copy=Bob'))?.compared).toMatchObject({ isOwn: false, name: 'Bob' });
  expect(await post({ action: 'take-copy', from: 'Bob' })).toMatchObject({ isError: false });
  expect((await open())?.body).toBe(LONGER.trim());
  expect(await post({ action: 'take-copy', from: 'Bob' })).toMatchObject({ isError: false });
  await keep('Mine.', { follows: 'from Bob 1' });
  expect(await post({ action: 'take-copy', from: 'Bob' })).toMatchObject({ isError: true });
  expect(await post({ action: 'take-copy', from: 'Eve' })).toMatchObject({ isError: true });
  expect((await open())?.body).toContain('Mine.');
  expect(await post({ action: 'drop-copy' })).toMatchObject({ isError: false });
  expect((await open())?.text).toBe(DRAFT);
  expect((await open(viewer('Bob')))?.body).toBe(LONGER.trim());
});

it('names who else has a piece open, and what they have changed last', async () => {
  const say = async () => (await open())?.others.map(({ text }) => text);
  await open(viewer('Bob'));
  expect(await say()).toEqual(['Bob has it open']);
  now += 50_001;
  expect(await say()).toEqual([]);
  await keep(LONGER, {}, viewer('Bob'));
  expect(await say()).toEqual(['Bob changed “Second” at 21:07']);
  await keep(LONGER.replace('One.', 'One!'), { number: '2' }, viewer('Bob'));
  expect(await say()).toEqual(['Bob changed “First” at 21:07']);
  await keep(`Before.\n\n${LONGER}`, { number: '3' }, viewer('Bob'));
  expect(await say()).toEqual(['Bob changed “Before.” at 21:07']);
  await keep(LONGER, { number: '4', '["title"]': 'Other' }, viewer('Bob'));
  expect(await post({ action: 'state' })).toMatchObject({
    hash: hashText(DRAFT),
    others: [
      { text: 'Bob changed its title or settings at 21:07', href: expect.stringContaining('copy=Bob') },
    ],
  });
});

it('an operator who may not publish writes in a public piece, and saves nothing', async () => {
  write(SHOWN);
  const eve = viewer('Eve', ['content']);
  expect(await keep(LONGER, {}, eve)).toMatchObject({ said: 'Saved 21:06, not public.' });
  expect(await open(eve)).toMatchObject({ readOnly: null, unsaved: expect.stringContaining('may publish') });
  const form = { action: 'save', opened: hashText(SHOWN), body: LONGER };
  expect(await post(form, eve)).toMatchObject({ status: 403 });
  await expect(keep(LONGER, {}, viewer('Eve', ['money']))).rejects.toThrow('may not');
  expect(read()).toBe(SHOWN);
});

it('keeps a text without scripts, and that of another tab until it was seen', async () => {
  const form = { action: 'keep', opened: hashText(DRAFT), draft: DRAFT };
  const saved = { location: `/console/content/${FILE}`, message: expect.stringMatching(/^Saved\./) };
  const readHash = async () => (await open())?.kept?.hash ?? '';
  expect(await post({ ...form, kept: '', body: 'One.' })).toMatchObject(saved);
  const first = await readHash();
  expect(await post({ ...form, kept: first, body: 'Two.' })).toMatchObject(saved);
  for (const kept of ['', first])
    expect(await post({ ...form, kept, body: 'Three.' })).toMatchObject({
      status: 409,
      message: expect.stringContaining('another tab'),
      draft: { text: expect.stringContaining('Three.') },
    });
  expect((await open())?.body).toContain('Two.');
  // The same again, after a response that was lost.
  expect(await post({ ...form, kept: '', body: 'Two.' })).toMatchObject(saved);
  expect(await post({ ...form, kept: await readHash(), body: 'Three.' })).toMatchObject(saved);
  expect((await open())?.body).toContain('Three.');
});

it('shows a text again that has no file any more, without scripts', async () => {
  const form = { action: 'keep', opened: hashText(DRAFT), draft: DRAFT, kept: '', body: 'Mine.' };
  rmSync(path.join(root, FILE));
  expect(await post(form)).toMatchObject({
    status: 409,
    message: 'Not saved: the file is not on the server any more.',
    draft: { text: expect.stringContaining('Mine.') },
  });
});

it('saves a draft in which nothing was written for ten minutes, as its operator; the page goes on from it', async () => {
  const run = createDraftJob(site);
  const { hash } = await keep(LONGER);
  now += 10 * MINUTE - 1;
  await run();
  expect(read()).toBe(DRAFT);
  now += 1;
  await run();
  expect(read()).toBe(DRAFT.replace('Two.', 'Two, and more.'));
  expect(await site.content.versions.readCopies()).toEqual([]);
  expect((await site.content.versions.readAll(FILE))[0]).toMatchObject({ operator: 'Ada' });
  // The form has the hash of the file that it was opened with, and of what was kept of it.
  const later = { opened: hashText(DRAFT), kept: hash, number: '2' };
  expect(await keep(`${LONGER}Three.\n`, later)).toMatchObject({ isChanged: false });
  expect(await open()).toMatchObject({ conflict: null, opened: hash });
  const published = { action: 'publish', opened: hashText(DRAFT), draft: read() };
  expect(await post(published)).toMatchObject({ isError: false });
});

it.each(['drop-copy', 'take-copy'])(
  'offers the text of an operator who was removed until %s',
  async (action) => {
    write(SHOWN);
    await keep(LONGER, {}, viewer('Bob'));
    expect((await open())?.others).toMatchObject([{ text: expect.stringContaining('Bob changed') }]);
    await post({ action: 'drop-copy', from: 'Bob' });
    await site.operators.accounts.removeOperator('Bob');
    const text = expect.stringContaining('Bob, who was removed, changed');
    expect((await open())?.others).toMatchObject([{ text }]);
    expect((await open(viewer('Ada'), 'copy=Bob'))?.compared).toMatchObject({ isRemoved: true });
    expect(await post({ action, from: 'Bob' })).toMatchObject({ isError: false });
    const left =
      action === 'take-copy' ? [{ operator: 'Ada', text: expect.stringContaining('Two, and more.') }] : [];
    expect(await site.content.versions.readCopies()).toMatchObject(left);
  },
);

const keepShown = (text: string) => {
  write(text);
  return keep(LONGER);
};

it.each<[name: string, prepare: () => Promise<unknown>]>([
  ['that visitors see', () => keepShown(SHOWN)],
  ['that visitors will see', () => keepShown(SHOWN.replace('2026-01', '2999-01'))],
  ['that would become public', () => keep('', { text: SHOWN })],
  ['that was changed meanwhile', () => keep(LONGER).then(() => write(DRAFT.replace('One', 'Three')))],
  ['that is invalid', () => keep(LONGER, { '["title"]': '' })],
  ['of an operator who is gone', () => keep(LONGER, {}, viewer('Eve'))],
])('leaves a file %s alone, and the text where it is', async (_, prepare) => {
  await prepare();
  const [before, copies] = [read(), await site.content.versions.readCopies()];
  now += 10 * MINUTE;
  const run = createDraftJob(site);
  await run();
  await run();
  expect(read()).toBe(before);
  expect(await site.content.versions.readCopies()).toEqual(copies);
});
