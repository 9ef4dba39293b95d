/** `npm run bench`: measures the built site and writes docs/performance.md. */

import path from 'node:path';
import process from 'node:process';
import { ensureBuild } from '../../scripts/start/ensure-build.mjs';
import { ensureLighthouse } from '../../scripts/start/ensure-dependencies.mjs';
import { ROOT } from '../../scripts/start/pinned-node.mjs';
import { defineCommand, FLAG, UsageError } from '../../src/commands/command.ts';
import { startSite } from '../support/site.ts';
import { measureArticles } from './articles.ts';
import { measureImages } from './build-time.ts';
import { measureCalibration } from './calibration.ts';
import { measureLedger } from './ledger.ts';
import { measureMoney } from './money.ts';
import { measurePages } from './pages.ts';
import { buildComparison, buildPages, buildServing, describeRun, writeSection } from './report.ts';
import { checkOut, measureServing } from './serving.ts';

const ROUTES = ['/blog/crm-basics', '/blog', '/', '/gohighlevel-free-trial', '/industry-report-2025'];

const USAGE = `Usage:
  npm run bench                            measures the built site and writes docs/performance.md
  npm run bench -- --against COMMIT        builds another commit too and measures how both serve, in turns;
                                           COMMIT may be the folder of a built checkout
  npm run bench -- --out FILE              writes to FILE instead; "-" prints alone
  npm run bench -- calibration             simulates sites and writes how often ranges hold into docs/attribution.md
  npm run bench -- money                   measures postbacks, clicks and the import of a report
  npm run bench -- ledger                  measures a ledger of a million commissions
  npm run bench -- --quick                 runs every part for a moment; its figures mean nothing

Takes a quarter of an hour on two cores, against another commit six minutes.
The views of the console: node test/bench/console.ts.`;

/** How long a run serves, and where its sections go. */
interface Run {
  readonly isQuick: boolean;
  /** "-": nowhere but to the output. */
  readonly out: string;
}

const command = defineCommand({
  usage: USAGE,
  options: { quick: FLAG, out: { type: 'string' }, against: { type: 'string' } },
  words: [0, 1],
  async run({ values: { quick: isQuick, out, against }, positionals: [name] }) {
    if (name === 'calibration') return measureCalibration(isQuick) ? 0 : 1;
    if (name !== undefined && name !== 'money' && name !== 'ledger')
      throw new UsageError(`The part is calibration, ledger or money, not "${name}".`);
    const run = { isQuick, out: out ?? (isQuick ? '-' : path.join(ROOT, 'docs/performance.md')) };
    if (name === 'ledger')
      return (await measureSection(run, 'Ledger', () => measureLedger(isQuick ? 10_000 : 1_000_000))) ? 0 : 1;
    ensureBuild();
    if (name === 'money') {
      const { seconds, rounds } = getEffort(run);
      return (await measureSection(run, 'Money', () => measureMoney(seconds, rounds))) ? 0 : 1;
    }
    const areMeasured = await (against === undefined ? measureAll(run) : measureAgainst(run, against));
    return areMeasured ? 0 : 1;
  },
});

const getEffort = ({ isQuick }: Run) =>
  isQuick
    ? { seconds: 1, rounds: 1, runs: 1, articles: 30 }
    : { seconds: 5, rounds: 5, runs: 5, articles: 1_000 };
/** Stops the page loads in the middle. */
const LOAD_BUDGET_MS = 560_000;

async function measureSection({ out }: Run, title: string, measure: () => Promise<string>): Promise<boolean> {
  try {
    const text = `${describeRun()}\n\n${await measure()}`;
    process.stdout.write(`\n## ${title}\n\n${text}\n`);
    if (out !== '-') writeSection(out, title, text);
    return true;
  } catch (error) {
    console.error(`${title}:`, error);
    return false;
  }
}

async function measureAll(run: Run): Promise<boolean> {
  const { seconds, rounds, runs, articles } = getEffort(run);
  const results: boolean[] = [];
  const measure = async (title: string, work: () => Promise<string>) =>
    results.push(await measureSection(run, title, work));
  ensureLighthouse();
  await measure('Serving', async () => {
    const [rows = []] = await measureServing([ROOT], seconds, rounds);
    return `32 connections by wrk; medians of ${rounds} runs of ${seconds} s.\n\n${buildServing(rows)}`;
  });
  const site = await startSite();
  await measure('Pages', async () =>
    buildPages(await measurePages(site.url, ROUTES, { runs, budgetMs: LOAD_BUDGET_MS })),
  );
  await site.remove();
  if (!run.isQuick) await measure('10,000 articles of 1,000 words', measureArticles);
  await measure('Build', async () => {
    const drawings = await measureImages(articles, 'drawing');
    const photos = await measureImages(articles, 'photo');
    return `The images and sharing images of ${articles} articles take ${drawings.toFixed(0)} s of processor time when each
has a drawing (SVG), ${photos.toFixed(0)} s when each has a photo of 1,600 × 1,067 pixels. Later builds convert only what is new.`;
  });
  return !results.includes(false);
}

async function measureAgainst(run: Run, commit: string): Promise<boolean> {
  const { seconds, rounds } = getEffort(run);
  const other = checkOut(commit);
  try {
    return await measureSection(run, `Against ${other.name}`, async () => {
      const [own = [], before = []] = await measureServing([ROOT, other.root], seconds, rounds);
      const method = `${rounds} × ${seconds} s each, 32 connections by wrk; medians`;
      const intro = `Both builds in turns, ${method}. Above 1, this version is faster.`;
      return `${intro}\n\n${buildComparison(other.name, own, before)}`;
    });
  } finally {
    other.remove();
  }
}

if (import.meta.main)
  process.exitCode = await command.run(process.argv.slice(2), process, { close: async () => undefined });
