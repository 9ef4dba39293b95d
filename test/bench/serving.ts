import type { Site } from '../support/site.ts';
import { type Nginx, type ServedFile, startNginx } from './nginx.ts';
import { runForJson } from './run-program.ts';

/** Requests a second and the time of the slowest hundredth, over 32 connections. */
export interface Throughput {
  readonly perSecond: number;
  readonly p99: number;
  readonly failed: number;
}

/** One row of the serving table; `nginx` is null where it cannot serve the same, or is not installed. */
export interface ServingRow {
  readonly name: string;
  readonly own: Throughput;
  readonly nginx: Throughput | null;
}

const CONNECTIONS = 32;
export const ARTICLE = '/blog/crm-basics';
const STATIC = '/favicon.svg';

/** Measures the ways in which the site serves, and nginx with the same bytes. The load comes from its own process. */
export async function measureServing(
  site: Site,
  seconds: number,
): Promise<{ rows: readonly ServingRow[]; nginx: string | null }> {
  const files = await Promise.all([STATIC, ARTICLE].map((path) => readFile(site.url, path)));
  const nginx = await startNginx(files);
  try {
    const port = new URL(site.url).port;
    const own = (path: string) => load(site.url + path, seconds);
    return {
      nginx: nginx?.version ?? null,
      rows: [
        { name: 'static file', own: await own(STATIC), nginx: await beside(nginx, STATIC, seconds) },
        { name: 'article, kept', own: await own(ARTICLE), nginx: await beside(nginx, ARTICLE, seconds) },
        // A preview is rendered for each request and never kept.
        { name: 'article, rendered each time', own: await own(`${ARTICLE}?preview=1`), nginx: null },
        {
          name: '/go, the click on disk before the answer',
          own: await runClient(['test/bench/go-client.ts', port, String(seconds)]),
          nginx: null,
        },
        {
          name: '/api/journey, the event on disk before the answer',
          own: await runClient(['test/bench/journey-client.ts', port, '1', String(seconds)]),
          nginx: null,
        },
      ],
    };
  } finally {
    await nginx?.stop();
  }
}

async function beside(nginx: Nginx | null, path: string, seconds: number): Promise<Throughput | null> {
  return nginx === null ? null : load(nginx.url + path, seconds);
}

async function readFile(origin: string, path: string): Promise<ServedFile> {
  const answer = await fetch(origin + path, { headers: { 'accept-encoding': 'identity' } });
  return {
    path,
    body: Buffer.from(await answer.arrayBuffer()),
    type: answer.headers.get('content-type') ?? 'text/html',
  };
}

async function load(address: string, seconds: number): Promise<Throughput> {
  const measured = (await runForJson([
    'node_modules/autocannon/autocannon.js',
    '--json',
    '--no-progress',
    '--connections',
    String(CONNECTIONS),
    '--warmup',
    `[ -c ${CONNECTIONS} -d 1 ]`,
    '--duration',
    String(seconds),
    address,
  ])) as { requests: { average: number }; latency: { p99: number }; errors: number; non2xx: number };
  const { requests, latency, errors, non2xx } = measured;
  return { perSecond: Math.round(requests.average), p99: latency.p99, failed: errors + non2xx };
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
