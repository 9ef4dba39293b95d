import { existsSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, siteTest, test } from '../support/browser-test.ts';
import { fetchEncoded, readBrotliBody, readSmallestBody } from '../support/first-flight.ts';
import { loadAndWeigh } from '../support/page-weight.ts';
import { readRoutes, sampleRoutes, takeShare } from '../support/routes.ts';

const PARTS = 2;
const KB = 1024;

/**
 * What fits into the ten packets that a server may send before the first acknowledgement: HTML and CSS of a page. The
 * inline scripts at its end run when it is whole, and the first paint does not wait for them.
 */
const FIRST_PAINT_BYTES = 14 * KB;
const END_SCRIPT_BYTES = 1.25 * KB;
/** Landing pages show tables, products and drawings: their visitors decide on one page. */
const LANDING_PAGE_BYTES = 20 * KB;
/** The first answer after a rendering is compressed quickly, while the visitor waits. */
const FIRST_ANSWER_FACTOR = 16 / 14;
const SCRIPT_BYTES = 3 * KB;
/**
 * With the inline scripts of the page, each compressed by itself (compressed with their page they are smaller). The
 * file of 3 kB is loaded after the first paint, as is what loads a table of prices on its first use. What may be stored is
 * decided in the page itself.
 */
const ALL_SCRIPT_BYTES = 5 * KB;
const FONT_BYTES = 40 * KB;

/** Pages that are a tool, not content: what the visitor comes for is the island in the first screen. */
const TOOLS = new Set(['/assessment']);

siteTest(
  'every page arrives whole, styles included, in the first 14 kB; a landing page in 20 kB',
  { tag: '@generic' },
  async ({ site }) => {
    for (const route of await readRoutes(site.url)) {
      const first = await readBrotliBody(site.url + route);
      const body = await readSmallestBody(site.url + route);
      const isLandingPage = existsSync(path.join(site.contentDir, 'pages', `${route}.yaml`));
      const limit = isLandingPage ? LANDING_PAGE_BYTES : FIRST_PAINT_BYTES;
      const [painted = '', scripts = ''] = brotliDecompressSync(body).toString().split('</footer>');
      expect(scripts, route).toContain('<script');
      expect
        .soft(brotliCompressSync(painted).length, `${route}: compressed bytes`)
        .toBeLessThanOrEqual(limit);
      expect
        .soft(body.length, `${route}: compressed bytes with the scripts at its end`)
        .toBeLessThanOrEqual(limit + END_SCRIPT_BYTES);
      expect
        .soft(first.length, `${route}: compressed bytes of the first answer`)
        .toBeLessThanOrEqual((limit + END_SCRIPT_BYTES) * FIRST_ANSWER_FACTOR);
    }
  },
);

for (const [encoding, decode] of [
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const) {
  siteTest(`the visit script is one file of at most 3 kB as ${encoding}`, async ({ site }) => {
    const html = await (await fetch(site.url)).text();
    const [script = ''] = /\/_astro\/visit-[\w-]+\.js/.exec(html) ?? [];
    const { headers, body } = await fetchEncoded(site.url + script, encoding);
    expect(headers['content-encoding']).toBe(encoding);
    expect(body.length).toBeLessThanOrEqual(SCRIPT_BYTES);
    expect(decode(body).toString(), 'imports no further file').not.toMatch(/\bimport\b/);
  });
}

siteTest('no page waits for a style sheet of another address', async ({ site }) => {
  for (const route of await readRoutes(site.url)) {
    const html = await (await fetch(site.url + route)).text();
    expect.soft(html, route).not.toMatch(/<link[^>]+rel="?stylesheet/);
  }
});

for (let part = 1; part <= PARTS; part += 1) {
  test(`before interaction: at most 3 kB of script, two fonts of 40 kB (${part} of ${PARTS})`, {
    tag: '@generic',
  }, async ({ page, site }) => {
    for (const route of takeShare(
      sampleRoutes(await readRoutes(site.url), site.contentDir, 'types'),
      part,
      PARTS,
    )) {
      const loaded = await loadAndWeigh(page, route);
      const scripts = loaded.filter(({ type }) => type === 'script' || type === 'inline script');
      expect.soft(scripts.length, `${route}: scripts that were weighed`).toBeGreaterThan(0);
      const fonts = loaded.filter(({ type }) => type === 'font');
      if (!TOOLS.has(route)) {
        const bytes = scripts.reduce((sum, script) => sum + script.bytes, 0);
        const names = scripts.map((script) => `${script.path} ${script.bytes}`).join(', ');
        const inline = scripts.filter(({ type }) => type === 'inline script');
        const inlineBytes = inline.reduce((sum, script) => sum + script.bytes, 0);
        expect.soft(inlineBytes, `${route}: inline script`).toBeGreaterThan(0);
        expect.soft(bytes - inlineBytes, `${route}: script (${names})`).toBeLessThanOrEqual(SCRIPT_BYTES);
        expect.soft(bytes, `${route}: all script (${names})`).toBeLessThanOrEqual(ALL_SCRIPT_BYTES);
      }
      // Of headings, preloaded by every page, and of text: one that is not seen here was not weighed.
      expect.soft(fonts.length, `${route}: fonts`).toBe(2);
      const fontBytes = fonts.reduce((sum, font) => sum + font.bytes, 0);
      expect.soft(fontBytes, `${route}: fonts`).toBeLessThanOrEqual(FONT_BYTES);
    }
  });
}

// A browser takes up to 25 ms to name its time zone for the first time; what may be stored depends on it.
test('no content page asks for the time zone before its first paint', { tag: '@generic' }, async ({
  page,
  site,
}) => {
  await page.addInitScript(() => {
    const { resolvedOptions } = Intl.DateTimeFormat.prototype;
    Intl.DateTimeFormat.prototype.resolvedOptions = function () {
      performance.mark('zone');
      return resolvedOptions.call(this);
    };
  });
  for (const route of sampleRoutes(await readRoutes(site.url), site.contentDir, 'types')) {
    if (TOOLS.has(route)) continue;
    await page.goto(site.url + route);
    await page.waitForFunction(() => performance.getEntriesByName('zone').length > 0);
    const times = await page.evaluate(() =>
      ['first-contentful-paint', 'zone'].map((name) => performance.getEntriesByName(name)[0]?.startTime ?? 0),
    );
    expect
      .soft(
        times.toSorted((a, b) => a - b),
        route,
      )
      .toEqual(times);
  }
});
