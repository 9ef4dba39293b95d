import { expect, test } from '../support/browser-test.ts';
import { decodeFirst, readBrotliBody } from '../support/first-flight.ts';
import { loadAndWeigh } from '../support/page-weight.ts';
import { readRoutes, sampleRoutes, takeShare } from '../support/routes.ts';

const PARTS = 2;
const KB = 1024;

/** What fits into the ten packets that a server may send before the first acknowledgement. */
const FIRST_PAINT_BYTES = 14 * KB;
const WHOLE_PAGE_BYTES = 60 * KB;
const SCRIPT_BYTES = 3 * KB;
/** With the inline scripts of the page, each compressed by itself (compressed with their page they are smaller). */
const ALL_SCRIPT_BYTES = 3.5 * KB;
const FONT_BYTES = 35 * KB;

/** Pages that are a tool, not content: what the visitor comes for is the island in the first screen. */
const TOOLS = new Set(['/assessment']);

test('what a page needs for its first paint arrives in the first 14 kB', async ({ site }) => {
  test.setTimeout(60_000);
  for (const route of await readRoutes(site.url)) {
    const body = await readBrotliBody(site.url + route);
    expect.soft(body.length, `${route}: bytes of the whole page`).toBeLessThanOrEqual(WHOLE_PAGE_BYTES);
    if (body.length <= FIRST_PAINT_BYTES) continue;
    // A longer page: its styles and its first screen (its first section, or the head of an article) have to be in the
    // first 14 kB.
    const arrived = decodeFirst(body, FIRST_PAINT_BYTES);
    const main = arrived.slice(Math.max(0, arrived.indexOf('<main')));
    expect.soft(arrived.includes('<main'), `${route}: styles in the first 14 kB`).toBe(true);
    expect.soft(/<\/(section|header)>/.test(main), `${route}: first screen in the first 14 kB`).toBe(true);
  }
});

test('no page waits for a style sheet of another address', async ({ site }) => {
  for (const route of await readRoutes(site.url)) {
    const html = await (await fetch(site.url + route)).text();
    expect.soft(html, route).not.toMatch(/<link[^>]+rel="?stylesheet/);
  }
});

for (let part = 1; part <= PARTS; part += 1) {
  test(`before interaction: at most 3 kB of script, one font of 35 kB (${part} of ${PARTS})`, async ({
    page,
    site,
  }) => {
    test.setTimeout(120_000);
    for (const route of takeShare(sampleRoutes(await readRoutes(site.url)), part, PARTS)) {
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
      // The one font is preloaded by every page, so one that is not seen here was not weighed.
      expect.soft(fonts.length, `${route}: fonts`).toBe(1);
      expect.soft(fonts[0]?.bytes, `${route}: font`).toBeLessThanOrEqual(FONT_BYTES);
    }
  });
}
