import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright';
import { measureArticles } from '../../test/bench/articles.ts';
import { measureImages } from '../../test/bench/build-time.ts';
import { measureLoadRows } from '../../test/bench/load-rows.ts';
import { measureNavigation } from '../../test/bench/navigation.ts';
import { measureBytes } from '../../test/bench/page-bytes.ts';
import { measureProcess } from '../../test/bench/process-cost.ts';
import { ARTICLE, measureServing } from '../../test/bench/serving.ts';
import { buildReport } from '../../test/bench/write-report.ts';
import { startSite } from '../../test/support/site.ts';
import { ensureBuild } from '../start/ensure-build.mjs';
import { ensureLighthouse } from '../start/ensure-dependencies.mjs';
import { ROOT } from '../start/pinned-node.mjs';
import { CHROMIUM_ARGS, findChromiums } from '../test/chromium.ts';
import { defineCommand, FLAG } from './command.ts';
import type { CommandSite } from './site.ts';

const ROUTES = [ARTICLE, '/blog', '/', '/gohighlevel-free-trial', '/industry-report-2025'] as const;

const USAGE = `Usage:
  npm run bench                            measures the built site and writes docs/performance.md
  npm run bench -- --out FILE              writes the report to FILE
  npm run bench -- --quick [--out FILE]    runs every part for a moment; its figures mean nothing

Takes a quarter of an hour on two cores.`;

/** `npm run bench`: measures the built site and writes docs/performance.md. */
export const command = defineCommand({
  usage: USAGE,
  options: { quick: FLAG, out: { type: 'string' } },
  words: [0, 0],
  async run({ values: { quick: isQuick, out: outFile } }, _io, _site: CommandSite) {
    const effort = isQuick
      ? { seconds: 1, runs: 1, navigations: 1, starts: 1, articles: 30, budgetMs: 60_000 }
      : { seconds: 8, runs: 5, navigations: 5, starts: 3, articles: 1_000, budgetMs: 560_000 };
    ensureLighthouse();
    ensureBuild();
    const cost = await step('start and memory', { startMs: Number.NaN, idleMegabytes: Number.NaN }, () =>
      measureProcess(effort.starts),
    );
    const site = await startSite({ env: { EVENT_RATE: '0', CLICK_RATE: '0' } });
    try {
      const serving = await step('serving', { rows: [], nginx: null }, () => measureServing(effort.seconds));
      const [executablePath] = findChromiums();
      const browser = await chromium.launch({
        args: CHROMIUM_ARGS,
        ...(executablePath ? { executablePath } : {}),
      });
      const bytes = await step('bytes', [], () => measureBytes(browser, site.url, ROUTES));
      const navigation = await step('navigation', [], () =>
        measureNavigation(site.url, effort.navigations, false),
      );
      const still = await step('navigation without motion', [], () =>
        measureNavigation(site.url, effort.navigations, true),
      );
      await browser.close();
      const loads = await step('page load', [], () => measureLoadRows(site.url, ROUTES, effort));
      const articles = isQuick ? null : await step('10,000 articles', null, measureArticles);
      const imageSeconds = {
        drawing: await step('drawings', Number.NaN, () => measureImages(effort.articles, 'drawing')),
        photo: await step('photos', Number.NaN, () => measureImages(effort.articles, 'photo')),
      };
      const [cpu] = os.cpus();
      const memory = `${Math.round(os.totalmem() / 2 ** 30)} GB`;
      const software = `Linux ${os.release()}, Node ${process.version}`;
      const report = buildReport({
        date: new Date().toISOString().slice(0, 10),
        machine: `${os.cpus().length} × ${cpu?.model ?? 'unknown'}, ${memory}, ${software}`,
        nginx: serving.nginx,
        serving: serving.rows,
        bytes,
        loads,
        navigation,
        still,
        cost,
        articles,
        imageSeconds,
      });
      const out = outFile ?? (isQuick ? null : path.join(ROOT, 'docs/performance.md'));
      process.stdout.write(`\n${report}`);
      if (out !== null) writeFileSync(out, report + readWarnings(out));
    } finally {
      await site.remove();
    }
    return failed.length > 0 ? 1 : 0;
  },
});

/** The parts that failed. */
const failed: string[] = [];

/** Prints what is measured. A part that fails is reported and does not stop the others. */
async function step<T>(title: string, fallback: T, measure: () => Promise<T>): Promise<T> {
  const began = performance.now();
  process.stdout.write(`${title} … `);
  try {
    const result = await measure();
    process.stdout.write(`${((performance.now() - began) / 1_000).toFixed(0)} s\n`);
    return result;
  } catch (error) {
    process.stdout.write('failed\n');
    console.error(error);
    failed.push(title);
    return fallback;
  }
}

/** The notes that were written by hand below the figures of an earlier run. */
function readWarnings(file: string): string {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const start = text.indexOf('\n## Notes\n');
  return start < 0 ? '' : text.slice(start);
}
