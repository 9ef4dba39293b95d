import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { ROOT } from '../../scripts/start/pinned-node.mjs';
import { CHROMIUM_ARGS, findBrowsers } from '../../scripts/test/browsers.ts';
import { readSmallestBody } from '../support/first-flight.ts';
import { findShare } from './process-figures.ts';

const TIMINGS = [
  'largest-contentful-paint',
  'first-contentful-paint',
  'total-blocking-time',
  'cumulative-layout-shift',
] as const;
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const KINDS = ['document', 'stylesheet', 'script', 'font', 'image'] as const;
const LIGHTHOUSE = path.join(ROOT, 'tools/lighthouse/node_modules/lighthouse/cli/index.js');
const MAX_REPORT_BYTES = 32 * 2 ** 20;

/** How a page loads, and what it weighs. */
export interface PageRow {
  readonly route: string;
  readonly runs: number;
  /** Medians in the order of `TIMINGS`: ms, and the shift of the layout. */
  readonly timings: readonly number[];
  /** Least of all runs, of 100: performance, accessibility, best practices, search. */
  readonly scores: readonly number[];
  /** Over the wire, headers included: HTML, CSS, scripts, fonts, images. */
  readonly bytes: readonly number[];
}
type Sample = Pick<PageRow, 'timings' | 'scores' | 'bytes'>;

/** The parts that are read of a report of Lighthouse. A score is null when the browser reports no paint. */
const reportSchema = z.object({
  audits: z.intersection(
    z.record(z.enum(TIMINGS), z.object({ numericValue: z.number() })),
    z.object({
      'resource-summary': z.object({
        details: z.object({
          items: z.array(z.object({ resourceType: z.string(), transferSize: z.number() })),
        }),
      }),
    }),
  ),
  categories: z.record(z.enum(CATEGORIES), z.object({ score: z.number() })),
});

/**
 * Loads routes with Lighthouse as a mobile phone, `runs` times each in turns, so that whatever else the machine does
 * falls on all alike. Stops in the middle when `budgetMs` is spent.
 */
export async function measurePages(
  origin: string,
  routes: readonly string[],
  { runs, budgetMs }: { readonly runs: number; readonly budgetMs: number },
): Promise<readonly PageRow[]> {
  const found = new Map<string, Sample[]>(routes.map((route) => [route, []]));
  for (const route of routes) await readSmallestBody(origin + route);
  const until = performance.now() + budgetMs;
  for (let run = 0; run < runs; run += 1)
    for (const [route, samples] of found)
      if (performance.now() < until || samples.length === 0) samples.push(await loadOnce(origin + route));
  return [...found].map(([route, samples]) => ({
    route,
    runs: samples.length,
    timings: TIMINGS.map((_, index) => findMiddle(samples.map(({ timings }) => timings[index]))),
    scores: CATEGORIES.map((_, index) => Math.min(...samples.map(({ scores }) => scores[index] ?? 0))),
    bytes: KINDS.map((_, index) => findMiddle(samples.map(({ bytes }) => bytes[index]))),
  }));
}

const findMiddle = (values: readonly (number | undefined)[]) =>
  findShare(
    values.map((value) => value ?? Number.NaN),
    0.5,
  );

/** Now and then the browser records no navigation; then Lighthouse fails, and the page is loaded again. */
async function loadOnce(address: string): Promise<Sample> {
  const causes: unknown[] = [];
  while (causes.length < 3) {
    try {
      return await runLighthouse(address);
    } catch (cause) {
      causes.push(cause);
    }
  }
  throw new AggregateError(causes, `Lighthouse gave nothing for ${address}`);
}

/** Runs Lighthouse's own program, which is installed in a package of its own and starts a browser of its own. */
async function runLighthouse(address: string): Promise<Sample> {
  const [browser] = findBrowsers('Chromium');
  const flags = ['--headless=new', ...CHROMIUM_ARGS].join(' ');
  const options = ['--quiet', '--output=json', `--only-categories=${CATEGORIES}`, `--chrome-flags=${flags}`];
  const { stdout } = await promisify(execFile)(process.execPath, [LIGHTHOUSE, address, ...options], {
    maxBuffer: MAX_REPORT_BYTES,
    env: { ...process.env, ...(browser ? { CHROME_PATH: browser } : {}) },
  });
  const { audits, categories } = reportSchema.parse(JSON.parse(stdout));
  const { items } = audits['resource-summary'].details;
  return {
    timings: TIMINGS.map((name) => audits[name].numericValue),
    scores: CATEGORIES.map((name) => Math.round(categories[name].score * 100)),
    bytes: KINDS.map((kind) => items.find(({ resourceType }) => resourceType === kind)?.transferSize ?? 0),
  };
}
