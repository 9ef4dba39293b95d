import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startSite } from '../support/site.ts';
import { writeManyArticles } from './many-articles.ts';
import { type ServedFile, startNginx } from './nginx.ts';
import { runForJson } from './run-program.ts';
import { hasWrk, loadWithWrk, type Throughput } from './wrk.ts';

/** One row of the serving table; `nginx` is null where it cannot serve the same, or is not installed. */
export interface ServingRow {
  readonly name: string;
  readonly own: Throughput;
  readonly nginx: Throughput | null;
}

export const ARTICLE = '/blog/crm-basics';
const STATIC = '/favicon.svg';
const ARTICLES = 1_000;

/** Measures the ways in which a site of 1,000 articles serves, and nginx with the same bytes. */
export async function measureServing(
  seconds: number,
): Promise<{ rows: readonly ServingRow[]; nginx: string | null }> {
  if (!hasWrk()) throw new Error('wrk is not installed');
  const folder = mkdtempSync(path.join(os.tmpdir(), 'signpost-serving-'));
  const contentDir = path.join(folder, 'content');
  const slugs = writeManyArticles(contentDir, ARTICLES);
  const site = await startSite({ env: { EVENT_RATE: '0', CLICK_RATE: '0', CONTENT_DIR: contentDir } });
  const files = await Promise.all([STATIC, ARTICLE].map((address) => readFile(site.url, address)));
  const nginx = await startNginx(files);
  const beside = async (address: string) => nginx && loadWithWrk(nginx.url, [address], seconds);
  const own = (...paths: string[]) => loadWithWrk(site.url, paths, seconds);
  const client = (...args: string[]) => runClient(args);
  const port = new URL(site.url).port;
  try {
    // Each article is read from its file and made safe once; that is no part of rendering its page.
    for (const slug of slugs) await (await fetch(`${site.url}/blog/${slug}`)).arrayBuffer();
    // A preview is rendered for each request and never cached; the number keeps two requests from sharing one
    // rendering.
    const previews = slugs.map((slug) => `/blog/${slug}?preview=#`);
    return {
      nginx: nginx?.version ?? null,
      rows: [
        { name: 'static file', own: await own(STATIC), nginx: await beside(STATIC) },
        { name: 'article, cached', own: await own(ARTICLE), nginx: await beside(ARTICLE) },
        { name: 'article, rendered each time, 976 in turn', own: await own(...previews), nginx: null },
        {
          name: '/go, the click on disk before the response',
          own: await client('test/bench/go-client.ts', port, String(seconds)),
          nginx: null,
        },
        {
          name: '/api/journey, the event on disk before the response',
          own: await client('test/bench/journey-client.ts', port, '1', String(seconds)),
          nginx: null,
        },
      ],
    };
  } finally {
    await nginx?.stop();
    await site.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function readFile(origin: string, address: string): Promise<ServedFile> {
  const response = await fetch(origin + address, { headers: { 'accept-encoding': 'identity' } });
  return {
    path: address,
    body: Buffer.from(await response.arrayBuffer()),
    type: response.headers.get('content-type') ?? 'text/html',
  };
}

async function runClient(args: readonly string[]): Promise<Throughput> {
  const measured = (await runForJson(args)) as {
    perSecond?: number;
    eventsPerSecond?: number;
    p99: number;
    failed: number;
  };
  const perSecond = measured.perSecond ?? measured.eventsPerSecond ?? 0;
  return { perSecond, p99: measured.p99, failed: measured.failed };
}
