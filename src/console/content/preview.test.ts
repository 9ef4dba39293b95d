import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { readImageCatalog } from '../../../scripts/build/read-image-catalog.ts';
import { createTestConsole } from '../../../test/support/console-ledger.ts';
import { createFolder, createSmallContent } from '../../../test/support/create-folder.ts';
import { ContentFiles } from '../../content-files/content-files.ts';
import { ContentFolder } from '../../content-files/content-folder.ts';
import { findPagePath } from '../../content-files/kinds.ts';
import { readContent } from '../../content-files/read-content.ts';
import type { Platform } from '../../server/platform.ts';
import { BodyProcessor } from '../../sources/articles/html/body-processor.ts';
import type { ConsoleSite } from '../console-site.ts';
import { ContentPreviews, type RenderPreview } from './preview.ts';

const PAGE = `title: Help with it
description: A page that is written by a test, long enough for search results and for the notes about it.
draft: true
sections:
  - { type: newsletter, title: Letters, button: Send, consent: Yes., thanks: Thanks. }
  - { type: hero, title: Help }
`;
const ARTICLE = `---
title: Written
excerpt: What a test has written, long enough for the list.
categories: [Tests]
publishedAt: 2999-01-01
---
## First heading

Use [the form](/contact), [a page](/no-such-page) and [that](#no-such-heading).
`;
const HTML =
  '<html><head><title>T</title><script src="/a.js"></script></head><body><main><p>Three whole words</p>' +
  '<a class="x" href="/go/highlevel">Go</a><a href="#top">Up</a><script>visit()</script></main></body></html>';

let root: string;
let site: ConsoleSite;
let requests: string[];
beforeEach(async () => {
  root = createFolder();
  createSmallContent(root, {});
  const images = await readImageCatalog(root);
  const created = await createTestConsole();
  const files = new ContentFiles(root, () => images);
  const content = { ...created.platform.content, files, readImages: () => images };
  const createBodyProcessor: Platform['createBodyProcessor'] = (policy) => new BodyProcessor(policy);
  const platform = { ...created.platform, content, createBodyProcessor };
  const shown = readContent(root, { images });
  site = { ...created, content: { ...created.content, read: () => shown }, platform };
  requests = [];
});

const preview = async (file: string, text: string, html = HTML) => {
  const render: RenderPreview = async (shown, { url }) => {
    requests.push(url.replace(site.settings.siteUrl, ''));
    const found = await shown.content.articles.get('written');
    const page = shown.content.read().pages.get('/written');
    const title = found?.title ?? page?.title ?? '';
    const bodies =
      page?.sections.flatMap((one) => (one.type === 'prose' ? [`<p>${one.body}</p>`] : [])) ?? [];
    const body = Buffer.from(html.replace('Three', title).replace('<main>', `<main>${bodies.join('')}`));
    return { status: 200, headers: {}, body };
  };
  const response = await new ContentPreviews(site, render).respond(file, text);
  const sent = await response.text();
  const [, notes = ''] = /id="preview-notes">(.*?)<\/script>/.exec(sent) ?? [];
  return { response, html: sent, notes: JSON.parse(notes) };
};

it('shows the unsaved text of a draft, and which sections of it the page has', async () => {
  const { html, notes } = await preview('pages/written.yaml', PAGE);
  expect(requests).toEqual(['/written?preview=1']);
  expect(html).toContain('<p>Help with it whole words</p>');
  // Without a provider of newsletters, their section is left out.
  expect(notes).toMatchObject({ isShown: true, sections: [1] });
  expect(site.platform.content.files?.read('pages/written.yaml')).toHaveProperty('problem');
});

it('draws a section without its texts by the names of its fields, and one that lacks more as a place', async () => {
  const empty = `${PAGE.replace('  - { type: hero', '  - { type: prose }\n  - { type: hero')}  - { type: faq }\n`;
  const { html, notes } = await preview('pages/written.yaml', empty);
  const at = notes.texts.findIndex((text: { placeholder?: string }) => text.placeholder === 'Body');
  expect(notes.texts[at]).toEqual({
    section: 1,
    at: 'sections.1.body',
    value: '',
    placeholder: 'Body',
    isProse: true,
  });
  expect(html).toContain(`<p>Body<wbr data-text="${at}"></p>`);
  expect(html).toContain('<p>Help with it whole words</p>');
  expect(notes).toMatchObject({
    isShown: true,
    sections: [1, 2, 3],
    places: [{ section: 3, text: 'Questions and answers: fill in items' }],
    names: ['1 Newsletter: Letters', '2 Text', '3 Hero: Help', '4 Questions and answers'],
  });
  expect(notes.notes).toContainEqual(expect.objectContaining({ kind: 'error' }));
});

it('shows a page with what it had for a title or a description that is wrong, and reads the folder once', async () => {
  const { files } = site.platform.content;
  if (files === null) throw new Error('there is a folder');
  writeFileSync(path.join(root, 'pages/written.yaml'), PAGE);
  const read = vi.spyOn(ContentFolder.prototype, 'readFolder');
  await preview('pages/written.yaml', PAGE);
  const once = read.mock.calls.length;
  for (const wrong of ['title: ""', 'title: "<b>"\nno: field', `title: ${'x'.repeat(71)}`, 'kicker: Kick']) {
    read.mockClear();
    const text = `${PAGE.replace('title: Help with it', wrong).replace(/description: .*/, 'description: Short')}  - { type: faq }\n`;
    const { html, notes } = await preview('pages/written.yaml', text);
    expect(notes).toMatchObject({ isShown: true, sections: [1, 2], places: [{ section: 2 }] });
    expect(html).toContain('<p>A place</p>');
    if (wrong !== 'title: "<b>"\nno: field') expect(html).toContain('Help with it whole words');
    const said = notes.notes.filter(({ kind }: { kind: string }) => kind === 'error');
    expect(said).toContainEqual(expect.objectContaining({ text: expect.stringMatching(/description: /) }));
    expect(notes.notes).not.toContainEqual(
      expect.objectContaining({ text: expect.stringMatching(/^The description has/) }),
    );
    expect(read.mock.calls.length).toBe(once);
  }
  read.mockRestore();
  // A page that was never right has a title all the same.
  rmSync(path.join(root, 'pages/written.yaml'));
  const { html, notes } = await preview('pages/written.yaml', 'sections:\n  - { type: prose }\n');
  expect(notes).toMatchObject({ isShown: true, sections: [0] });
  expect(html).toContain('<p>Body<wbr');
});

it('marks a text that stands in its section twice, and no text of a page that is not written', async () => {
  const twice = `${PAGE}  - { type: prose, title: The same, body: The same }\n`;
  const { html, notes } = await preview('pages/written.yaml', twice);
  expect(notes.texts).toContainEqual({ section: 1, at: 'sections.1.title', value: 'Help' });
  const at = notes.texts.findIndex(({ at: found }: { at: string }) => found === 'sections.2.body');
  expect(html).toContain(`<p>The same<wbr data-text="${at}"></p>`);
  // Lines of a body are texts, without what makes them headings or items.
  const lines = await preview(
    'pages/written.yaml',
    `${PAGE}  - type: prose\n    body: |\n      ## A\n\n      - B\n`,
  );
  expect(lines.notes.texts.slice(-2)).toEqual(
    ['A', 'B'].map((value) => ({ section: 2, at: 'sections.2.body', value, isProse: true })),
  );
  expect(lines.html).not.toContain('<wbr');
  const article = await preview('articles/written.md', ARTICLE);
  expect(article.notes).toMatchObject({ names: [], texts: [] });
});

it('says which texts a draft has for the writer to replace', async () => {
  const draft = PAGE.replace(
    '  - { type: hero',
    '  - { type: prose, body: Running text in Markdown. }\n  - { type: hero',
  );
  const { notes } = await preview('pages/written.yaml', draft);
  expect(notes.texts.filter((one: { isDraft?: boolean }) => one.isDraft)).toMatchObject([
    { value: 'Running text in Markdown.' },
  ]);
});

it('is a sandbox without an origin, with links that lead nowhere and no script of the site', async () => {
  const { response, html } = await preview('pages/written.yaml', PAGE);
  const policy = response.headers.get('content-security-policy');
  expect(policy).toMatch(/(^|; )sandbox allow-scripts;/);
  for (const part of ["default-src 'none'", "form-action 'none'", "frame-ancestors 'self'"])
    expect(policy).toContain(part);
  expect(policy).toMatch(/script-src 'sha256-[\w+/=]+';/);
  expect(policy).not.toMatch(/connect-src|script-src[^;]*'self'/);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(html).not.toMatch(/visit\(\)|a\.js/);
  expect(html).toContain('<a class="x" href="#" data-href="/go/highlevel">');
  expect(html).toContain('<a href="#top">');
});

it('shows an article that is published later, and notes its links, lengths and disclosure', async () => {
  const { html, notes } = await preview('articles/written.md', ARTICLE);
  expect(requests).toEqual(['/blog/written?preview=1']);
  expect(html).toContain('<p>Written whole words</p>');
  const warnings = notes.notes.filter(({ kind }: { kind: string }) => kind === 'warning');
  expect(warnings).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ text: 'Links to partners without a disclosure above the first of them' }),
      expect.objectContaining({ line: 9, text: expect.stringMatching(/^A link leads to \/no-such-page/) }),
      expect.objectContaining({ line: 9, text: expect.stringMatching(/^A link leads to #no-such-heading/) }),
    ]),
  );
});

it('names what has to be corrected instead of a page that cannot be shown', async () => {
  const wrong = PAGE.replace(/sections:[\s\S]*/, 'sections: <b>\n');
  const { html, notes } = await preview('pages/written.yaml', wrong);
  expect(requests).toEqual([]);
  expect(notes.isShown).toBe(false);
  expect(notes.notes[0]).toMatchObject({
    kind: 'error',
    line: 4,
    text: expect.stringContaining('sections'),
  });
  expect(html).not.toContain('<b>');
});

it('shows a page beside another one that is invalid, and names what keeps all pages from being shown', async () => {
  writeFileSync(path.join(root, 'pages/broken.yaml'), 'title: Broken\n');
  expect((await preview('pages/written.yaml', PAGE)).notes).toMatchObject({ isShown: true, sections: [1] });
  writeFileSync(path.join(root, 'site.yaml'), 'name: Broken\n');
  const { notes } = await preview('pages/written.yaml', PAGE);
  expect(notes.isShown).toBe(false);
  expect(notes.notes).toContainEqual(
    expect.objectContaining({ kind: 'error', text: expect.stringMatching(/^content\/site\.yaml, /) }),
  );
});

it('knows the page on which a file is seen', () => {
  const files = ['pages/help.yaml', 'articles/a-b.md', 'authors/ada.yaml', 'site.yaml', 'claims/home.yaml'];
  expect(files.map(findPagePath)).toEqual(['/help', '/blog/a-b', '/authors/ada', '/', null]);
});
