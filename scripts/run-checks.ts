import { CHECKS, type Check, PARTS } from './checks.ts';
import { ensureBrowser } from './ensure-browser.ts';
import type { Count } from './read-report.ts';
import { runCheck, stopChecks } from './run-check.ts';

async function runInTurn(checks: readonly Check[], extra: readonly string[] = []): Promise<Count[]> {
  const counts: Count[] = [];
  for (const check of checks) {
    counts.push(check === CHECKS.browser ? await runBrowserTests(extra) : await runCheck(check, extra));
  }
  return counts;
}

/** Tests that could not run have not passed: no browser counts as a failure. */
async function runBrowserTests(extra: readonly string[]): Promise<Count> {
  try {
    process.env['CHROMIUM_PATH'] = ensureBrowser();
  } catch (error) {
    console.error(`\nBrowser tests: ${error instanceof Error ? error.message : error}`);
    return { passed: 0, failed: 1 };
  }
  return runCheck(CHECKS.browser, extra);
}

/** Keeps two cores busy: static checks beside unit tests and build, then alone what measures time. */
async function runAll(): Promise<Count[]> {
  const sync = await runInTurn([CHECKS.sync]);
  const together = await Promise.all([
    runInTurn([CHECKS.types, CHECKS.pages, CHECKS.lint, CHECKS.unused]),
    runInTurn([CHECKS.unit, CHECKS.build]),
  ]);
  return [...sync, ...together.flat(), ...(await runInTurn([CHECKS.fault, CHECKS.browser]))];
}

const [part, ...extra] = process.argv.slice(2);
const checks = part === undefined ? undefined : PARTS.get(part);
if (part !== undefined && !checks) {
  console.error(`There is no part "${part}" of the tests; there are: ${[...PARTS.keys()].join(', ')}.`);
  process.exit(2);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    stopChecks();
    process.exit(130);
  });
}

const counts = await (checks ? runInTurn(checks, extra) : runAll());
const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
