import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';
import { readRoutes } from '../support/routes.ts';

/** What a page's HTML names: where its links lead, what it loads, which anchors it has. Addresses as written. */
interface PageReferences {
  /** `a[href]` and forms sent with GET. */
  readonly links: readonly string[];
  /** Images, scripts, islands, fonts, icons, feeds, manifests, sharing images. */
  readonly assets: readonly string[];
  readonly title: string;
  readonly description: string;
  readonly canonical: string | null;
  readonly isIndexed: boolean;
  /** Every id, where a fragment can lead. */
  readonly anchors: readonly string[];
}

/** Reads the references of an HTML text with the browser's own parser; nothing of it is loaded or run. */
function readReferences(page: Page, html: string): Promise<PageReferences> {
  return page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, 'text/html');
    const all = (selector: string, attribute: string) =>
      [...parsed.querySelectorAll(selector)].flatMap((element) => element.getAttribute(attribute) ?? []);
    const sets = [...all('[srcset]', 'srcset'), ...all('[imagesrcset]', 'imagesrcset')];
    const images = sets.flatMap((set) => set.split(',').map((part) => part.trim().split(/\s+/)[0] ?? ''));
    const meta = all('meta[property="og:image"], meta[name="twitter:image"]', 'content');
    const islands = ['component-url', 'renderer-url', 'before-hydration-url'].flatMap((name) =>
      all(`[${name}]`, name),
    );
    const styles = [...parsed.querySelectorAll('style')].map((style) => style.textContent).join();
    const styled = [...styles.matchAll(/url\(["']?([^"')]+)/g)].flatMap((match) => match[1] ?? []);
    const linked = all('link[href]:not([rel="canonical"])', 'href');
    return {
      links: [...all('a[href], area[href]', 'href'), ...all('form:not([method="post"])[action]', 'action')],
      assets: [
        ...all('[src]', 'src'),
        ...images,
        ...meta,
        ...linked,
        ...islands,
        ...styled,
        ...all('[poster]', 'poster'),
      ],
      title: parsed.title,
      description: all('meta[name="description"]', 'content').join(),
      canonical: all('link[rel="canonical"]', 'href')[0] ?? null,
      isIndexed: !/noindex/.test(all('meta[name="robots"]', 'content').join()),
      anchors: all('[id]', 'id'),
    };
  }, html);
}

/** Pages that articles, products, claims and partners name as sources: links that lead to other sites directly. */
function readSources(contentDir: string): ReadonlySet<string> {
  const texts = ['articles', 'products', 'claims', 'partners'].flatMap((name) => {
    const folder = path.join(contentDir, name);
    return readdirSync(folder).map((file) => readFileSync(path.join(folder, file), 'utf8'));
  });
  return new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/\b(?:url|href|source): "?(https:[^\s",}]+)/g)].map(([, address = '']) => address),
    ),
  );
}

/** Destinations of partners with `redirect: no`, to which links lead with the operator's code, past the redirect. */
function readDirectDestinations(contentDir: string): ReadonlySet<string> {
  const folder = path.join(contentDir, 'partners');
  const texts = readdirSync(folder).map((file) => readFileSync(path.join(folder, file), 'utf8'));
  return new Set(
    texts
      .filter((text) => /^redirect: no\b/m.test(text))
      .flatMap((text) => [...text.matchAll(/^ +[\w-]+: "?(https?:[^\s"]+)/gm)])
      .map(([, address = '']) => address),
  );
}

/** Addresses of the redirect page: they lead out, so they are looked at, never followed. */
const LEADS_OUT = /^\/(go\/[a-z0-9-]+|[a-z0-9]+-trial)$/;

interface Crawl {
  readonly pages: ReadonlyMap<string, PageReferences>;
  /** Every address that a page names, with one page that names it. */
  readonly named: ReadonlyMap<string, string>;
  readonly broken: readonly string[];
}

/** Follows every link from the pages it begins with, each address once. */
async function crawl(page: Page, origin: string, first: readonly string[]): Promise<Crawl> {
  const pages = new Map<string, PageReferences>();
  const named = new Map<string, string>();
  const broken: string[] = [];
  const queue = [...first];
  const seen = new Set<string>();
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const response = await fetch(origin + path, {
      redirect: 'manual',
      headers: { 'sec-purpose': 'prefetch' },
    });
    const body = await response.text();
    if (LEADS_OUT.test(new URL(path, origin).pathname)) continue;
    if (response.status !== 200)
      broken.push(`${path} responds ${response.status}, named by ${named.get(path)}`);
    if (!response.headers.get('content-type')?.startsWith('text/html')) continue;
    const references = await readReferences(page, body);
    pages.set(path, references);
    for (const written of [...references.links, ...references.assets]) {
      const address = new URL(written, origin + path);
      if (!named.has(address.href)) named.set(address.href, path);
      if (address.origin === origin) queue.push(address.pathname + address.search);
      if (address.origin === origin)
        named.set(address.pathname + address.search, named.get(address.href) ?? path);
    }
  }
  return { pages, named, broken };
}

test('every link, anchor, image and file that a page names is there, and nothing leads out unlisted', {
  tag: '@generic',
}, async ({ page, site }) => {
  const routes = await readRoutes(site.url);
  const { pages, named, broken } = await crawl(page, site.url, ['/', ...routes]);
  expect(pages.size).toBeGreaterThanOrEqual(routes.length);
  expect(pages.size).toBeGreaterThan(8);
  expect.soft(broken, 'broken addresses').toEqual([]);

  const foreign: string[] = [];
  const lost: string[] = [];
  const sources = readSources(site.contentDir);
  const direct = readDirectDestinations(site.contentDir);
  for (const [text, from] of named) {
    const address = new URL(text, site.url);
    if (address.protocol === 'data:' || address.protocol === 'mailto:') continue;
    const isListed = sources.has(text) || direct.has(address.origin + address.pathname);
    if (address.origin !== site.url && !isListed) foreign.push(`${from} leads to ${text}`);
    const target = pages.get(address.pathname + address.search);
    const anchor = decodeURIComponent(address.hash.slice(1));
    if (target && anchor !== '' && !target.anchors.includes(anchor)) lost.push(`${from} leads to ${text}`);
  }
  expect.soft(foreign, 'links to sites that are neither partners behind /go nor sources').toEqual([]);
  expect.soft(lost, 'anchors that do not exist').toEqual([]);

  const repeated = [...pages].flatMap(([path, { anchors }]) =>
    anchors.filter((id, index) => anchors.indexOf(id) < index).map((id) => `${path} has #${id} twice`),
  );
  expect.soft(repeated, 'ids').toEqual([]);
});

test('the sitemap lists every page that links reach and that may be indexed, and no other', async ({
  page,
  site,
}) => {
  // From the front page alone: a page that no link reaches is in the sitemap and not in here.
  const { pages } = await crawl(page, site.url, ['/']);
  const indexed = [...pages]
    // Further pages of a list are found through its first.
    .filter(([path]) => !path.includes('?'))
    .filter(([path, { canonical, isIndexed }]) => isIndexed && canonical === `${site.url}${path}`)
    .map(([path]) => path);
  expect((await readRoutes(site.url)).sort()).toEqual(indexed.sort());
});

test('no two pages that search engines may keep share a title or a description', async ({ page, site }) => {
  const byText = new Map<string, string[]>();
  for (const route of await readRoutes(site.url)) {
    const html = await (await fetch(site.url + route)).text();
    const { title, description } = await readReferences(page, html);
    for (const [kind, text] of Object.entries({ title, description })) {
      expect.soft(text, `${route}: ${kind}`).not.toBe('');
      byText.set(`${kind}: ${text}`, [...(byText.get(`${kind}: ${text}`) ?? []), route]);
    }
  }
  expect([...byText].filter(([, routes]) => routes.length > 1)).toEqual([]);
});
