import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readSmallestBody } from '../support/first-flight.ts';
import { findFreePort } from '../support/site.ts';
import { buildBarePage, buildBaselinePage } from './baseline-page.ts';
import { startBaselineServer } from './baseline-server.ts';
import type { LoadRow } from './measurements.ts';
import { type ServedFile, startNginx } from './nginx.ts';
import { measureLoads, type PageLoad } from './page-load.ts';

/** Where the bare form of a page stands on the limit server. */
const bare = (route: string) => `/bare${route}`;

/**
 * Loads each route, its baseline page and its bare form from the site's own server; the first baseline page also from
 * nginx.
 */
export async function measureLoadRows(
  origin: string,
  routes: readonly string[],
  effort: { readonly runs: number; readonly budgetMs: number },
): Promise<LoadRow[]> {
  const pages = new Map<string, string>();
  for (const route of routes) {
    const html = await (await fetch(origin + route)).text();
    pages.set(route, buildBaselinePage(html)).set(trimSlash(bare(route)), buildBarePage(html));
  }
  const [first = '/'] = routes;
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'signpost-limit-'));
  const server = await startBaselineServer(pages, { port: await findFreePort(), dataDir });
  const nginx = await startNginx(await collectFiles(origin, first, pages.get(first) ?? ''));
  const limitOf = (route: string) => server.url + route;
  const bareOf = (route: string) => server.url + trimSlash(bare(route));
  try {
    const addresses = routes.flatMap((route) => [origin + route, limitOf(route), bareOf(route)]);
    const all = nginx ? [...addresses, nginx.url + first] : addresses;
    // The first readers get a page that was compressed quickly; what is measured is what all others get.
    for (const address of addresses) await readSmallestBody(address);
    const loads = await measureLoads(all, effort);
    const read = (address: string): PageLoad => {
      const load = loads.get(address);
      if (load === undefined) throw new Error(`${address} was not loaded`);
      return load;
    };
    return routes.map((route) => ({
      route,
      own: read(origin + route),
      limit: read(limitOf(route)),
      bare: read(bareOf(route)),
      nginx: nginx && route === first ? read(nginx.url + route) : null,
    }));
  } finally {
    await nginx?.stop();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function trimSlash(route: string): string {
  return route === '/' ? route : route.replace(/\/$/, '');
}

/** The baseline page and every file of the site that it may show. */
async function collectFiles(origin: string, route: string, page: string): Promise<ServedFile[]> {
  const paths = new Set([...page.matchAll(/\/(?:art|fonts)\/[\w.-]+/g)].map(([file]) => file));
  const files = [...paths].map(async (file) => {
    const response = await fetch(origin + file);
    const body = Buffer.from(await response.arrayBuffer());
    return { path: file, body, type: response.headers.get('content-type') ?? '' };
  });
  return [
    { path: route, body: Buffer.from(page), type: 'text/html; charset=utf-8' },
    ...(await Promise.all(files)),
  ];
}
