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
/** The tests that run in workerd, the runtime of Cloudflare Workers. Their tools are in the package `edge/`. */
export const edge: readonly Check[] = [
  { title: 'TypeScript of the tools of Workers', command: words('tsc --noEmit --project edge') },
  { title: 'TypeScript of the tests in workerd', command: words('tsc --noEmit --project edge/test') },
  {
    title: 'Tests in workerd',
    command: words('vitest run --config edge/vitest.config.ts'),
    report: 'vitest',
    isStreamed: true,
  },
  {
    title: 'The site on workerd',
    command: words('vitest run --project=edge'),
    report: 'vitest',
    isStreamed: true,
  },
  {
    title: 'Browser tests on workerd',
    command: words('env SITE_RUNTIME=workers playwright test --project=workers'),
    report: 'playwright',
    isStreamed: true,
  },
];
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
/** The parts of the browser tests that every site has to pass, on the site that `npm run new -- site` creates. */
export const newSite: Check = {
  title: 'Browser tests of a new site',
  command: words('playwright test --project=new-site'),
  report: 'playwright',
  isStreamed: true,
};
