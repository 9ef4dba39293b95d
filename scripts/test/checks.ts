/** One program of the test run. Without a report it counts as a single check, which passes with exit code 0. */
export interface Check {
  readonly title: string;
  readonly command: readonly [program: string, ...args: string[]];
  /** The tool whose JSON report has the number of tests. */
  readonly report?: 'vitest' | 'playwright';
  /** Shows its output while it runs, and takes the further arguments of `npm test -- part …`. */
  readonly isStreamed?: true;
}

const checkPages = 'astro check --noSync --minimumSeverity warning --minimumFailingSeverity warning';
const words = (command: string) => command.split(' ') as [string, ...string[]];

const types = { title: 'TypeScript', command: words('tsc --noEmit') };
const pages = { title: 'Astro files', command: words(checkPages) };
const lint = { title: 'Lint and format', command: words('biome check .') };
const unused = { title: 'Unused code', command: words('knip') };

/** Writes the types of routes, which the static checks read. */
export const sync: Check = { title: 'Route types', command: words('astro sync') };
export const statics: readonly Check[] = [types, pages, lint, unused];
export const unit: Check = {
  title: 'Unit and contract tests',
  command: words('vitest run --project=unit'),
  report: 'vitest',
};
export const build: Check = { title: 'Build', command: words('node scripts/build/build.ts') };
export const fault: Check = {
  title: 'Fault tests',
  command: words('vitest run --project=fault'),
  report: 'vitest',
  isStreamed: true,
};
/** WordPress and Ghost, which have to be installed: only run by hand. */
export const systems: Check = {
  title: 'Tests with real systems',
  command: words('vitest run --project=systems'),
  report: 'vitest',
  isStreamed: true,
};
export const chromium: Check = {
  title: 'Browser tests in Chromium',
  command: words('playwright test --project=chromium'),
  report: 'playwright',
  isStreamed: true,
};
export const firefox: Check = {
  title: 'Browser tests in Firefox',
  command: words('playwright test --project=firefox'),
  report: 'playwright',
  isStreamed: true,
};
