import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { launch } from 'chrome-launcher';
import { type Browser, chromium } from 'playwright';
import { z } from 'zod';
import { ROOT } from '../../scripts/start/pinned-node.mjs';
import { CHROMIUM_ARGS, findBrowsers } from '../../scripts/test/browsers.ts';
import { readSmallestBody } from '../support/first-flight.ts';

/** The weight of a page and, where it was measured, its load. */
export interface PageRow extends PageBytes {
  readonly load: PageLoad | null;
}

/** Bytes of the bodies over the wire of a cold load by kind. */
interface PageBytes {
  readonly route: string;
  readonly html: number;
  readonly css: number;
  readonly script: number;
  readonly font: number;
  readonly image: number;
}

/** Medians of one address, in ms, with layout shift and scores of 100. */
interface PageLoad {
  readonly runs: number;
  readonly fcp: number;
  readonly lcp: number;
  readonly blocking: number;
  readonly shift: number;
  /** Least of all runs: performance, accessibility, best practices, search. */
  readonly scores: readonly number[];
}

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const LIGHTHOUSE = path.join(ROOT, 'tools/lighthouse/node_modules/lighthouse/cli/index.js');
const MAX_REPORT_BYTES = 32 * 2 ** 20;

/** The parts that are read of a report of Lighthouse. */
const reportSchema = z.object({
  audits: z.record(z.string(), z.object({ numericValue: z.number().optional() })),
  categories: z.record(z.string(), z.object({ score: z.number().nullable() })),
});
type Report = z.infer<typeof reportSchema>;

/**
 * Loads addresses with Lighthouse as a mobile phone, `runs` times each in turns, so that whatever else the machine
 * does falls on all alike. Stops in the middle when `budgetMs` is spent.
 */
async function measureLoads(
  addresses: readonly string[],
  { runs, budgetMs }: { readonly runs: number; readonly budgetMs: number },
): Promise<ReadonlyMap<string, PageLoad>> {
  const found = new Map<string, Sample[]>(addresses.map((address) => [address, []]));
  const until = performance.now() + budgetMs;
  const [chromePath] = findBrowsers('Chromium');
  const chrome = await launch({
    ...(chromePath ? { chromePath } : {}),
    chromeFlags: ['--headless=new', ...CHROMIUM_ARGS],
  });
  try {
    for (let run = 0; run < runs; run += 1) {
      for (const [address, samples] of found) {
        if (performance.now() > until && samples.length > 0) continue;
        samples.push(await loadOnce(address, chrome.port));
      }
    }
  } finally {
    chrome.kill();
  }
  return new Map([...found].map(([address, samples]) => [address, summarise(samples)]));
}

type Sample = Omit<PageLoad, 'runs'>;

/**
 * Now and then the browser records no navigation or reports no paint; then Lighthouse fails or leaves out a score, and
 * the page is loaded again.
 */
async function loadOnce(address: string, port: number): Promise<Sample> {
  const causes: unknown[] = [];
  while (causes.length < 3) {
    try {
      const report = await runLighthouse(address, port);
      if (CATEGORIES.every((name) => report.categories[name]?.score != null)) return buildSample(report);
      causes.push(new Error('a score is missing'));
    } catch (cause) {
      causes.push(cause);
    }
  }
  throw new AggregateError(causes, `Lighthouse gave nothing for ${address}`);
}

/** Runs Lighthouse's own program, which is installed in a package of its own. */
async function runLighthouse(address: string, port: number): Promise<Report> {
  const options = [`--port=${port}`, '--quiet', '--output=json', `--only-categories=${CATEGORIES.join(',')}`];
  const { stdout } = await promisify(execFile)(process.execPath, [LIGHTHOUSE, address, ...options], {
    maxBuffer: MAX_REPORT_BYTES,
  });
  return reportSchema.parse(JSON.parse(stdout));
}

function buildSample({ audits, categories }: Report): Sample {
  const value = (name: string) => audits[name]?.numericValue ?? Number.NaN;
  return {
    fcp: value('first-contentful-paint'),
    lcp: value('largest-contentful-paint'),
    blocking: value('total-blocking-time'),
    shift: value('cumulative-layout-shift'),
    scores: CATEGORIES.map((name) => Math.round((categories[name]?.score ?? 0) * 100)),
  };
}

const middle = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

function summarise(samples: readonly Sample[]): PageLoad {
  const median = (read: (sample: Sample) => number) => middle(samples.map(read).filter(Number.isFinite));
  return {
    runs: samples.length,
    fcp: median(({ fcp }) => fcp),
    lcp: median(({ lcp }) => lcp),
    blocking: median(({ blocking }) => blocking),
    shift: median(({ shift }) => shift),
    scores: CATEGORIES.map((_, index) => Math.min(...samples.map(({ scores }) => scores[index] ?? 0))),
  };
}

const KINDS: Readonly<Record<string, keyof Omit<PageBytes, 'route'>>> = {
  document: 'html',
  stylesheet: 'css',
  script: 'script',
  font: 'font',
  image: 'image',
};

/** Loads each route in a fresh profile and adds up the bytes of the bodies of its responses. */
async function measureBytes(
  browser: Browser,
  origin: string,
  routes: readonly string[],
): Promise<PageBytes[]> {
  const measured: PageBytes[] = [];
  for (const route of routes) {
    await readSmallestBody(origin + route);
    const context = await browser.newContext({ viewport: { width: 412, height: 823 } });
    const page = await context.newPage();
    const bytes = { html: 0, css: 0, script: 0, font: 0, image: 0 };
    const counted: Promise<void>[] = [];
    page.on('requestfinished', (request) => {
      const kind = KINDS[request.resourceType()];
      if (kind === undefined) return;
      counted.push(
        request.sizes().then(
          (sizes) => {
            bytes[kind] += sizes.responseBodySize;
          },
          () => undefined,
        ),
      );
    });
    await page.goto(origin + route, { waitUntil: 'networkidle' });
    await Promise.all(counted);
    await context.close();
    measured.push({ route, ...bytes });
  }
  return measured;
}

/** Weighs routes and loads them with Lighthouse, until `budgetMs` is spent. */
export async function measurePages(
  origin: string,
  routes: readonly string[],
  effort: { readonly runs: number; readonly budgetMs: number },
): Promise<readonly PageRow[]> {
  const [executablePath] = findBrowsers('Chromium');
  const browser = await chromium.launch({
    args: CHROMIUM_ARGS,
    ...(executablePath ? { executablePath } : {}),
  });
  const bytes = await measureBytes(browser, origin, routes).finally(() => browser.close());
  const loads = await measureLoads(
    routes.map((route) => origin + route),
    effort,
  );
  return bytes.map((row) => ({ ...row, load: loads.get(origin + row.route) ?? null }));
}
