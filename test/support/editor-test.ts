import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from '@playwright/test';
import { CONSOLE_FILE } from '../../src/stores/node-databases.ts';
import { test as base } from './browser-test.ts';
import { type ConsoleSite, openConsoleSite } from './console-access.ts';
import { type Site, startSite } from './site.ts';

export { expect } from './browser-test.ts';

export const PAGE_FILE = 'pages/written-page.yaml';
export const PAGE = `# The page of the test.
title: Written page
description: A page that a browser test writes, with a description that is long enough for search results.
sections:
  - type: hero
    title: First words

  # Under the hero.
  - type: prose
    id: second
    title: Second section
    body: |
      One paragraph.

  - type: faq
    title: Questions
    items:
      - question: How?
        answer: So.
`;

export const ARTICLE_FILE = 'articles/written-article.md';
export const ARTICLE = `---
title: "Written article"   # shown in the list
excerpt: What a browser test has written, long enough for the list of articles.
categories: [Tests]
publishedAt: 2026-01-01
draft: true
---
## First heading

A paragraph  with two spaces,
and a  second line.

## Second heading

The end.
`;

/** The site that the tests of a worker share. */
export let site: Site;

/** Tests in which a browser is signed in as an operator, and finds a page and an article as they were written here. */
export const test = base.extend<{ written: undefined }, { editedSite: ConsoleSite }>({
  tolerated: {
    patterns: [/status of 4(?:09|22)/],
    reason: 'the browser notes the status of a form that is not saved, which the page explains',
  },
  editedSite: [
    async ({ browserName: _ }, use) => {
      const contentEdits = { [PAGE_FILE]: () => PAGE, [ARTICLE_FILE]: () => ARTICLE };
      const started = await startSite({ contentEdits });
      await use(await openConsoleSite(started));
      await started.remove();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  written: [
    async ({ context, editedSite }, use) => {
      site = editedSite.site;
      const database = new DatabaseSync(path.join(site.dataDir, CONSOLE_FILE), { timeout: 5_000 });
      database.exec('DELETE FROM working_copies');
      database.close();
      writeContent(PAGE_FILE, PAGE);
      writeContent(ARTICLE_FILE, ARTICLE);
      await editedSite.signIn(context);
      await use(undefined);
    },
    { auto: true },
  ],
});

/** Reads a content file of the site. */
export const readContent = (file: string) => readFileSync(path.join(site.contentDir, file), 'utf8');

/** Writes a content file of the site, as a shell does. */
export const writeContent = (file: string, text: string) =>
  writeFileSync(path.join(site.contentDir, file), text);

/** Opens a content file in the editor. */
export async function openFile(page: Page, file: string, search = ''): Promise<void> {
  // Firefox opens no address while the page before it is loading its preview.
  await page.waitForLoadState();
  await page.goto(`${site.url}/console/content/${file}${search}`);
}

export const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
