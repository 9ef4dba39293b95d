import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from '@playwright/test';
import { createSecretToken, hashSecretToken } from '../../src/server/http/secret-token.ts';
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
      // What a page of the test before saves while it closes may come late. It has a former session, and is refused.
      const token = createSecretToken();
      const database = new DatabaseSync(path.join(site.dataDir, CONSOLE_FILE), { timeout: 5_000 });
      database
        .prepare('UPDATE sessions SET token_hash = ? WHERE rowid = (SELECT min(rowid) FROM sessions)')
        .run(hashSecretToken(token));
      const [name = ''] = editedSite.cookie.split('=', 1);
      await context.addCookies([{ name, value: token, url: site.url, httpOnly: true, sameSite: 'Strict' }]);
      writeContent(PAGE_FILE, PAGE);
      writeContent(ARTICLE_FILE, ARTICLE);
      database.exec('DELETE FROM working_copies');
      database.close();
      await use(undefined);
    },
    { auto: true },
  ],
});

/** Reads a content file of the site. */
export const readContent = (file: string) => readFileSync(path.join(site.contentDir, file), 'utf8');

/** What is kept of a content file: its text, when it was written, and how many versions and working copies there are. */
export function readKept(file: string) {
  const database = new DatabaseSync(path.join(site.dataDir, CONSOLE_FILE), {
    readOnly: true,
    timeout: 5_000,
  });
  const count = (table: string) =>
    database.prepare(`SELECT count(*) AS rows FROM ${table} WHERE file = ?`).get(file)?.['rows'];
  const [versions, copies] = [count('content_versions'), count('working_copies')];
  database.close();
  const { mtimeNs, ino } = statSync(path.join(site.contentDir, file), { bigint: true });
  return { text: readContent(file), mtimeNs, ino, versions, copies };
}

/** Writes a content file of the site, as a shell does. */
export const writeContent = (file: string, text: string) =>
  writeFileSync(path.join(site.contentDir, file), text);

/** Opens a content file in the editor. */
export async function openFile(page: Page, file: string, search = ''): Promise<void> {
  // Firefox opens no address while the page before it is loading its preview, and complains about a script that it cuts.
  if (page.context().browser()?.browserType().name() === 'firefox')
    await page.waitForLoadState('networkidle');
  await page.goto(`${site.url}/console/content/${file}${search}`);
}

export const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();

/** The text of an article. */
export const body = (page: Page) => page.getByRole('textbox', { name: 'Text of the article', exact: true });

/** A box of the site in the text. */
export const box = (page: Page, name: string) => body(page).getByRole('group', { name });

/** Types at the end of the article of the test. */
export async function writeAtEnd(page: Page, words: string): Promise<void> {
  await body(page).getByText('The end.').click();
  await page.keyboard.press('End');
  for (const [index, line] of words.split('\n').entries()) {
    if (index > 0) await page.keyboard.press('Enter');
    await page.keyboard.type(line);
  }
}

/** Hands files, and texts by their types, to the article: as a drop at its end, or as a paste. */
export const give = (
  page: Page,
  event: 'drop' | 'paste',
  files: readonly (readonly [name: string, type: string])[],
  texts: Readonly<Record<string, string>> = {},
) =>
  body(page).evaluate(
    async (element, [kind, list, words]) => {
      const data = new DataTransfer();
      for (const [type, text] of Object.entries(words)) data.setData(type, text);
      for (const [name, type] of list) {
        const canvas = new OffscreenCanvas(600, 400);
        canvas.getContext('2d')?.fillRect(0, 0, 300, 200);
        const bytes = type.startsWith('image/') ? await canvas.convertToBlob({ type }) : 'words';
        data.items.add(new File([bytes], name, { type }));
      }
      const line = [...element.querySelectorAll(':scope > p')].findLast((one) => one.textContent !== '');
      const { left: clientX = 0, top: clientY = 0 } = line?.getBoundingClientRect() ?? {};
      const at = { bubbles: true, cancelable: true, clientX, clientY: clientY + 5 };
      element.dispatchEvent(
        kind === 'drop'
          ? new DragEvent('drop', { ...at, dataTransfer: data })
          : // In Firefox, what the constructor takes is empty for listeners.
            Object.defineProperty(new ClipboardEvent('paste', at), 'clipboardData', { value: data }),
      );
    },
    [event, files, texts] as const,
  );
