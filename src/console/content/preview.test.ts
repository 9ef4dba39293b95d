import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { readImageCatalog } from '../../../scripts/build/read-image-catalog.ts';
import { createTestConsole } from '../../../test/support/console-ledger.ts';
import { createFolder, createSmallContent } from '../../../test/support/create-folder.ts';
import { ContentFiles } from '../../content-files/content-files.ts';
import { readContent } from '../../content-files/read-content.ts';
import type { Platform } from '../../server/platform.ts';
import { BodyProcessor } from '../../sources/articles/html/body-processor.ts';
import type { ConsoleSite } from '../console-site.ts';
import { findPreviewPath } from './file-address.ts';
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
    const title = found?.title ?? shown.content.read().pages.get('/written')?.title ?? '';
    return { status: 200, headers: {}, body: Buffer.from(html.replace('Three', title)) };
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
  const { html, notes } = await preview(
    'pages/written.yaml',
    PAGE.replace(/description: .*/, 'description: <b>'),
  );
  expect(requests).toEqual([]);
  expect(notes.isShown).toBe(false);
  expect(notes.notes[0]).toMatchObject({
    kind: 'error',
    line: 2,
    text: expect.stringContaining('description'),
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
  expect(files.map(findPreviewPath)).toEqual(['/help', '/blog/a-b', '/authors/ada', '/', null]);
});
