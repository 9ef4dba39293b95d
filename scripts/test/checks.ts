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

const vitest = (title: string, options: string): Check => ({
  title,
  command: words(`vitest run ${options}`),
  report: 'vitest',
  isStreamed: true,
});
const playwright = (title: string, project: string, prefix = ''): Check => ({
  title,
  command: words(`${prefix}playwright test --project=${project}`),
  report: 'playwright',
  isStreamed: true,
});

/** Writes the types of routes, which the static checks read. */
export const sync: Check = { title: 'Route types', command: words('astro sync') };
export const statics: readonly Check[] = [types, pages, lint, unused];
export const unit: Check = {
  title: 'Unit and contract tests',
  command: words('vitest run --project=unit'),
  report: 'vitest',
};
export const build: Check = { title: 'Build', command: words('node scripts/build/build.ts') };
export const fault = vitest('Fault tests', '--project=fault --project=fault-alone');
/** The tests that run in workerd, the runtime of Cloudflare Workers. Their tools are in the package `edge/`. */
export const edge: readonly Check[] = [
  { title: 'TypeScript of the tools of Workers', command: words('tsc --noEmit --project edge') },
  { title: 'TypeScript of the tests in workerd', command: words('tsc --noEmit --project edge/test') },
  vitest('Tests in workerd', '--config edge/vitest.config.ts'),
  vitest('The site on workerd', '--project=edge --project=edge-alone'),
  playwright('Browser tests on workerd', 'workers', 'env SITE_RUNTIME=workers '),
];
/** WordPress and Ghost, which have to be installed: only run by hand. */
export const systems = vitest('Tests with real systems', '--project=systems');
export const chromium = playwright('Browser tests in Chromium', 'chromium');
export const firefox = playwright('Browser tests in Firefox', 'firefox');
/** The parts of the browser tests that every site has to pass, on the site that `npm run new -- site` creates. */
export const newSite = playwright('Browser tests of a new site', 'new-site');
