/** `npm run bench`: measures the built site and writes docs/performance.md. */

import path from 'node:path';
import process from 'node:process';
import { ensureBuild } from '../../scripts/start/ensure-build.mjs';
import { ensureLighthouse } from '../../scripts/start/ensure-dependencies.mjs';
import { ROOT } from '../../scripts/start/pinned-node.mjs';
import { defineCommand, FLAG } from '../../src/commands/command.ts';
import { startSite } from '../support/site.ts';
import { measurePages } from './pages.ts';
import { buildComparison, buildPages, buildServing, describeRun, writeSection } from './report.ts';
import { checkOut, measureServing } from './serving.ts';

const ROUTES = ['/blog/crm-basics', '/blog', '/', '/gohighlevel-free-trial', '/industry-report-2025'];

const USAGE = `Usage:
  npm run bench                            measures the built site and writes docs/performance.md
  npm run bench -- --against COMMIT        builds another commit too and measures how both serve, in turns;
                                           COMMIT may be the folder of a built checkout
  npm run bench -- --out FILE              writes to FILE instead; "-" prints alone
  npm run bench -- --quick                 runs every part for a moment; its figures mean nothing

Takes a quarter of an hour on two cores, against another commit six minutes.`;

/** How long a run serves, and where its sections go. */
interface Run {
  readonly isQuick: boolean;
  /** "-": nowhere but to the output. */
  readonly out: string;
}

const command = defineCommand({
  usage: USAGE,
  options: { quick: FLAG, out: { type: 'string' }, against: { type: 'string' } },
  words: [0, 0],
  async run({ values: { quick: isQuick, out, against } }) {
    const run = { isQuick, out: out ?? (isQuick ? '-' : path.join(ROOT, 'docs/performance.md')) };
    ensureBuild();
    const areMeasured = await (against === undefined ? measureAll(run) : measureAgainst(run, against));
    return areMeasured ? 0 : 1;
  },
});

const getEffort = ({ isQuick }: Run) =>
  isQuick ? { seconds: 1, rounds: 1, runs: 1 } : { seconds: 5, rounds: 5, runs: 5 };
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
  const { seconds, rounds, runs } = getEffort(run);
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
