import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openConsoleSite } from '../support/console-access.ts';
import { readRoutes } from '../support/routes.ts';
import { type Site, startSite } from '../support/site.ts';

/** Each secret has a word of its own, so that a leak names its source. */
const word = (name: string) => `hushed-${name}-word`;
const SECRET = /hushed-[a-z]+-word|(?<![\w/-])(?:draft|dated|broken|partner|product)-of-the-test/g;

const buildArticle = (name: string, fields: string) =>
  `---\ntitle: About ${word(name)}\nexcerpt: A summary with ${word(name)}, long enough for lists.\ncategories: [Tests]\n${fields}---\n\nA text with ${word(name)}.\n`;
const PAGE = (name: string, fields: string) =>
  `# A comment with ${word(`${name}comment`)}\ntitle: The ${word(name)}\ndescription: A page about ${word(name)} that is long enough for a description in search results.\n${fields}sections:\n  - type: hero\n    title: The ${word(name)}\n`;

const FILES = {
  'articles/draft-of-the-test.md': buildArticle('draft', 'publishedAt: 2026-01-01\ndraft: true\n'),
  'articles/dated-of-the-test.md': buildArticle('dated', 'publishedAt: 2999-01-01\n'),
  'articles/broken-of-the-test.md': buildArticle(
    'broken',
    `publishedAt: 2026-01-01\nunknown: ${word('field')}\n`,
  ),
  'pages/draft-of-the-test.yaml': PAGE('page', 'draft: true\n'),
  'pages/broken-of-the-test.yaml': PAGE('brokenpage', `header: ${word('header')}\n`),
  '.env': `KEY=${word('dotfile')}\n`,
  '.import/report.txt': word('report'),
};
/** What is broken while the site runs: with such files it does not start the first time. */
const EDITS = {
  'products/product-of-the-test.yaml': `name: ${word('product')}\ndraft: true\nunknown: ${word('productfield')}\n`,
  'partners/partner-of-the-test.yaml': `name: ${word('partner')}\nsite: ${word('site')}\n`,
};
const SETTINGS = {
  PREVIEW_TOKEN: word('token'),
  FORM_KEY: word('form'),
  WEBHOOK_KEY: word('webhook'),
  ALERT_WEBHOOK_URL: `https://127.0.0.1:9/${word('alert')}`,
  SMTP_URL: `smtps://name:${word('password')}@127.0.0.1:9`,
  MAIL_FROM: 'site@site.example',
  MAIL_TO: `${word('operator')}@site.example`,
};

let site: Site;
beforeAll(async () => {
  const edits = Object.entries(FILES).map(([name, text]) => [name, () => text] as const);
  const publish = (text: string) => `${text}\nThe shown-word of the test.\n`;
  site = await startSite({
    env: SETTINGS,
    contentEdits: { ...Object.fromEntries(edits), 'articles/crm-basics.md': publish },
  });
  // A text that an operator has not saved, and a database that is no database.
  const { cookie } = await openConsoleSite(site);
  const editor = `${site.url}/console/content/articles/crm-basics.md`;
  const [, token = ''] =
    /name="token" value="([^"]+)"/.exec(await (await fetch(editor, { headers: { cookie } })).text()) ?? [];
  const body = new FormData();
  for (const [name, value] of Object.entries({ token, action: 'keep', view: 'text', draft: word('unsaved') }))
    body.set(name, value);
  await fetch(editor, { method: 'POST', body, headers: { cookie, 'sec-fetch-site': 'same-origin' } });
  mkdirSync(path.join(site.dataDir, 'archive'), { recursive: true });
  writeFileSync(path.join(site.dataDir, 'notes.txt'), word('data'));
  for (const [name, text] of Object.entries(EDITS)) writeFileSync(path.join(site.contentDir, name), text);
});
afterAll(() => site.remove());

const readHealth = async () => (await fetch(`${site.url}/readyz?all`)).text();

/** What a stranger gets, with the headers: the request comes by a proxy. */
async function ask(address: string, init: RequestInit = {}): Promise<string> {
  const headers = { 'x-forwarded-for': '203.0.113.9', ...init.headers };
  const response = await fetch(site.url + address, { redirect: 'manual', ...init, headers });
  return JSON.stringify([...response.headers]) + (await response.text());
}

it('no public address has a word of a draft, a secret, a broken file or an error', async () => {
  // The operator's view of the site's health names what is broken.
  await expect.poll(readHealth, { timeout: 20_000 }).toContain('product-of-the-test.yaml');
  expect(await readHealth()).toContain('broken-of-the-test.md');
  const routes = await readRoutes(site.url);
  const hidden = Object.keys({ ...FILES, ...EDITS }).flatMap((name) => {
    const base = path.basename(name).replace(/\.\w+$/, '');
    return [`/${base}`, `/blog/${base}`, `/content/${name}`, `/${name}`, `/og/${base}.png`, `/go/${base}`];
  });
  const addresses = [
    ...routes,
    ...hidden,
    ...'/rss.xml /atom.xml /feed.json /llms.txt /robots.txt /sitemap.xml /site.webmanifest'.split(' '),
    ...'/healthz /readyz /readyz?all /metrics /console /console/sign-in /about-link-watch'.split(' '),
    ...'/nowhere /blog/nowhere /500 /404 /go/nowhere /api/nowhere /api/region /api/postbacks/a/b'.split(' '),
    ...'/blog?search=hushed /blog?search=word&page=2 /blog?page=99 /assessment?step=9 /data/notes.txt'.split(
      ' ',
    ),
  ];
  expect(addresses.length).toBeGreaterThan(100);
  const answers = new Map<string, string>();
  for (const address of addresses) {
    answers.set(address, await ask(address));
    answers.set(`${address} HEAD`, await ask(address, { method: 'HEAD' }));
  }
  for (const address of [
    '/api/journey',
    '/api/contact',
    '/contact',
    '/newsletter/sign-up',
    '/api/visit/show',
  ])
    for (const [type, body] of [
      ['application/json', '{'],
      ['application/json', '[{"id":1}]'],
      ['text/plain', 'x'],
    ] as const)
      answers.set(
        `${address} ${body}`,
        await ask(address, { method: 'POST', body, headers: { 'content-type': type } }),
      );
  const shown = [...answers].filter(([, text]) => text.includes('shown-word'));
  expect(shown).not.toEqual([]);
  const found = [...answers].flatMap(([address, text]) =>
    // An error may repeat the address that was asked for.
    (text.match(SECRET) ?? [])
      .filter((secret) => !address.includes(secret))
      .map((secret) => `${address}: ${secret}`),
  );
  expect(found).toEqual([]);
});
