import { launch } from 'chrome-launcher';
import lighthouse, { type Result } from 'lighthouse';
import { CHROMIUM_ARGS, findChromiums } from '../../scripts/test/chromium.ts';

/** Medians of one address, in ms, with layout shift and scores of 100. */
export interface PageLoad {
  readonly runs: number;
  readonly fcp: number;
  readonly lcp: number;
  readonly blocking: number;
  readonly shift: number;
  /** Least of all runs: performance, accessibility, best practices, search. */
  readonly scores: readonly number[];
}

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];

/**
 * Loads addresses with Lighthouse as a mobile phone, `runs` times each in turns, so that whatever else the machine
 * does falls on all alike. Stops in the middle when `budgetMs` is spent.
 */
export async function measureLoads(
  addresses: readonly string[],
  { runs, budgetMs }: { readonly runs: number; readonly budgetMs: number },
): Promise<ReadonlyMap<string, PageLoad>> {
  const found = new Map<string, Sample[]>(addresses.map((address) => [address, []]));
  const until = performance.now() + budgetMs;
  const [chromePath] = findChromiums();
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

async function loadOnce(address: string, port: number): Promise<Sample> {
  for (let tries = 0; tries < 3; tries += 1) {
    const result = await lighthouse(address, { port, logLevel: 'silent', onlyCategories: CATEGORIES });
    // Now and then the browser reports no paint at all; then there is nothing to measure.
    if (result && CATEGORIES.every((name) => result.lhr.categories[name]?.score != null))
      return read(result.lhr);
  }
  throw new Error(`Lighthouse gave nothing for ${address}`);
}

function read({ audits, categories }: Result): Sample {
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
