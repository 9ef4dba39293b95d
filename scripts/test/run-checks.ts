// npm test: runs every check, or one part of them, and prints the number of tests that passed and failed.
import { ensureEdgeTools } from '../start/ensure-dependencies.mjs';
import {
  build,
  type Check,
  chromium,
  edge,
  fault,
  firefox,
  newSite,
  statics,
  sync,
  systems,
  unit,
} from './checks.ts';
import { ensureChromium } from './chromium.ts';
import { ensureFirefox } from './firefox.ts';
import type { TestCount } from './read-report.ts';
import { buildFailure, runCheck, stopChecks } from './run-check.ts';

const PARTS: ReadonlyMap<string, readonly Check[]> = new Map([
  ['static', [sync, ...statics]],
  ['unit', [unit]],
  ['build', [build]],
  ['fault', [fault]],
  ['browser', [chromium]],
  ['firefox', [firefox]],
  ['edge', edge],
  ['new-site', [newSite]],
  ['systems', [systems]],
]);

const USAGE = `Usage:
  npm test                      every check
  npm test -- PART [ARGUMENT]…  one part: ${[...PARTS.keys()].join(', ')}

"systems" is not part of every check: it starts WordPress and Ghost, which have to be installed
(docs/recipes/article-source.md).

Arguments go to the tool: "npm test -- browser crawl" runs the browser tests in crawl.spec.ts, "firefox" those of them
that also run in Firefox, "edge" the tests in workerd.`;

async function runInTurn(checks: readonly Check[], args: readonly string[] = []): Promise<TestCount[]> {
  const counts: TestCount[] = [];
  for (const check of checks) {
    const failure = prepareCheck(check);
    counts.push(
      failure === null
        ? await runCheck(check, check.report ? args : [])
        : buildFailure(`${check.title}: ${failure}`),
    );
  }
  return counts;
}

/** Installs what a check needs, if it is missing. Returns the reason when it cannot: that is a failure. */
function prepareCheck(check: Check): string | null {
  try {
    if (edge.includes(check)) ensureEdgeTools();
    if (check.report === 'playwright' && check !== firefox) process.env['CHROMIUM_PATH'] = ensureChromium();
    if (check === firefox) process.env['FIREFOX_PATH'] = ensureFirefox();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function printNames(title: string, names: readonly string[]): void {
  if (names.length > 0) console.log(`\n${title}:\n${names.map((name) => `  ${name}`).join('\n')}`);
}

/** Uses two cores: static checks beside unit tests and build; afterwards, alone, what measures time. */
async function runAll(): Promise<TestCount[]> {
  const first = await runInTurn([sync]);
  const parallel = await Promise.all([runInTurn(statics), runInTurn([unit, build])]);
  return [...first, ...parallel.flat(), ...(await runInTurn([fault, ...edge, chromium, newSite, firefox]))];
}

const [part, ...args] = process.argv.slice(2);
const isHelp = part === '--help' || part === '-h';
const checks = part === undefined ? undefined : PARTS.get(part);
if (part !== undefined && !checks) {
  console[isHelp ? 'log' : 'error'](isHelp ? USAGE : `Unknown part "${part}".\n\n${USAGE}`);
  process.exit(isHelp ? 0 : 2);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    stopChecks();
    process.exit(130);
  });
}

const counts = await (checks ? runInTurn(checks, args) : runAll());
const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
printNames(
  'Passed on the second try',
  counts.flatMap((count) => count.retried),
);
printNames(
  'Failed',
  counts.flatMap((count) => count.failures),
);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
