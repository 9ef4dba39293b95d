import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '../support/browser-test.ts';
import { PERSON, readEventsOf } from '../support/visit.ts';

test.use({
  userAgent: PERSON,
  tolerated: { patterns: [/./], reason: 'the page embeds what cannot be embedded' },
});

let foreign: Server;
let html = '';
test.beforeAll(async () => {
  foreign = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(html);
  });
  await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
});
test.afterAll(() => void foreign.close());

/** Every way in which a page can request an address without a visitor's click, by the name in its source. */
const WAYS: Readonly<Record<string, (address: string) => string>> = {
  image: (address) => `<img src="${address}">`,
  srcset: (address) => `<img srcset="${address} 1x">`,
  background: (address) => `<p style="background:url(${address})">x</p>`,
  iframe: (address) => `<iframe src="${address}"></iframe>`,
  sandbox: (address) => `<iframe sandbox src="${address}"></iframe>`,
  stylesheet: (address) => `<link rel="stylesheet" href="${address}">`,
  script: (address) => `<script src="${address}"></script>`,
  module: (address) => `<script type="module" src="${address}"></script>`,
  video: (address) => `<video src="${address}" preload="auto"></video>`,
  audio: (address) => `<audio src="${address}" preload="auto"></audio>`,
  object: (address) => `<object data="${address}"></object>`,
  embed: (address) => `<embed src="${address}">`,
  icon: (address) => `<link rel="icon" href="${address}">`,
  preload: (address) => `<link rel="preload" as="image" href="${address}">`,
  prefetch: (address) => `<link rel="prefetch" href="${address}">`,
  speculation: (address) =>
    `<script type="speculationrules">{"prefetch":[{"urls":["${address}"],"eagerness":"immediate"}]}</script>`,
  prerender: (address) =>
    `<script type="speculationrules">{"prerender":[{"urls":["${address}"],"eagerness":"immediate"}]}</script>`,
  fetch: (address) => `<script>fetch("${address}", { mode: 'no-cors' })</script>`,
  cors: (address) => `<script>fetch("${address}").catch(() => {})</script>`,
  beacon: (address) => `<script>navigator.sendBeacon("${address}")</script>`,
  worker: (address) => `<script>try { new Worker("${address}") } catch {}</script>`,
};

for (const origin of ['another site', 'the site itself']) {
  test(`a page of ${origin} cannot make clicks that count in any way`, async ({ page, site }) => {
    const build = (way: string) => `${site.url}/go/highlevel?source=${way}-${origin.replaceAll(' ', '-')}`;
    html = `<!doctype html><title>x</title>${Object.entries(WAYS)
      .map(([name, write]) => write(build(name)))
      .join('\n')}<p><a href="${build('click')}">Click</a>`;
    const host = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`;
    if (origin === 'the site itself')
      await page.route(`${site.url}/embedding`, (route) =>
        route.fulfill({ contentType: 'text/html', body: html }),
      );
    await page.goto(origin === 'the site itself' ? `${site.url}/embedding` : host);
    const readClicks = async () => {
      const clicks = await readEventsOf(site, (event) => event.name === 'affiliate_redirect');
      return clicks.filter(({ data }) => String(data['source']).endsWith(origin.replaceAll(' ', '-')));
    };
    // Some ways are blocked by the browser before they reach the site.
    await expect.poll(async () => (await readClicks()).length, { timeout: 40_000 }).toBeGreaterThan(10);
    await page.getByRole('link', { name: 'Click' }).click();
    await page.waitForURL((url) => url.port !== new URL(host).port && !url.href.startsWith(site.url));
    const readCounted = async () => (await readClicks()).filter(({ flags }) => flags.length === 0);
    await expect.poll(async () => (await readCounted()).length).toBeGreaterThan(0);
    const clicks = await readClicks();
    const counted = await readCounted();
    expect(counted.map(({ data }) => data['source'])).toEqual([`click-${origin.replaceAll(' ', '-')}`]);
    const ways = new Set(clicks.map(({ data }) => String(data['source']).split('-')[0]));
    for (const way of ['image', 'iframe', 'stylesheet', 'script', 'video', 'object', 'fetch'])
      expect(ways).toContain(way);
  });
}
