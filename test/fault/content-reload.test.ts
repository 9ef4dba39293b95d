/** @module-tag rest */
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brandSchema } from '../../src/core/pages/brand/brand.schema.ts';
import { buildBrandStyles } from '../../src/core/pages/brand/build-brand-styles.ts';
import { hashInline } from '../../src/server/http/security-headers.ts';
import { openConsoleSite } from '../support/console-access.ts';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
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
    .toEqual([
      expect.stringMatching(
        /^content: content\/pages\/help\.yaml is shown from its last valid copy: line \d+/,
      ),
    ]);
  expect(await get('/help')).toContain('First edit');
  expect(site.output()).toMatch(/pages\/help\.yaml is shown from its last valid copy/);

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

it('reports a broken article, and shows every other edit', async () => {
  const restorePage = edit('pages/terms.yaml', (text) =>
    text.replaceAll('title: Terms of service', 'title: New terms'),
  );
  const restore = edit('articles/crm-basics.md', (text) => text.replace('title:', 'titel:'));
  await expect.poll(async () => (await readWarnings()).join()).toContain('crm-basics.md');
  await waitFor('/terms').toContain('New terms');
  restore();
  restorePage();
  await expect.poll(readWarnings).toEqual([]);
});

it('keeps what names a new image until the next start, and shows all other edits', async () => {
  const restorePage = edit('pages/terms.yaml', (text) =>
    text.replaceAll('title: Terms of service', 'title: Meanwhile'),
  );
  const restoreBrand = edit('brand.yaml', (text) => `${text}logo: { src: ../images/new.png, alt: New }\n`);
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
  // The files are written one after another, and may be read in two turns.
  await expect
    .poll(readWarnings)
    .toEqual([
      expect.stringMatching(/content\/brand\.yaml is shown.*images\/new\.png/),
      expect.stringMatching(/content\/pages\/help\.yaml is shown.*images\/new\.png/),
      expect.stringMatching(/content\/articles\/crm-basics\.md is shown.*images\/new\.png/),
    ]);
  expect(site.output()).toMatch(/content\/pages\/help\.yaml is shown from/);
  expect((await fetch(`${site.url}/help`)).status).toBe(200);
  expect(await get('/blog/crm-basics')).not.toContain('A new photo');
  for (const restore of [restorePage, restoreBrand, restoreHelp, restoreArticle]) restore();
  await expect.poll(readWarnings).toEqual([]);
});

describe('every kind of content file', () => {
  const DAY = new Date().toISOString().slice(0, 10);
  const PARTNER = `key: own
name: Own partner
site: https://own.example/
hosts: [own.example]
affiliate: { parameter: ref, value: code-before }
subId: null
network: generic
currency: USD
destinations: { pricing: https://own.example/pricing, trial: https://own.example/trial }
`;
  const PRODUCT = `name: Own product
kind: software
maker: Own
verdict: A product of the test.
for: [Tests]
notFor: [Others]
pros: [It changes, It is shown]
cons: [It is small, It is alone]
maxAgeDays: 365
sources: { pricing: { title: Prices, href: https://own.example/pricing, checked: ${DAY} } }
offers:
  basic: { name: Basic, partner: own, destination: pricing, price: 1234, billed: monthly, source: pricing, audience: All }
`;
  const PAGE = `title: Own page
description: A page of the test that shows what other files of the content say, at the price of a product.
cta: { partner: own, source: own }
sections:
  - { type: hero, title: "Words-before for {product:own.basic}" }
`;
  const ARTICLE = `---
title: Own article
excerpt: An excerpt.
categories: [Guides]
publishedAt: ${DAY}
author: own
---
[A link](https://own.example/pricing) and words-before.
`;
  const FILES = {
    'partners/own.yaml': PARTNER,
    'products/own.yaml': PRODUCT,
    'pages/own.yaml': PAGE,
    'articles/own.md': ARTICLE,
    'authors/own.yaml':
      'name: Own author\nkind: team\nrole: Writes\nbio: A bio of words-before.\nlinks: []\ntests: []\n',
    'claims/own.yaml': 'own-claim:\n  figure: 5%\n  wording: of words-before\n  evidence: ""\n',
    'redirects/own.csv': 'from,to\n/former-own,/own\n',
  };

  const COLORS = { accent: '#803080' };
  const [ACCENT = ''] =
    /--accent:[^;]*/.exec(buildBrandStyles(brandSchema.parse({ colors: COLORS })).css) ?? [];

  /** The edit of each kind of file, and where a visitor or the operator sees it: an address and what it contains. */
  const EDITS: Readonly<
    Record<string, readonly [change: (text: string) => string, seen: readonly (readonly [string, string])[]]>
  > = {
    'partners/own.yaml': [
      (text) =>
        `${text.replace('code-before', 'code-after').replace('Own partner', 'Renamed partner')}trialPath: /own-trial\n`,
      [
        ['/go/own', 'ref=code-after'],
        ['/own-trial', 'ref=code-after'],
        ['/robots.txt', 'Disallow: /own-trial'],
        ['/own', '/own-trial'],
        ['/console/partners?partner=own', 'Renamed partner'],
      ],
    ],
    'products/own.yaml': [(text) => text.replace('1234', '4321'), [['/own', '4,321']]],
    'pages/own.yaml': [
      (text) => text.replace('Words-before', 'Words-after').replace('Own page', 'Renamed page'),
      [
        ['/own', 'Words-after'],
        ['/llms.txt', 'Renamed page'],
      ],
    ],
    'articles/own.md': [
      (text) => text.replace('words-before', 'words-after'),
      [
        ['/blog/own', 'words-after'],
        ['/rss.xml', 'words-after'],
      ],
    ],
    'authors/own.yaml': [
      (text) => text.replace('words-before', 'words-after').replace('Own author', 'Renamed author'),
      [
        ['/authors/own', 'words-after'],
        ['/blog/own', 'Renamed author'],
        ['/sitemap-pages.xml', '/authors/own'],
      ],
    ],
    'claims/own.yaml': [
      (text) => text.replace('own-claim', 'renamed-claim'),
      [['/console/content?state=to-do&q=claims', 'renamed-claim']],
    ],
    'redirects/own.csv': [(text) => `${text}/other-own,/own\n`, [['/other-own', 'Words-after']]],
    'assessment.yaml': [
      (text) => text.replace(/^( +headline: ).*/m, '$1Headline-after'),
      [['/assessment', 'Headline-after']],
    ],
    'calculators.yaml': [
      (text) => text.replace(/(default: )150\b/, '$1151'),
      [['/gohighlevel-free-trial', '151']],
    ],
    'site.yaml': [
      (text) =>
        text
          .replace(/^name: .*/m, 'name: Renamed site')
          .replace(/^articleService:.*(\n +.*)?/m, 'articleService: { name: Own service }'),
      [
        ['/', 'Renamed site'],
        ['/feed.json', 'Renamed site'],
        ['/site.webmanifest', 'Renamed site'],
        ['/console', 'Renamed site'],
      ],
    ],
    'brand.yaml': [
      (text) => `${text}radius: 7\ncolors: ${JSON.stringify(COLORS)}\n`,
      [
        ['/own', '--corner:0.4375rem'],
        ['/', ACCENT],
        ['/console', '--corner:0.4375rem'],
      ],
    ],
  };

  it('is live without a restart, on pages, in files, redirects and the console', async () => {
    await using own = await startSite({
      contentEdits: Object.fromEntries(Object.entries(FILES).map(([file, text]) => [file, () => text])),
    });
    const kinds = [...new Set(Object.keys(EDITS).map((file) => file.replace(/\/.*/, '')))];
    const others = ['images', 'page.schema.json'];
    expect([...kinds, ...others]).toEqual(expect.arrayContaining(readdirSync(own.contentDir)));
    const { cookie } = await openConsoleSite(own);
    const read = async (address: string) =>
      (await fetch(own.url + address, { headers: address.startsWith('/console') ? { cookie } : {} })).text();
    const seen = Object.values(EDITS).flatMap(([, list]) => list);
    const findMissing = async () => {
      const texts = await Promise.all(seen.map(([address]) => read(address)));
      return seen.filter(([, text], index) => !texts[index]?.includes(text)).map(([address]) => address);
    };
    // Every response that can be cached is.
    expect(await findMissing()).toEqual(expect.arrayContaining(['/go/own', '/own', '/', '/rss.xml']));
    expect(await read('/blog/own')).toContain('/go/own');
    for (const [file, [change]] of Object.entries(EDITS)) {
      const full = path.join(own.contentDir, file);
      writeFileSync(full, change(readFileSync(full, 'utf8')));
    }
    await expect.poll(findMissing).toEqual([]);
    const proxied = await fetch(`${own.url}/functions/own-service-proxy`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ path: '/articles', method: 'GET' }),
    });
    expect(proxied.status).not.toBe(404);
    const response = await fetch(`${own.url}/own`);
    const styles = /<style>([\s\S]*?)<\/style>/.exec(await response.text())?.[1] ?? '';
    expect(response.headers.get('content-security-policy')).toContain(hashInline(styles));

    // A broken partner leaves the last good one, and says so.
    const file = path.join(own.contentDir, 'partners/own.yaml');
    const good = readFileSync(file, 'utf8');
    writeFileSync(file, good.replace('code-after', 'code-broken').replace('site: https', 'site: ftp'));
    await expect.poll(() => read('/readyz')).toContain('content/partners/own.yaml');
    expect(await read('/go/own')).toContain('ref=code-after');
    writeFileSync(file, good.replace('code-after', 'code-last'));
    await expect.poll(() => read('/go/own')).toContain('ref=code-last');
  });
});

it('starts without a page and an article that are invalid, says so, and shows them when they are corrected', async () => {
  const article =
    '---\ntitle: Late words\nexcerpt: One.\ncategories: [Guides]\npublishedAt: 2026-01-01\n---\n';
  await using other = await startSite({
    contentEdits: {
      'pages/help.yaml': (text) => text.replace('type: faq', 'type: fqa'),
      'articles/late.md': () => `${article}State the main point of the article here, in one paragraph.\n`,
    },
  });
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
});
