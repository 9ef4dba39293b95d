import type { Page } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';
import { buildServedArticles, respondAsRemote, type ServedArticle } from '../support/fake-services.ts';
import { HOSTILE_BODIES } from '../support/hostile-input.ts';
import { type Site, startSite } from '../support/site.ts';
import { startUpstream, type Upstream } from '../support/upstream-server.ts';

const BREAKOUT =
  '</script></title><script>window.__ran&&window.__ran()</script><img src=x onerror="window.__ran&&window.__ran()">';
const FIELDS = [
  ['a breakout', BREAKOUT],
  ['a breakout with blanks', BREAKOUT.replaceAll('</script>', '</Script >')],
  ['quotes', `"'><img src=x onerror="window.__ran&&window.__ran()">`],
  ['text direction', '\u202Egnp.exe \u2066 \u200Fabc'],
  ['separators', 'a\u2028b\u2029c\u0000d\u001B[31me'],
  ['a template', '{{7*7}}#{7*7}<%= 7*7 %>'],
  ['a comment', '<!--<script>'],
] as const;
const IMAGES = [
  'javascript:alert(1)',
  'data:text/html,<script>1</script>',
  'http://evil.example/x.png',
  'https://evil.example/x.svg',
  '//evil.example/x',
];

const [base = { tags: [] } as unknown as ServedArticle] = buildServedArticles(1);
// An article without any text is not shown, and many of these bodies have none.
const bodies = HOSTILE_BODIES.map(([, html], index) => ({
  ...base,
  slug: `body-${index}`,
  html: `<p>Text.</p>${html}`,
}));
const fields = FIELDS.map(([, text], index) => ({
  ...base,
  slug: `field-${index}`,
  title: `Title ${text}`,
  excerpt: text,
  author: text,
  topic: text,
  tags: [text, 'crm'],
}));
const images = IMAGES.map((image, index) => ({ ...base, slug: `image-${index}`, image }));

let upstream: Upstream;
let hostileSite: Site;
test.beforeAll(async () => {
  upstream = await startUpstream(respondAsRemote(() => [...bodies, ...fields, ...images]));
  hostileSite = await startSite({
    articleService: { url: upstream.url, key: 'k' },
    env: { ARTICLE_IMAGE_HOSTS: 'images.example' },
  });
});
test.afterAll(async () => {
  await hostileSite.remove();
  await upstream.close();
});
test.use({
  tolerated: {
    patterns: [/Failed to load resource/],
    reason: 'images of hosts that do not exist are part of the articles',
  },
});

/** Watches a page for what must not happen in it; the list stays empty. */
async function watch(page: Page): Promise<string[]> {
  const happened: string[] = [];
  await page.exposeFunction('__ran', () => happened.push('something ran'));
  page.on('dialog', (dialog) => {
    happened.push(`dialog: ${dialog.message()}`);
    dialog.dismiss().catch(() => undefined);
  });
  await page.route('**/*', (route) => {
    const url = new URL(route.request().url());
    if (url.origin === hostileSite.url) return route.continue();
    if (url.host !== 'images.example' && url.protocol !== 'data:') happened.push(`asked for ${url.href}`);
    return route.abort();
  });
  return happened;
}

/** Says what is wrong with the page around an article. */
async function findDamage(page: Page, slug: string): Promise<string[]> {
  const response = await page.goto(`${hostileSite.url}/blog/${slug}`);
  if (response?.status() !== 200) return [`${slug} answered ${response?.status()}`];
  return page.evaluate((name) => {
    const count = (selector: string) => document.querySelectorAll(selector).length;
    const inside = (selector: string) => document.querySelectorAll(`.prose :is(${selector})`).length;
    const damage = [
      [count('main h1') !== 1, 'not one h1'],
      [count('main') !== 1, 'not one main'],
      [count('body > .site-footer') !== 1, 'the footer is not at the end of the page'],
      [
        inside('script, style, iframe, object, embed, form, input, svg, math, base, meta, link') > 0,
        'forbidden elements',
      ],
      [
        new Set([...document.querySelectorAll('[id]')].map(({ id }) => id)).size !== count('[id]'),
        'an id twice',
      ],
      [
        [...document.querySelectorAll('.prose *')].some((one) =>
          [...one.attributes].some((a) => /^on|^style$/.test(a.name)),
        ),
        'handlers or styles',
      ],
      [location.pathname !== `/blog/${name}`, 'went elsewhere'],
      [!(document.body instanceof HTMLBodyElement), 'clobbered'],
    ] as const;
    return damage.filter(([is]) => is).map(([, what]) => `${name}: ${what}`);
  }, slug);
}

for (const [name, articles] of Object.entries({ bodies, fields, images })) {
  test(`nothing runs and the page stays whole: ${name}`, async ({ page }) => {
    const happened = await watch(page);
    const damage: string[] = [];
    for (const { slug } of articles) damage.push(...(await findDamage(page, slug)));
    await page.mouse.move(400, 300);
    await page.keyboard.press('Tab');
    expect(damage).toEqual([]);
    expect(happened).toEqual([]);
  });
}

test('the list of hostile articles is whole, and the feeds can be read', async ({ page, context }) => {
  const happened = await watch(page);
  await page.goto(`${hostileSite.url}/blog`);
  await expect(page.locator('.card')).not.toHaveCount(0);
  const rss = await (await fetch(`${hostileSite.url}/rss.xml`)).text();
  const plain = await context.newPage();
  const wrong = await plain.evaluate(
    (text) =>
      new DOMParser().parseFromString(text, 'application/xml').querySelector('parsererror')?.textContent,
    rss,
  );
  expect(wrong).toBeUndefined();
  expect(await (await fetch(`${hostileSite.url}/feed.json`)).json()).toHaveProperty('items');
  expect(happened).toEqual([]);
});
