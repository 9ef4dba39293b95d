// npm test: runs every stage, or those of one part, and prints the number of tests that passed and failed.
import { execFileSync } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from '../start/pinned-node.mjs';
import { buildFailure, describeProgress, runStage, stopStages, type TestCount } from './run-stage.ts';
import { printSizes } from './sizes.ts';
import { findStages, PARTS, type Stage } from './stages.ts';

const USAGE = `Usage:
  npm test                      every check
  npm test -- all               every check at full length
  npm test -- PART [ARGUMENT]…  one part: ${PARTS.filter((part) => part !== 'all').join(', ')}

Not part of every check: "new-site" unless a change touches what a new site is made of, "screenshots", and "systems",
which starts WordPress and Ghost (docs/recipes/article-source.md).

Arguments go to the tool: "npm test -- browser crawl" runs the browser tests in crawl.spec.ts, "npm test -- unit savings"
the unit tests in files whose path has "savings". "npm test -- screenshots --update" takes the images that
"npm test -- screenshots" compares with.`;

const PROGRESS_MS = 20_000;
/**
 * Stages that run side by side, each with one worker, and those that begin when no other waits for a lane with two: more
 * workers than cores, because tests wait for servers and pages.
 */
const LANES = 4;

/** Files that differ from the commit before the last one; none in a clone without its history. */
function listChangedFiles(): readonly string[] {
  try {
    const diff = ['diff', '--name-only', 'HEAD~1'];
    return execFileSync('git', diff, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).split('\n');
  } catch {
    return [];
  }
}

function formatTime(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

const counts: TestCount[] = [];

/** Runs a stage and prints its outcome. */
async function run(
  stage: Stage,
  args: readonly string[],
  isShown: boolean,
  workers: number,
): Promise<boolean> {
  const began = performance.now();
  if (isShown) console.log(`\n── ${stage.title} ${'─'.repeat(Math.max(3, 70 - stage.title.length))}\n`);
  const count = await runStage(stage, { args, isShown, workers, isFullLength });
  counts.push(count);
  const outcome = `${count.passed} passed, ${count.failures.length} failed`;
  console.log(
    `${formatTime(performance.now() - start)}  ${stage.title}: ${outcome} (${formatTime(performance.now() - began)})`,
  );
  return count.failures.length === 0;
}

/** Stages that need one that failed fail as well. */
async function runSideBySide(stages: readonly Stage[]): Promise<void> {
  const outcomes = new Map<string, boolean>();
  const active = new Map<Stage, Promise<void>>();
  const left = [...stages];
  const isKnown = (title: string) => outcomes.has(title) || !stages.some((stage) => stage.title === title);
  const timer = setInterval(() => printProgress([...active.keys()]), PROGRESS_MS);
  while (left.length > 0 || active.size > 0) {
    const isBlocked = [...active.keys()].some(({ runsAlone }) => runsAlone);
    const next = left.find(
      ({ needs = [], runsAlone }) =>
        needs.every(isKnown) && (!runsAlone || (active.size === 0 && left.every((one) => one.runsAlone))),
    );
    if (!next || active.size >= LANES || isBlocked) {
      await Promise.race(active.values());
      continue;
    }
    left.splice(left.indexOf(next), 1);
    const failed = next.needs?.find((title) => outcomes.get(title) === false);
    if (failed !== undefined) {
      counts.push(buildFailure(next.title, `needs "${failed}", which failed`));
      outcomes.set(next.title, false);
      continue;
    }
    const hasRoom = left.filter(({ runsAlone }) => !runsAlone).length < LANES - active.size - 1;
    const ended = run(next, [], false, hasRoom ? 2 : 1).then((hasPassed) => {
      outcomes.set(next.title, hasPassed);
      active.delete(next);
    });
    active.set(next, ended);
  }
  clearInterval(timer);
}

function printProgress(stages: readonly Stage[]): void {
  const parts = stages.map((stage) => [stage.title, describeProgress(stage)].filter(Boolean).join(' '));
  console.log(`${formatTime(performance.now() - start)}  … ${parts.join(', ')}`);
}

function printList(title: string, texts: readonly string[]): void {
  if (texts.length === 0) return;
  console.log(`\n${title}:`);
  for (const text of texts) console.log(`\n  ${stripVTControlCharacters(text).replaceAll('\n', '\n    ')}`);
}

const [part, ...rest] = process.argv.slice(2);
const args = rest.map((arg) => (arg === '--update' ? '--update-snapshots' : arg));
if (part === 'static' && args.includes('--sizes')) {
  printSizes();
  process.exit(0);
}
const isHelp = part === '--help' || part === '-h';
const isFullLength = part === 'all';
const stages = findStages(part, listChangedFiles());
if (!stages) {
  console[isHelp ? 'log' : 'error'](isHelp ? USAGE : `Unknown part "${part}".\n\n${USAGE}`);
  process.exit(isHelp ? 0 : 2);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    stopStages();
    process.exit(130);
  });
}

const start = performance.now();
if (part === undefined || isFullLength || part === 'static') await runSideBySide(stages);
else for (const stage of stages) await run(stage, args, stage.tool !== undefined, 2);
if (counts.every((count) => count.passed + count.failures.length === 0))
  counts.push(buildFailure(args.join(' '), 'no test matches'));
printList(
  'Passed on a further try',
  counts.flatMap(({ retried }) => retried),
);
printList(
  'Failed',
  counts.flatMap(({ failures }) => failures),
);
const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failures.length, 0);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
