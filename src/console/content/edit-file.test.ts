import { chmodSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { Lexer } from 'yaml';
import {
  buildForm,
  buildPartner,
  buildViewRequest,
  CONSOLE_NOW,
  createConsoleLedger,
  createTestConsole,
  postForm,
} from '../../../test/support/console-ledger.ts';
import { copyContent } from '../../../test/support/content-copy.ts';
import { createFolder, createSmallContent } from '../../../test/support/create-folder.ts';
import { SHIPPED_CONTENT } from '../../../test/support/sample-content.ts';
import { ContentFiles } from '../../content-files/content-files.ts';
import { findFormSchema } from '../../content-files/edit/plan-form.ts';
import { hashText } from '../../content-files/parse-yaml.ts';
import { DAY_MS } from '../../core/clock.ts';
import { NO_IMAGES } from '../../core/pages/images/content-image.ts';
import { LinkRequestError } from '../../sources/links/link-request.ts';
import type { ConsoleSite } from '../console-site.ts';
import type { DifferenceRow } from './history.ts';
import { readContentFile } from './read-file.ts';

const PAGE = `# The page of help.
title: Help with it
description: A page that is written by a test, long enough for search results.
sections:
  # At the top.
  - { type: hero, title: Help }

  - type: faq
    items:
      - question: How?
        answer: So.
`;
const LATER = 'What the operator wrote after the difference was shown, as long as it has to be.';
const FILE = 'pages/written.yaml';

let root: string;
let site: ConsoleSite;
beforeEach(async () => {
  root = createFolder();
  createSmallContent(root, { [FILE]: () => PAGE });
  const created = await createTestConsole();
  const files = new ContentFiles(root, () => NO_IMAGES);
  site = { ...created, platform: { ...created.platform, content: { ...created.platform.content, files } } };
});

/** Adds a partner of the shipped content with its product. */
function addPartner(key: string): void {
  for (const file of [`partners/${key}.yaml`, `products/${key}.yaml`])
    cpSync(path.join(SHIPPED_CONTENT, file), path.join(root, file));
}

const request = (search = '', file = FILE) => buildViewRequest({ rest: file.split('/'), search });
const name = (...at: (string | number)[]) => JSON.stringify(at);
const read = (file = FILE) => readFileSync(path.join(root, file), 'utf8');
const open = async (search = '', file = FILE) => {
  const model = await readContentFile(site, request(search, file));
  if (model === null) throw new Error('there is no such file');
  return model;
};
const post = async (fields: Readonly<Record<string, string>>, file = FILE, search = '') => {
  const { opened, text } = await open('', file);
  const sent = { opened, draft: text, action: 'save', ...fields };
  return postForm(site, 'content', sent, request(search, file));
};

/** The lines that differ, `before > after`. */
const listChanges = (rows: readonly (DifferenceRow | null)[]) => {
  const join = (line: DifferenceRow['after']) =>
    line?.parts
      .map(({ text }) => text)
      .join('')
      .trim() ?? '';
  return rows.flatMap((row) => (row?.isChanged ? [`${join(row.before)} > ${join(row.after)}`] : []));
};

it('saves the fields that differ, and no other byte of the file', async () => {
  const saved = await post({
    [name('title')]: 'Help: "all" # of it',
    [name('sections', 0, 'title')]: 'Help',
  });
  expect(saved).toEqual({
    location: '/console/content/pages/written.yaml',
    message: 'Saved. Visitors see it now.',
    isError: false,
    note: '',
  });
  expect(read()).toBe(PAGE.replace('title: Help with it', `title: 'Help: "all" # of it'`));
});

it.each([
  ['a field that is saved', 2, { action: 'save', [name('title')]: 'Other title' }],
  [
    'two fields that are saved',
    2,
    { action: 'save', [name('title')]: 'Other title', [name('description')]: LATER },
  ],
  ['a text that is published', 2, { action: 'publish', text: `draft: true\n${PAGE}# More.\n` }],
  ['a field that is published', 3, { action: 'publish', [name('title')]: 'Other title' }],
])('parses each text of a file once: with %s, %i texts', async (_, count, fields) => {
  writeFileSync(path.join(root, FILE), `draft: true\npublishedAt: 2999-01-01\n${PAGE}`);
  const { opened, text } = await open();
  const lex = vi.spyOn(Lexer.prototype, 'lex');
  const sent = { opened, draft: text, ...fields };
  const answer = Object(await postForm(site, 'content', sent, request('?item=sections.0')));
  const parsed = lex.mock.calls.filter(([source]) => source.includes('# At the top.'));
  lex.mockRestore();
  expect(answer.isError).toBe(false);
  // Its size is looked at first.
  expect(parsed.length / 2).toBe(count);
});

it('publishes no text that a rule does not allow, until it is allowed with a reason', async () => {
  const text = `draft: true\n${PAGE}`.replace('answer: So.', 'answer: 4.5 stars.');
  const publish = async (words: string) => Object(await post({ action: 'publish', text: words }));
  const refused = await publish(text);
  expect(refused).toMatchObject({ status: 422, isError: true });
  expect(refused.message).toMatch(
    /^Nothing was saved\. section 2 \(faq\), item 1, field answer: "4.5 stars": from where/,
  );
  expect(read()).toBe(PAGE);
  const reason = '{ rule: stars-source, reason: counted today, by: Ada, day: 2026-01-01 }';
  expect(await publish(`${text}allow: [${reason}]\n`)).toMatchObject({ isError: false });
  expect(read()).toContain('4.5 stars');
});

const STARS = PAGE.replace('answer: So.', 'answer: 4.5 stars.');
const DRAFT = `draft: true\n${STARS}`;
const OTHER = STARS.replace('question: How?', 'question: 4.5 stars?');
const SCHEDULED = `publishedAt: 2999-01-01\n`;

it.each<[way: string, before: string, fields: Readonly<Record<string, string>>]>([
  ['the field of its draft', DRAFT, { [name('draft')]: '' }],
  ['the whole text', DRAFT, { text: STARS }],
  ['the whole text of another draft', `draft: true\n${PAGE}`, { text: STARS }],
  ['a time of publication', DRAFT, { text: SCHEDULED + STARS }],
  ['an edit of what is scheduled', SCHEDULED + STARS, { [name('title')]: 'Other title' }],
  ['an edit of what is public', PAGE, { [name('sections', 1, 'items', 0, 'answer')]: '4.5 stars.' }],
  ['the same words once more', STARS, { text: OTHER }],
  ['the old text over another one', PAGE, { action: 'overwrite', current: hashText(PAGE), text: STARS }],
])('what the button Publish refuses becomes public by no other way: by %s', async (_, before, fields) => {
  writeFileSync(path.join(root, FILE), before);
  const refused = Object(await post(fields));
  expect(refused).toMatchObject({ status: 422, isError: true });
  expect(refused.message).toMatch(/^Nothing was saved\. section \d.*"4.5 stars": from where/);
  expect(read()).toBe(before);
});

it.each<[what: string, before: string, fields: Readonly<Record<string, string>>]>([
  ['another field is corrected', STARS, { [name('title')]: 'Other title' }],
  [
    'its section is moved',
    STARS,
    { text: STARS.replace(/( {2}# At[\s\S]*\n)\n( {2}- type[\s\S]*)/, '$2$1') },
  ],
  ['one of two goes', OTHER, { [name('sections', 1, 'items', 0, 'question')]: 'How?' }],
  ['it becomes a draft', STARS, { text: DRAFT }],
  ['a draft gets more of it', DRAFT, { text: `draft: true\n${OTHER}` }],
])('what was public with a fault can still be edited: %s', async (_, before, fields) => {
  writeFileSync(path.join(root, FILE), before);
  expect(await post(fields)).toMatchObject({ isError: false });
  expect(read()).not.toBe(before);
});

it.each(['x', '', 'overwrite:1', 'invite'])('changes nothing by a form that asks for “%s”', async (asked) => {
  const fields = { action: asked, [name('title')]: 'Other' };
  expect(await post(fields)).toMatchObject({
    isError: true,
    message: expect.stringContaining('is incomplete'),
  });
  expect(read()).toBe(PAGE);
});

it('shows visitors what was saved at once, and says what keeps them from seeing it', async () => {
  const applied: string[] = [];
  const warnings: string[] = [];
  site = {
    ...site,
    content: {
      ...site.content,
      applyEdits: async (files) => void applied.push(...files),
      readWarnings: () => warnings,
    },
  };
  const save = async (title: string, more = '') =>
    Object(await post({ text: `${more}${PAGE.replace('Help with it', title)}` })).message;
  expect(await save('One')).toBe('Saved. Visitors see it now.');
  expect(applied).toEqual([FILE]);
  expect(await save('Two', 'draft: true\n')).toBe('Saved. It is a draft, so visitors do not see it.');
  expect(await save('Three', 'publishedAt: 2999-01-01\n')).toBe('Saved. Visitors see it at its time.');
  warnings.push('content: an edit is not shown: content/site.yaml: name is missing');
  expect(await save('Four')).toBe(
    'Saved, but visitors do not see all of it yet: an edit is not shown: content/site.yaml: name is missing.',
  );
});

it('moves and adds sections, and names the field of what is wrong in one', async () => {
  const { sections, ...rest } = Object((await open()).fields?.value);
  const front = { ...rest, title: 'Other', sections: [...sections.toReversed(), { type: 'prose' }] };
  const refused = await post({ front: JSON.stringify(front) });
  expect(refused).toMatchObject({ status: 422, isError: true });
  if (!('draft' in refused)) throw new Error('it was saved');
  expect(read()).toBe(PAGE);
  expect(refused.draft.text).toContain('\n\n  - type: prose\n');
  const shown = await readContentFile(site, { ...request(), draft: refused.draft });
  const body = { field: name('sections', 2, 'body') };
  expect(shown?.problems).toMatchObject([
    {
      ...body,
      text: expect.stringMatching(/^Sections › 3 Text › Body: /),
      line: { text: '  - type: prose' },
    },
  ]);
  expect(shown?.fields).toMatchObject({ problems: [body], at: 'sections.2.body' });
  await post({ draft: refused.draft.text, [name('sections', 2, 'body')]: 'One.\r\n\r\nTwo.' });
  expect(read()).toMatch(
    /^# The page of help\.\ntitle: Other\n[\s\S]*\n {2}- type: faq[\s\S]*- \{ type: hero/,
  );
  expect(read()).toContain('    body: |-\n      One.\n\n      Two.\n');
});

it('joins what was changed meanwhile in other fields, and says with whom', async () => {
  const { opened, text } = await open();
  const other = PAGE.replace('How?', 'Why?');
  await post({ text: other });
  const form = buildForm({ opened, draft: text, action: 'save', [name('title')]: 'Mine' });
  expect(await postForm(site, 'content', form, request())).toMatchObject({
    isError: false,
    message: 'Saved. Visitors see it now. Joined with a change in another tab.',
  });
  expect(read()).toBe(other.replace('Help with it', 'Mine'));
  expect((await open()).history.versions.map(({ operator }) => operator)).toEqual(['Ada', 'Ada', '']);
  // The same form once more, and one that does not send the text it began with.
  expect(await postForm(site, 'content', form, request())).toMatchObject({ isError: false });
  expect(read()).toBe(other.replace('Help with it', 'Mine'));
  const short = buildForm({
    opened,
    action: 'save',
    page: 'p',
    [name('title')]: 'Mine',
    [name('description')]: LATER,
  });
  const viewer = { ...request().viewer, name: 'Marco' };
  const answer = await postForm(site, 'content', short, { ...request(), viewer });
  if (!(answer instanceof Response)) throw new Error('it is a page');
  expect(await answer.json()).toEqual({
    message: 'Saved. Visitors see it now. Joined with a change by Ada.',
    opened: hashText(read()),
    joined: null,
  });
  expect(read()).toContain(`description: ${LATER}`);
  expect(read()).toContain('Why?');
});

it.each<[what: string, meanwhile: string | null, fields: Readonly<Record<string, string>>]>([
  ['the same field', PAGE.replace('Help with it', 'Theirs'), { action: 'save' }],
  ['its state', `draft: true\n${PAGE}`, { action: 'save' }],
  ['whether it is there', null, { action: 'save' }],
  ['another field, and it is published', PAGE.replace('How?', 'Why?'), { action: 'take-down' }],
  [
    'another field, and a version is put back',
    PAGE.replace('How?', 'Why?'),
    { action: 'restore', version: '1' },
  ],
])('joins nothing where somebody has changed %s', async (_, meanwhile, fields) => {
  const { opened, text } = await open();
  if (meanwhile === null) rmSync(path.join(root, FILE));
  else writeFileSync(path.join(root, FILE), meanwhile);
  const form = buildForm({ opened, draft: text, [name('title')]: 'Mine', ...fields });
  expect(await postForm(site, 'content', form, request())).toMatchObject({ status: 409, isError: true });
  expect(meanwhile === null || read() === meanwhile).toBe(true);
});

it('saves nothing over a file that was changed meanwhile, and shows what differs', async () => {
  const { opened, text } = await open();
  writeFileSync(path.join(root, FILE), PAGE.replace('How?', 'Why?').replace('with it', 'with that'));
  const form = buildForm({ opened, draft: text, action: 'save', [name('title')]: 'Mine' });
  const refused = await postForm(site, 'content', form, request());
  expect(refused).toMatchObject({ status: 409, isError: true });
  if (!('draft' in refused)) throw new Error('it was saved');
  const shown = await readContentFile(site, { ...request(), draft: refused.draft });
  expect(listChanges(shown?.conflict?.rows ?? [])).toEqual([
    'Title: Help with that > Title: Mine',
    '- Question: Why? > - Question: How?',
  ]);
  expect(shown?.text).toContain('title: Mine');
  expect(read()).toContain('Why?');
  const overwrite = { opened, draft: refused.draft.text, [name('description')]: LATER };
  await postForm(
    site,
    'content',
    { ...overwrite, action: 'overwrite', current: shown?.conflict?.hash ?? '' },
    request(),
  );
  expect(read()).toContain('title: Mine');
  expect(read()).toContain(`description: ${LATER}`);
  expect(read()).toContain('How?');
});

it('takes a text that is sent again after its response was lost as saved, once', async () => {
  const { opened, text } = await open();
  const form = () => buildForm({ opened, draft: text, action: 'save', [name('title')]: 'Mine' });
  await postForm(site, 'content', form(), request('at=sections.1'));
  const again = await postForm(site, 'content', form(), request('at=sections.1'));
  const location = '/console/content/pages/written.yaml?at=sections.1';
  expect(again).toMatchObject({ location, isError: false });
  expect((await open()).history.versions).toHaveLength(2);
});

it('has each version with who saved it, and puts one back', async () => {
  await post({ [name('title')]: 'Second' });
  writeFileSync(path.join(root, FILE), PAGE.replace('Help with it', 'Third'));
  const { history } = await open();
  expect(history.versions.map(({ number, operator }) => [number, operator])).toEqual([
    [3, ''],
    [2, 'Ada'],
    [1, ''],
  ]);
  expect(history.versions[1]?.savedAt).toBe(CONSOLE_NOW);
  const { compared } = (await open('view=history&older=1&newer=3')).history;
  expect(listChanges(compared?.rows ?? [])).toEqual(['Title: Help with it > Title: Third']);
  const opened = hashText(PAGE);
  expect(await post({ action: 'restore', version: '1', opened })).toMatchObject({
    status: 409,
    draft: { text: PAGE },
  });
  expect(await post({ action: 'restore', version: '1', view: 'history' })).toMatchObject({
    isError: false,
    location: '/console/content/pages/written.yaml?view=history',
  });
  expect(read()).toBe(PAGE);
  expect(await post({ action: 'restore', version: '9' })).toMatchObject({ status: 422 });
});

const OLD = PAGE.replace('Help with it', 'Old title');
const STATES: readonly [what: string, old: string, now: string, state: string][] = [
  ['that was a draft', `draft: true\n${OLD}`, PAGE, ''],
  ['that was public', OLD, `draft: true\n${PAGE}`, 'draft: true\n'],
  ['that was a draft', `draft: true\n${OLD}`, SCHEDULED + PAGE, SCHEDULED],
  ['that was scheduled', SCHEDULED + OLD, PAGE, ''],
  ['that was at another address', `address: /old/\n${OLD}`, `address: /now/\n${PAGE}`, 'address: /now/\n'],
  ['that was at another address', `address: /old/\n${OLD}`, PAGE, ''],
];

it.each(STATES)('puts back the text of a version %s, and never its state', async (_, old, now, state) => {
  writeFileSync(path.join(root, FILE), old);
  await open();
  writeFileSync(path.join(root, FILE), now);
  await site.content.applyEdits([FILE]);
  const { opened } = await open();
  for (let press = 0; press < 2; press += 1) {
    expect(await post({ action: 'restore', version: '1' })).toMatchObject({
      isError: false,
      message: 'Version 1 is put back. Its state and its address stay as they are now.',
    });
    const lines = (text: string) => text.split('\n').sort();
    expect(lines(read())).toEqual(lines(state + OLD));
  }
  // Another tab still shows what was there before.
  expect(await post({ action: 'restore', version: '2', opened })).toMatchObject({ status: 409 });
  expect(await post({ action: 'restore', version: '2' })).toMatchObject({ isError: false });
  const lines = (text: string) => text.split('\n').sort();
  expect(lines(read())).toEqual(lines(now));
});

it('creates a file again that was removed while it was edited, or whose version is put back', async () => {
  const { opened } = await open();
  rmSync(path.join(root, FILE));
  const form = buildForm({ opened, text: PAGE.replace('How?', 'Why?'), action: 'save' });
  const refused = await postForm(site, 'content', form, request());
  expect(refused).toMatchObject({ status: 409, draft: { opened: '', current: null } });
  const again = buildForm({ opened: '', text: PAGE.replace('How?', 'Why?'), action: 'save' });
  expect(await postForm(site, 'content', again, request())).toMatchObject({ isError: false });
  rmSync(path.join(root, FILE));
  expect(await readContentFile(site, request())).toMatchObject({ isGone: true, view: 'history', opened: '' });
  const back = await postForm(site, 'content', { opened: '', action: 'restore', version: '1' }, request());
  expect(back).toMatchObject({ message: 'Version 1 is put back. It is a draft.' });
  expect(read().split('\n').sort()).toEqual(`draft: true\n${PAGE}`.split('\n').sort());
  expect(await readContentFile(site, request('', 'pages/never.yaml'))).toBeNull();
});

it('saves a file whose version and log entry cannot be stored, and says so', async () => {
  const fail = () => Promise.reject(new Error('the disk is full'));
  const broken = { readAll: fail, add: fail, readText: fail, readTexts: fail, readCopies: fail };
  const form = buildForm({ opened: hashText(PAGE), text: PAGE.replace('How?', 'Why?'), action: 'save' });
  const saved = await postForm(
    {
      ...site,
      content: { ...site.content, versions: broken },
      activity: broken,
    } as unknown as ConsoleSite,
    'content',
    form,
    request(),
  );
  expect(saved).toMatchObject({ isError: false });
  expect(Object(saved).message).toMatch(/^Saved\..* could not be stored/);
  expect(read()).toContain('Why?');
});

it('saves a whole text, and names the line where it is wrong', async () => {
  await post({ text: PAGE.replace('How?', 'When?').replaceAll('\n', '\r\n') });
  expect(read()).toBe(PAGE.replace('How?', 'When?'));
  const refused = await post({ text: `${PAGE}  - { type: faqq }\n` });
  if (!('draft' in refused)) throw new Error('it was saved');
  const shown = await readContentFile(site, { ...request('view=text'), draft: refused.draft });
  expect(shown?.problems[0]).toMatchObject({
    text: expect.stringMatching(/^Sections › 3 Faqq › Type: /),
    line: { number: 12, text: '  - { type: faqq }' },
  });
  expect(shown?.text).toContain('faqq');
});

it('changes the fields and the text of an article apart from each other', async () => {
  const file = 'articles/written.md';
  const article =
    '---\ntitle: Words # a comment\nexcerpt: An excerpt.\ncategories: [Guides]\npublishedAt: 2026-01-01\n---\n\nThe *body*.\n';
  writeFileSync(path.join(root, file), article);
  const { body } = await open('', file);
  expect(body).toBe('The *body*.');
  await post({ body: 'The *body*.', [name('categories')]: 'Guides\r\nGrowth' }, file);
  expect(read(file)).toBe(article.replace('[Guides]', '[Guides, Growth]'));
  await post({ body: 'Other.\r\n\r\nWords.' }, file);
  expect(read(file)).toBe(
    article.replace('[Guides]', '[Guides, Growth]').replace('The *body*', 'Other.\n\nWords'),
  );
});

it.each(['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty'])(
  'takes %s as the folder of a file for none that there is',
  (folder) => expect(findFormSchema(`${folder}/x.yaml`)).toBeNull(),
);

it('an operator who may edit saves drafts, and changes nothing that visitors see or will see', async () => {
  const viewer = { kind: 'operator', id: 'o-2', name: 'Eve', capabilities: ['content'] } as const;
  const draft = PAGE.replace('title: Help with it', 'title: Help with it\ndraft: true');
  const save = async (file: string, text: string, before: string | null) =>
    postForm(
      site,
      'content',
      { text, action: 'save', opened: before === null ? '' : hashText(before) },
      { ...request('', file), viewer },
    );
  const refused = { status: 403, isError: true, message: expect.stringContaining('who may publish') };
  expect(await save(FILE, PAGE.replace('How?', 'Why?'), PAGE)).toMatchObject({
    ...refused,
    draft: { text: expect.stringContaining('Why?') },
  });
  expect(await save(FILE, draft, PAGE)).toMatchObject(refused);
  expect(await save('pages/new-page.yaml', PAGE, null)).toMatchObject(refused);
  const settings = read('site.yaml');
  expect(await save('site.yaml', `${settings}# A comment.\n`, settings)).toMatchObject(refused);
  expect(await save('site.yaml', `draft: true\n${settings}`, settings)).toMatchObject(refused);
  const scheduled = PAGE.replace('title: Help with it', 'title: Help with it\npublishedAt: 2099-01-01');
  expect(await save('pages/new-page.yaml', scheduled, null)).toMatchObject(refused);
  expect(await save('pages/new-page.yaml', draft, null)).toMatchObject({ isError: false });
  expect(await save('pages/new-page.yaml', `${draft}# More.\n`, draft)).toMatchObject({ isError: false });
  expect(await save('pages/new-page.yaml', PAGE, `${draft}# More.\n`)).toMatchObject(refused);
  expect([read(), read('site.yaml'), read('pages/new-page.yaml')]).toEqual([
    PAGE,
    settings,
    `${draft}# More.\n`,
  ]);
  const shown = await readContentFile(site, { ...request(), viewer });
  expect(shown).toMatchObject({ readOnly: null, unsaved: expect.stringContaining('You may edit drafts') });
  const other = await readContentFile(site, { ...request('', 'site.yaml'), viewer });
  expect(other?.readOnly).toContain('You may edit drafts');
});

it('notes in the log who created, saved and put back a file', async () => {
  const first = read();
  await post({ [name('title')]: 'Second' });
  await post({ draft: first });
  const entries = await site.operators.activity.read(null, { offset: 0, limit: 9 });
  expect(entries.map(({ operator, subject, text }) => [operator, subject, text])).toEqual([
    ['Ada', 'content', `Put back version 1 of content/${FILE}.`],
    ['Ada', 'content', `Saved content/${FILE}.`],
  ]);
  expect(entries[0]?.href).toBe(`/console/content/${FILE}?view=history`);
});

it('saves nothing of an operator who may not edit, of a site whose content is built, and of a folder that cannot be written', async () => {
  const viewer = { kind: 'operator', id: 'o-2', name: 'Eve', capabilities: ['money'] } as const;
  const form = buildForm({ action: 'save', draft: PAGE, [name('title')]: 'Other' });
  await expect(postForm(site, 'content', form, { ...request(), viewer })).rejects.toThrow('may not');
  const { content } = site.platform;
  const built = {
    ...site,
    platform: {
      ...site.platform,
      content: {
        ...content,
        files: null,
        builtFiles: { list: () => [], read: () => ({ text: PAGE, hash: 'hash' }) },
      },
    },
  };
  expect(await postForm(built, 'content', form, request())).toMatchObject({
    message: expect.stringContaining('signpost edge'),
    isError: true,
  });
  expect((await readContentFile(built, request()))?.readOnly).toContain('signpost edge deploy');
  // The superuser of a machine can write everywhere.
  if (process.getuid?.() !== 0) {
    chmodSync(root, 0o555);
    expect((await open()).readOnly).toContain('cannot be written');
    chmodSync(root, 0o755);
  }
  expect(read()).toBe(PAGE);
});

it('writes the sites beside this one where there is no file yet, and adds a link of a plugin by its address', async () => {
  const file = 'beside.yaml';
  addPartner('highlevel');
  const front = JSON.stringify({ hosts: [], cloaked: { 'blog.example/go/crm': '' } });
  expect(await post({ action: 'check', front }, file)).toMatchObject({
    draft: { text: 'hosts: []\ncloaked:\n  blog.example/go/crm: ""\n' },
  });
  const text =
    'hosts: [{ name: Blog, address: https://blog.example }]\ncloaked: { blog.example/go/crm: highlevel }\n';
  expect(
    await post({ action: 'save', view: 'text', text: text.replace('highlevel', 'nobody') }, file),
  ).toMatchObject({ status: 422 });
  expect(await post({ action: 'save', view: 'text', text }, file)).toMatchObject({ isError: false });
  expect(read(file)).toBe(text);
  expect((await open('', file)).text).toBe(text);
});

it('tests an address of a partner as it is written, and says where it leads', async () => {
  addPartner('highlevel');
  const file = 'partners/highlevel.yaml';
  const sent: string[] = [];
  const createLinkRequests = () => (url: URL) => {
    sent.push(url.href);
    return Promise.reject(new LinkRequestError('refused'));
  };
  site = { ...site, platform: { ...site.platform, createLinkRequests } };
  const { text } = await open('', file);
  const draft = text.replace('value: hlmax', 'value: mine');
  const tested = await post({ action: 'test-destination', draft }, file, 'destination=demo');
  expect(tested).toMatchObject({ status: 200, message: expect.stringMatching(/^demo leads to https:/) });
  expect(sent).toEqual([expect.stringContaining('/demo?fp_ref=mine&fp_sid=lw')]);
  expect(read(file)).toBe(text);
  expect(await post({ action: 'test-destination', draft }, file, 'destination=demo')).toMatchObject({
    message: expect.stringContaining('a moment ago'),
  });
});

it.each([
  { host: 'saved.example', sends: 1 },
  { host: 'invented.example', sends: 0 },
])('sends $sends requests to $host for an operator who may not publish', async ({ host, sends }) => {
  addPartner('highlevel');
  const file = 'partners/highlevel.yaml';
  let sent = 0;
  const createLinkRequests = () => () => {
    sent += 1;
    return Promise.reject(new LinkRequestError('refused'));
  };
  const partners = new Map([
    ['saved', buildPartner('saved', { destinations: new Map([['home', 'https://saved.example/']]) })],
  ]);
  const { text } = await open('', file);
  const tester = {
    ...site,
    content: { ...site.content, read: () => ({ ...site.content.read(), partners }) },
    platform: { ...site.platform, createLinkRequests },
  };
  const viewer = { kind: 'operator', id: 'o-2', name: 'Bob', capabilities: ['content'] } as const;
  const form = buildForm({
    opened: '',
    text: text.replaceAll('www.gohighlevel.com', host),
    action: 'test-destination',
  });
  await postForm(tester, 'content', form, { ...request('destination=demo', file), viewer });
  expect(sent).toBe(sends);
});

it('shows what names a file, and its figures', async () => {
  copyContent(root);
  const product = await open('', 'products/kit.yaml');
  expect(product.notes?.uses?.map(({ file }) => file)).toContain('articles/kit-for-course-creators.md');
  expect(product.notes?.figures).toContainEqual({
    name: 'trial:days',
    value: expect.stringMatching(/^\d+$/),
    checked: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  });
  expect((await open()).notes?.uses).toBeNull();
});

const ask = async (fields: Readonly<Record<string, string>>, from = site, who = request().viewer) => {
  const response = await postForm(from, 'content', fields, { ...request(), viewer: who });
  return response instanceof Response ? response.json() : response;
};

it('says what the links to a partner earned, and nothing of it to those without money', async () => {
  const ledger = await createConsoleLedger({ now: () => CONSOLE_NOW - 20 * DAY_MS });
  const money = { action: 'choices', of: 'money' };
  expect(await ask(money, ledger)).toEqual({
    earned: [{ name: 'GoHighLevel', kind: '$40.00 in 30 days', value: '/go/highlevel' }],
  });
  expect(await ask(money, ledger, PUBLISHER)).toEqual({ earned: [] });
});

it.each([
  ['https://kit.com/', '/go/kit', ''],
  ['https://kit.com/pricing?via=bob', '/go/kit', 'bob'],
  ['https://kit.com/?lmref=me', '/go/kit', ''],
  ['https://elsewhere.example/', '', ''],
])('finds the own link for the pasted address %s, and whose tag it has', async (address, href, tag) => {
  const affiliate = { parameter: 'lmref', value: 'me' };
  const partners = new Map([['kit', buildPartner('kit', { site: 'https://kit.com/', affiliate })]]);
  const content = { ...site.content.read(), partners };
  Object.assign(site.content, { read: () => content });
  expect(await ask({ action: 'paste', address })).toMatchObject({ href, ...(href !== '' && { tag }) });
  // Links of what was copied stay until the operator is asked.
  const copied = await ask({ action: 'paste', html: `<p><a href="${address}">It</a> is <b>good</b>.</p>` });
  const own = href === '' ? {} : { [address]: href };
  expect(copied).toMatchObject({ markdown: `[It](${address}) is **good**.`, own });
});

it('offers pieces as cards, those with a calculator as such', async () => {
  const page = { title: 'Costs *now*', description: 'What it costs.', sections: [] };
  const sections = [{ type: 'savings-calculator' }];
  const pages = new Map([
    ['/costs', page],
    ['/save', { ...page, sections }],
  ]);
  const content = { ...site.content.read(), pages };
  Object.assign(site.content, { read: () => content });
  const { cards } = await ask({ action: 'choices', of: 'cards' });
  const value = '**[Costs \\*now\\*](/costs)**\\\nWhat it costs.';
  expect(cards).toEqual([
    { name: 'Costs *now*', kind: 'Page', value },
    { name: 'Costs *now*', kind: 'Calculator', value: value.replace('/costs', '/save') },
  ]);
});

const KIT = 'partners/kit.yaml';
const PUBLISHER = {
  kind: 'operator',
  id: 'eve',
  name: 'Eve',
  capabilities: ['content', 'publish'],
} as const;
/** Saves a text of a partner as an operator who may publish and not manage. */
const savePartner = async (text: string, more: Readonly<Record<string, string>> = {}) => {
  const { opened } = await open('', KIT);
  const sent = { opened, draft: text, action: 'save', ...more };
  return postForm(site, 'content', sent, { ...request('', KIT), viewer: PUBLISHER });
};

it.each([
  ['the id', (text: string) => text.replace(/value: \S+/, 'value: thief')],
  ['the id in other words', (text: string) => text.replace(/value: \S+/, 'value: "th\\x69ef"')],
  ['the id by a key in quotes', (text: string) => text.replace(/value: \S+/, '"v\\x61lue": thief')],
  ['the parameter', (text: string) => text.replace(/(affiliate:\n +parameter: )\S+/, '$1via')],
  ['a destination', (text: string) => text.replace(/(pricing: https:\/\/\S+)/, '$1-plans')],
  [
    'a region',
    (text: string) => `${text}regions: { DE: { pricing: "${/pricing: (\S+)/.exec(text)?.[1]}/de" } }\n`,
  ],
])('asks who may publish and not manage to confirm %s of a partner', async (_, change) => {
  addPartner('kit');
  const before = read(KIT);
  const text = change(before);
  expect(text).not.toBe(before);
  const asked = await savePartner(text);
  if (!('draft' in asked)) return expect.unreachable('it was saved');
  const { payee } = asked.draft;
  if (payee === undefined) return expect.unreachable('nothing was asked');
  expect([asked.status, payee.values.length, read(KIT)]).toEqual([409, 1, before]);
  const other = before.replace(/value: \S+/, 'value: another');
  expect(await savePartner(other, { payee: payee.hash })).toMatchObject({ status: 409 });
  expect(await savePartner(text, { payee: payee.hash })).toMatchObject({ isError: false });
  expect(read(KIT)).toBe(text);
});

it('asks nobody to confirm what pays nobody else, nor an operator who may manage', async () => {
  addPartner('kit');
  const text = read(KIT).replace(/^campaign: .*$/m, 'campaign: spring');
  expect(await savePartner(text)).toMatchObject({ isError: false });
  const other = text.replace(/value: \S+/, 'value: other');
  expect(await post({ draft: other }, KIT)).toMatchObject({ isError: false });
  expect(read(KIT)).toBe(other);
});
