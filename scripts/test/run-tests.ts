// npm test: runs the steps of parts, and prints how many tests passed and failed.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { JSONReport, JSONReportSuite } from '@playwright/test/reporter';
import type { JsonTestResults } from 'vitest/node';
import { remove } from '../../src/stores/disk.ts';
import { ensureEdgeTools } from '../start/ensure-dependencies.mjs';
import { projectEnvironment, ROOT } from '../start/pinned-node.mjs';
import { useChromium, useFirefox } from './browsers.ts';
import { findTouched, listChangedFiles } from './rest.ts';

const USAGE = `Usage:
  npm test                      what a change has to pass
  npm test -- rest              what that leaves out
  npm test -- all               both at full length, which takes hours
  npm test -- PART [ARGUMENT]…  one part: static, unit, fault, browser, firefox, edge, new-site, systems, screenshots,
                                pictures, which takes those of README and docs

Arguments go to the tool: "npm test -- browser crawl" runs the browser tests in crawl.spec.ts, "npm test -- unit savings"
the unit tests in files whose path has "savings". "npm test -- screenshots --update-snapshots" takes the images that
"npm test -- screenshots" compares with. "systems" starts WordPress and Ghost (docs/recipes/article-source.md).`;

/** One program. vitest and playwright report each test; another counts as one, which passes with exit code 0. */
interface Step {
  readonly title: string;
  readonly command: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Installs what the step needs. Throws with instructions when it cannot. */
  readonly prepare?: () => void;
}

const browse = (title: string, project: string, prepare = useChromium): Step => ({
  title,
  command: `playwright test --project=${project}`,
  prepare,
  env: { SITE_RUNTIME: project === 'workers' ? project : 'node' },
});

// Several checkers would read the shared types several times.
const tsc = 'node node_modules/typescript-native/bin/tsc --noEmit --checkers 1';
const astro =
  'astro check --noSync --tsconfig tsconfig.astro.json --minimumSeverity warning --minimumFailingSeverity warning';
/** The steps of each part, in their order. */
const PARTS: Readonly<Record<string, readonly Step[]>> = {
  static: [
    { title: 'Route types', command: 'astro sync --silent' },
    { title: 'TypeScript', command: tsc },
    { title: 'Lint and format', command: 'biome check .' },
    { title: 'Astro files', command: astro },
    { title: 'Unused code', command: 'knip' },
    { title: 'Tables of the documentation', command: 'node scripts/test/doc-tables.ts --check' },
    { title: 'Growth of folders', command: 'node scripts/test/sizes.ts' },
  ],
  unit: [{ title: 'Unit and contract tests', command: 'vitest run --project=unit' }],
  // The development server is seen in a browser.
  fault: [
    { title: 'Fault tests', command: 'vitest run --project=fault', prepare: useChromium },
    { title: 'Fault tests that measure', command: 'vitest run --project=fault-alone' },
  ],
  browser: [browse('Browser tests in Chromium', 'chromium')],
  firefox: [browse('Browser tests in Firefox', 'firefox', useFirefox)],
  edge: [
    {
      title: 'Build of the worker',
      command: 'node scripts/build/build-worker.ts',
      prepare: () => ensureEdgeTools('edge'),
    },
    { title: 'TypeScript of Workers', command: `${tsc} --project edge` },
    { title: 'TypeScript of the tests in workerd', command: `${tsc} --project edge/test` },
    { title: 'Tests in workerd', command: 'vitest run --config edge/vitest.config.ts' },
    { title: 'The site on workerd', command: 'vitest run --project=edge' },
    { title: 'Tests on workerd that measure', command: 'vitest run --project=edge-alone' },
    browse('Browser tests on workerd', 'workers'),
  ],
  'new-site': [browse('Browser tests of a new site', 'new-site')],
  systems: [{ title: 'Tests with real systems', command: 'vitest run --project=systems' }],
  screenshots: [browse('Screenshots', 'screenshots')],
  pictures: [browse('Pictures of the documents', 'pictures')],
};

/** Parts that run beside each other, because tests wait more than they compute; what measures runs alone at the end. */
const USUAL = [
  ['static', 'unit'],
  ['browser', 'fault'],
];
const REST = [
  ['unit', 'fault', 'edge'],
  ['browser', 'firefox', 'new-site'],
];
export const NAMES: readonly string[] = [...Object.keys(PARTS), 'rest', 'all'];

interface Outcome {
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'retried' | 'skipped';
  readonly message: string;
}

/** Which tests of a part run; '': all of it, at the usual length. */
type Length = 'usual' | 'rest' | 'full' | '';
/** Where the tests write: memory, if there is plenty, since they wait for a disk as long as for the processor. */
const TEMPORARY = existsSync('/dev/shm') && os.freemem() > 6e9 ? '/dev/shm' : os.tmpdir();
/** After this time a step counts as hanging. */
const MAX_MINUTES = 25;
const running = new Set<ChildProcess>();
const measures = ({ title }: Step) => title.endsWith('measure');

/** Runs a step and returns the outcome of each of its tests. */
async function run(step: Step, length: Length, args: readonly string[]) {
  const { title, command, env, prepare } = step;
  console.log(`\n── ${title} ${'─'.repeat(Math.max(3, 70 - title.length))}`);
  const fail = (message: string): readonly Outcome[] => [{ name: title, state: 'failed', message }];
  try {
    prepare?.();
  } catch (error) {
    return fail(String(error));
  }
  const file = path.join(ROOT, '.cache', `${title.toLowerCase().replaceAll(' ', '-')}.json`);
  remove(file);
  const [program = '', ...words] = command.split(' ');
  const reporters = REPORTERS[program]?.map((word) => word.replace('FILE', file));
  const tags = { usual: ['--tags-filter=!rest'], rest: ['--tags-filter=rest'], full: [], '': [] }[length];
  const filter = /--project=(unit|fault)/.test(command) ? tags : [];
  const child = spawn(program, [...words, ...(reporters ? [...reporters, ...filter, ...args] : [])], {
    cwd: ROOT,
    env: {
      ...projectEnvironment(),
      ...env,
      TEST_LENGTH: length,
      PLAYWRIGHT_JSON_OUTPUT_FILE: file,
      NODE_COMPILE_CACHE: path.join(ROOT, '.cache/compile'),
      // What measures has a disk, as a site has.
      TMPDIR: measures(step) ? os.tmpdir() : TEMPORARY,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
    // A process group, so that a step ends together with the servers and browsers that it has started.
    detached: true,
  });
  running.add(child);
  const limit = setTimeout(() => stop(child), MAX_MINUTES * 60_000 * (length === 'full' ? 8 : 1));
  const [code] = await once(child, 'close').catch((error: unknown) => [error]);
  clearTimeout(limit);
  running.delete(child);
  const failure = fail(`ended with ${code ?? `a signal, after ${MAX_MINUTES} minutes at most`}`);
  if (!reporters) return code === 0 ? [{ name: title, state: 'passed', message: '' } as const] : failure;
  if (!existsSync(file)) return failure;
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const outcomes = program === 'vitest' ? readVitest(report) : readPlaywright(report);
  // A tool can fail outside of its tests: by an unhandled error, or in its setup.
  const isSaid = code === 0 || outcomes.some(({ state }) => state === 'failed');
  return isSaid ? outcomes : [...outcomes, ...failure];
}

const REPORTERS: Readonly<Record<string, readonly string[]>> = {
  vitest: ['--reporter=default', '--reporter=json', '--outputFile.json=FILE', '--passWithNoTests'],
  playwright: ['--reporter=list,json', '--pass-with-no-tests'],
};

/** Ends a step with all the programs that it has started. */
function stop({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended in the meantime.
  }
}

export function readVitest({ testResults }: Pick<JsonTestResults, 'testResults'>): readonly Outcome[] {
  return testResults.flatMap(({ name, message, status, assertionResults }) => {
    const file = path.relative(ROOT, name);
    const tests = assertionResults.flatMap(
      ({ fullName, status: state, failureMessages, meta }): Outcome[] => {
        // What a filter leaves out is skipped too, and has no reason.
        const { missing } = meta;
        if (missing !== undefined)
          return [{ name: `${file} > ${fullName}`, state: 'skipped', message: missing }];
        if (state !== 'passed' && state !== 'failed') return [];
        const messages = failureMessages ?? [];
        const isRetried = state === 'passed' && messages.length > 0;
        return [
          {
            name: `${file} > ${fullName}`,
            state: isRetried ? 'retried' : state,
            message: messages.join('\n'),
          },
        ];
      },
    );
    const isBroken = status === 'failed' && tests.every(({ state }) => state !== 'failed');
    return isBroken ? [...tests, { name: file, state: 'failed', message }] : tests;
  });
}

export function readPlaywright(report: Pick<JSONReport, 'suites' | 'errors'>): readonly Outcome[] {
  const read = ({ specs, suites: inner = [] }: JSONReportSuite): readonly Outcome[] => [
    ...specs.flatMap(({ file, title, tests }) =>
      tests.flatMap(({ status, results }): Outcome[] => {
        if (status === 'skipped') return [];
        const message = results.flatMap((result) => result.errors.map((one) => one.message)).join('\n');
        const state = status === 'expected' ? 'passed' : status === 'flaky' ? 'retried' : 'failed';
        return [{ name: `test/e2e/${file} > ${title}`, state, message }];
      }),
    ),
    ...inner.flatMap(read),
  ];
  const failures = report.errors.map(
    ({ message = '' }): Outcome => ({ name: 'Playwright', state: 'failed', message }),
  );
  return [...report.suites.flatMap(read), ...failures];
}

async function runLanes(lanes: readonly (readonly string[])[], length: Length, args: readonly string[]) {
  const outcomes: Outcome[] = [];
  const runAll = async (steps: readonly Step[]) => {
    for (const step of steps) outcomes.push(...(await run(step, length, args)));
  };
  const all = lanes.map((parts) => parts.flatMap((part) => PARTS[part] ?? []));
  await Promise.all(all.map((steps) => runAll(steps.filter((step) => !measures(step)))));
  await runAll(all.flat().filter(measures));
  return outcomes;
}

/** Runs what the command line names. Resolves with the exit code: 1 when a test failed, or passed on a second try alone. */
async function main(part: string | undefined, args: readonly string[]): Promise<number> {
  if (part !== undefined && !NAMES.includes(part)) {
    console.error(part === '--help' ? USAGE : `Unknown part "${part}".\n\n${USAGE}`);
    return part === '--help' ? 0 : 2;
  }
  const stopAll = () => {
    for (const child of running) stop(child);
    process.exit(130);
  };
  process.on('SIGINT', stopAll).on('SIGTERM', stopAll);
  const length = part === undefined ? 'usual' : part === 'rest' ? part : part === 'all' ? 'full' : '';
  const whole = [['static', ...REST.flat()]];
  const lanes = { usual: USUAL, rest: REST, full: whole, '': [[part ?? '']] }[length];
  const outcomes = await runLanes(lanes, length, args);
  if (length === 'usual')
    for (const [touched, files] of findTouched(listChangedFiles()))
      outcomes.push(...(await runLanes([[touched]], 'rest', files)));
  if (outcomes.length === 0)
    outcomes.push({ name: args.join(' '), state: 'failed', message: 'no test matches' });
  for (const [title, state] of [
    ['Skipped on this machine', 'skipped'],
    ['Passed on a second try', 'retried'],
    ['Failed', 'failed'],
  ]) {
    const listed = outcomes.filter((one) => one.state === state);
    if (listed.length > 0) console.log(`\n${title}:`);
    for (const { name, message } of listed)
      console.log(`\n  ${name}\n    ${stripVTControlCharacters(message).replaceAll('\n', '\n    ')}`);
  }
  const count = (state: Outcome['state']) => outcomes.filter((one) => one.state === state).length;
  const [failed, skipped] = [count('failed'), count('skipped')];
  const left = skipped === 0 ? '' : `, ${skipped} skipped`;
  console.log(`\n${outcomes.length - failed - skipped} passed, ${failed} failed${left}`);
  return failed + count('retried') === 0 ? 0 : 1;
}

if (import.meta.main) process.exitCode = await main(process.argv[2], process.argv.slice(3));
