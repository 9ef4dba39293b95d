import path from 'node:path';
import { ensureEdgeTools } from '../start/ensure-dependencies.mjs';
import { ROOT } from '../start/pinned-node.mjs';
import { ensureBrowser, ensureHeadlessShell } from './browsers.ts';

/** One program of the test run. Without a tool it counts as a single test, which passes with exit code 0. */
export interface Stage {
  /** Its name on the command line; stages with the same name are one part. */
  readonly part: string;
  readonly title: string;
  readonly command: readonly [program: string, ...args: string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** The tool that reports each test. */
  readonly tool?: 'vitest' | 'playwright';
  /** Titles of the stages that have to pass first. */
  readonly needs?: readonly string[];
  /** Into how many stages the run of all parts divides it. */
  readonly shards?: number;
  /** Measures time or memory, so nothing else runs beside it. */
  readonly runsAlone?: true;
  /** `npm test` leaves the stage out unless a changed file matches; `npm test -- all` does not. */
  readonly onlyFor?: RegExp;
  /** A test that takes longer fails; longer at full length or on a busy machine. */
  readonly maxSeconds?: number;
  /** Installs what the stage needs. Throws with instructions when it cannot. */
  readonly prepare?: () => void;
}

const words = (command: string) => command.split(' ') as [string, ...string[]];
const tsc = 'node node_modules/typescript-native/bin/tsc --noEmit';
const checkPages =
  'astro check --noSync --tsconfig tsconfig.astro.json --minimumSeverity warning --minimumFailingSeverity warning';

const useChromium = () => {
  const shell = ensureHeadlessShell();
  if (shell !== null) process.env['HEADLESS_SHELL'] = shell;
  process.env['CHROMIUM_PATH'] = ensureBrowser('Chromium');
};
const useFirefox = () => {
  process.env['FIREFOX_PATH'] = ensureBrowser('Firefox');
};

const SYNC = 'Route types';
const BUILD = 'Build';
const BUILD_WORKER = 'Build of the worker';
const SYSTEMS = 'systems';
const SCREENSHOTS = 'screenshots';

/**
 * Every stage, in the order in which they start: after what others need, the longest, so that none is left over at the
 * end.
 */
const STAGES: readonly Stage[] = [
  { part: 'static', title: SYNC, command: words('astro sync --silent') },
  { part: 'build', title: BUILD, command: words('node scripts/build/build.ts'), needs: [SYNC] },
  { part: 'static', title: 'TypeScript', command: words(tsc), needs: [SYNC] },
  { part: 'static', title: 'Lint and format', command: words('biome check .') },
  { part: 'static', title: 'Astro files', command: words(checkPages), needs: [SYNC] },
  { part: 'static', title: 'Unused code', command: words('knip') },
  {
    part: 'static',
    title: 'Tables of the documentation',
    command: words('node scripts/test/doc-tables.ts --check'),
  },
  {
    part: 'edge',
    title: BUILD_WORKER,
    command: words('node scripts/build/build-worker.ts'),
    needs: [BUILD],
    prepare: ensureEdgeTools,
  },
  {
    part: 'fault',
    title: 'Fault tests',
    command: words('vitest run --project=fault'),
    tool: 'vitest',
    needs: [BUILD],
    // Most of them wait.
    shards: 2,
    maxSeconds: 60,
    // The development server is seen in a browser.
    prepare: useChromium,
  },
  {
    part: 'browser',
    title: 'Browser tests in Chromium',
    command: words('playwright test --project=chromium'),
    tool: 'playwright',
    needs: [BUILD],
    shards: 3,
    maxSeconds: 75,
    prepare: useChromium,
  },
  {
    part: 'edge',
    title: 'The site on workerd',
    command: words('vitest run --project=edge'),
    tool: 'vitest',
    needs: [BUILD_WORKER],
    maxSeconds: 90,
  },
  {
    part: 'unit',
    title: 'Unit and contract tests',
    command: words('vitest run --project=unit'),
    tool: 'vitest',
    shards: 2,
    maxSeconds: 15,
  },
  {
    part: 'edge',
    title: 'Browser tests on workerd',
    command: words('playwright test --project=workers'),
    env: { SITE_RUNTIME: 'workers' },
    tool: 'playwright',
    needs: [BUILD_WORKER],
    maxSeconds: 60,
    prepare: useChromium,
  },
  {
    part: 'firefox',
    title: 'Browser tests in Firefox',
    command: words('playwright test --project=firefox'),
    tool: 'playwright',
    needs: [BUILD],
    maxSeconds: 60,
    prepare: useFirefox,
  },
  {
    part: 'edge',
    title: 'Tests in workerd',
    command: words('vitest run --config edge/vitest.config.ts'),
    tool: 'vitest',
    needs: [BUILD_WORKER],
    maxSeconds: 30,
  },
  {
    part: 'edge',
    title: 'TypeScript of Workers',
    command: words(`${tsc} --project edge`),
    needs: [BUILD_WORKER],
  },
  {
    part: 'edge',
    title: 'TypeScript of the tests in workerd',
    command: words(`${tsc} --project edge/test`),
    needs: [BUILD_WORKER],
  },
  {
    part: 'new-site',
    title: 'Browser tests of a new site',
    command: words('playwright test --project=new-site'),
    tool: 'playwright',
    // The template, its command and what a site's files have to look like.
    onlyFor: /^src\/commands\/new|^test\/e2e\/(build-)?new-site|\.schema\.ts$/,
    maxSeconds: 240,
    prepare: useChromium,
  },
  {
    part: SCREENSHOTS,
    title: 'Screenshots',
    command: words('playwright test --project=screenshots'),
    tool: 'playwright',
    needs: [BUILD],
    prepare: useChromium,
  },
  {
    part: 'fault',
    title: 'Fault tests that measure',
    command: words('vitest run --project=fault-alone'),
    tool: 'vitest',
    needs: [BUILD],
    runsAlone: true,
    maxSeconds: 90,
  },
  {
    part: 'edge',
    title: 'Tests on workerd that measure',
    command: words('vitest run --project=edge-alone'),
    tool: 'vitest',
    needs: [BUILD_WORKER],
    runsAlone: true,
    maxSeconds: 120,
  },
  {
    part: SYSTEMS,
    title: 'Tests with real systems',
    command: words('vitest run --project=systems'),
    tool: 'vitest',
    maxSeconds: 120,
  },
];

/** Parts of parts: the types alone, and the tests of the rules that code and documents follow. */
const SHORTCUTS: ReadonlyMap<string, (stage: Stage) => Stage | null> = new Map([
  ['types', (stage) => (stage.title === 'TypeScript' || stage.title === SYNC ? stage : null)],
  [
    'rules',
    (stage) =>
      stage.part === 'unit'
        ? { ...stage, title: 'Rules', command: [...stage.command, ...RULES, '--maxWorkers=2'] }
        : null,
  ],
]);
const RULES = ['test/architecture.test.ts', 'test/docs.test.ts'];

/** Names that the command line takes. */
export const PARTS: readonly string[] = [
  ...new Set(STAGES.map(({ part }) => part)),
  ...SHORTCUTS.keys(),
  'all',
];

/** The stages of a part of the run; of `npm test` without one. Null when the name is unknown. */
export function findStages(
  part: string | undefined,
  changedFiles: readonly string[],
): readonly Stage[] | null {
  const isLeftOut = ({ part }: Stage) => part === SYSTEMS || part === SCREENSHOTS;
  const all = STAGES.filter((stage) => !isLeftOut(stage)).flatMap(divide);
  if (part === 'all') return all;
  if (part === undefined)
    return all.filter(({ onlyFor }) => !onlyFor || changedFiles.some((file) => onlyFor.test(file)));
  const shortcut = SHORTCUTS.get(part);
  if (shortcut) return STAGES.map(shortcut).filter((stage) => stage !== null);
  const stages = STAGES.filter((stage) => stage.part === part);
  return stages.length > 0 ? stages : null;
}

function divide(stage: Stage): readonly Stage[] {
  const { shards = 1, title, command } = stage;
  if (shards === 1) return [stage];
  return Array.from({ length: shards }, (_, index) => ({
    ...stage,
    title: `${title} (${index + 1} of ${shards})`,
    command: [...command, `--shard=${index + 1}/${shards}`],
  }));
}

/** Path of the reporter that writes the outcome of each test for the run. */
export function findReporter(tool: 'vitest' | 'playwright'): string {
  return path.join(ROOT, `scripts/test/report-${tool}.ts`);
}
