import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite({ env: { CONTENT_RELOAD_SECONDS: '1' } });
});
afterAll(() => site.remove());

const get = async (address: string) => (await fetch(site.url + address)).text();
const readWarnings = async (): Promise<readonly string[]> => JSON.parse(await get('/readyz')).warnings ?? [];

/** Changes a content file and returns the function that puts its text back. */
function edit(name: string, change: (text: string) => string): () => void {
  const file = path.join(site.contentDir, name);
  const before = readFileSync(file, 'utf8');
  writeFileSync(file, change(before));
  return () => writeFileSync(file, before);
}

const waitFor = (address: string) => expect.poll(() => get(address));

it('shows an edited page, keeps the last valid one while an edit is broken, and shows the repaired one', async () => {
  expect(await get('/help')).toContain('Help center');
  edit('pages/help.yaml', (text) => text.replaceAll('title: Help center', 'title: First edit'));
  await waitFor('/help').toContain('First edit');

  edit('pages/help.yaml', (text) =>
    text.replace('First edit', 'Second edit').replace('type: faq', 'type: fqa'),
  );
  await expect
    .poll(readWarnings)
    .toEqual([expect.stringMatching(/^content: an edit is not shown: content\/pages\/help\.yaml/)]);
  expect(await get('/help')).toContain('First edit');
  expect(site.output()).toMatch(/an edit is not shown.*pages\/help\.yaml/);

  edit('pages/help.yaml', (text) => text.replace('type: fqa', 'type: faq'));
  await waitFor('/help').toContain('Second edit');
  expect(await readWarnings()).toEqual([]);
});

it('shows edited, new and removed articles in lists, search and feeds, and new pages in the sitemap', async () => {
  const article = path.join(site.contentDir, 'articles/reload.md');
  const page = path.join(site.contentDir, 'pages/reload.yaml');
  expect(await get('/blog?q=zanzibar')).toContain('No articles');
  writeFileSync(
    article,
    '---\ntitle: Reloaded words\nexcerpt: An excerpt.\ncategories: [Guides]\npublishedAt: 2026-01-01\n---\nA zanzibar.\n',
  );
  writeFileSync(
    page,
    'title: A new page\ndescription: A page that was written while the site was running, for the sitemap.\n' +
      'sections:\n  - { type: hero, title: New }\n',
  );
  await waitFor('/blog?q=zanzibar').toContain('Reloaded words');
  await waitFor('/sitemap-pages.xml').toContain('/reload<');
  expect(await get('/reload')).toContain('A new page');

  appendFileSync(article, '\nMore quagga.\n');
  await waitFor('/blog/reload').toContain('More quagga');
  rmSync(article);
  rmSync(page);
  await expect.poll(async () => (await fetch(`${site.url}/blog/reload`)).status).toBe(404);
  expect((await fetch(`${site.url}/reload`)).status).toBe(404);
});

it('reports a broken article and shows nothing of an edit beside it', async () => {
  const restorePage = edit('pages/terms.yaml', (text) =>
    text.replaceAll('title: Terms of service', 'title: New terms'),
  );
  const restore = edit('articles/crm-basics.md', (text) => text.replace('title:', 'titel:'));
  await expect.poll(readWarnings).toEqual([expect.stringContaining('crm-basics.md')]);
  expect(await get('/terms')).not.toContain('New terms');
  restore();
  await waitFor('/terms').toContain('New terms');
  restorePage();
});

it('keeps affiliate links, the brand and what names a new image until the next start, and shows all other edits', async () => {
  const restorePartner = edit('partners/highlevel.yaml', (text) =>
    text.replace('value: hlmax', 'value: other'),
  );
  const restoreBrand = edit('brand.yaml', (text) => `${text}logo: { src: ../images/new.svg, alt: New }\n`);
  const restorePage = edit('pages/terms.yaml', (text) =>
    text.replaceAll('title: Terms of service', 'title: Meanwhile'),
  );
  const restoreHelp = edit('pages/help.yaml', (text) =>
    text.replace(
      'sections:\n',
      'sections:\n  - { type: image, image: { src: ../images/new.png, alt: x } }\n',
    ),
  );
  const restoreArticle = edit(
    'articles/crm-basics.md',
    (text) => `${text}\n\nA new photo: ![x](../images/new.png)\n`,
  );
  await waitFor('/terms').toContain('Meanwhile');
  expect(await readWarnings()).toEqual([
    expect.stringMatching(/content\/partners\/.*npm start/),
    expect.stringMatching(/brand\.yaml.*npm start/),
    expect.stringMatching(/content\/pages\/help\.yaml waits.*images\/new\.png.*npm start/),
    expect.stringMatching(/content\/articles\/crm-basics\.md waits.*images\/new\.png.*npm start/),
  ]);
  expect(site.output()).toMatch(/content\/pages\/help\.yaml waits/);
  expect((await fetch(`${site.url}/help`)).status).toBe(200);
  expect(await get('/blog/crm-basics')).not.toContain('A new photo');
  expect(await get('/go/highlevel')).toContain('hlmax');
  for (const restore of [restorePartner, restoreBrand, restorePage, restoreHelp, restoreArticle]) restore();
  await expect.poll(readWarnings).toEqual([]);
});

it('starts without a page and an article that are invalid, says so, and shows them when they are corrected', async () => {
  const article =
    '---\ntitle: Late words\nexcerpt: One.\ncategories: [Guides]\npublishedAt: 2026-01-01\n---\n';
  const other = await startSite({
    env: { CONTENT_RELOAD_SECONDS: '1' },
    contentEdits: {
      'pages/help.yaml': (text) => text.replace('type: faq', 'type: fqa'),
      'articles/late.md': () => `${article}State the main point of the article here, in one paragraph.\n`,
    },
  });
  try {
    const read = async (address: string) => (await fetch(other.url + address)).status;
    const readLeftOut = async (): Promise<readonly string[]> =>
      (await (await fetch(`${other.url}/readyz`)).json()).warnings ?? [];
    expect([await read('/help'), await read('/blog/late'), await read('/terms')]).toEqual([404, 404, 200]);
    expect(await readLeftOut()).toEqual([
      expect.stringMatching(
        /^content: content\/pages\/help\.yaml is left out until it is corrected: line \d+, section 2 \(fqa\), field type: there is no/,
      ),
      expect.stringMatching(/^content: content\/articles\/late\.md is left out until it is corrected: /),
    ]);
    expect(other.output()).toMatch(/pages\/help\.yaml is left out[\s\S]*articles\/late\.md is left out/);
    writeFileSync(path.join(other.contentDir, 'articles/late.md'), `${article}The point.\n`);
    await expect.poll(() => read('/blog/late')).toBe(200);
    expect(await readLeftOut()).toHaveLength(1);
  } finally {
    await other.remove();
  }
});
