import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findFreePort } from './free-port.ts';
import { buildLimitPage } from './limit-page.ts';
import { startLimitServer } from './limit-server.ts';
import type { LoadRow } from './measurements.ts';
import { type ServedFile, startNginx } from './nginx.ts';
import { measureLoads, type PageLoad } from './page-load.ts';

/** Loads each route, and its limit page from the site's own server; for the first route also from nginx. */
export async function measureLoadRows(
  origin: string,
  routes: readonly string[],
  effort: { readonly runs: number; readonly budgetMs: number },
): Promise<LoadRow[]> {
  const limits = new Map<string, string>();
  for (const route of routes) limits.set(route, buildLimitPage(await (await fetch(origin + route)).text()));
  const [first = '/'] = routes;
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'signpost-limit-'));
  const server = await startLimitServer(limits, { port: await findFreePort(), dataDir });
  const nginx = await startNginx(await collectFiles(origin, first, limits.get(first) ?? ''));
  try {
    const addresses = routes.flatMap((route) => [origin + route, server.url + route]);
    const loads = await measureLoads(nginx ? [...addresses, nginx.url + first] : addresses, effort);
    const read = (address: string): PageLoad => {
      const load = loads.get(address);
      if (load === undefined) throw new Error(`${address} was not loaded`);
      return load;
    };
    return routes.map((route) => ({
      route,
      own: read(origin + route),
      limit: read(server.url + route),
      nginx: nginx && route === first ? read(nginx.url + route) : null,
    }));
  } finally {
    await nginx?.stop();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The limit page and every picture that it may show. */
async function collectFiles(origin: string, route: string, page: string): Promise<ServedFile[]> {
  const pictures = new Set([...page.matchAll(/\/art\/[\w.-]+/g)].map(([path]) => path));
  const files = [...pictures].map(async (path) => {
    const answer = await fetch(origin + path);
    const body = Buffer.from(await answer.arrayBuffer());
    return { path, body, type: answer.headers.get('content-type') ?? '' };
  });
  return [
    { path: route, body: Buffer.from(page), type: 'text/html; charset=utf-8' },
    ...(await Promise.all(files)),
  ];
}
