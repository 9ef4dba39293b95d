// npm test: runs the steps of parts, runs again alone what failed, and prints how many tests passed and failed.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify, stripVTControlCharacters } from 'node:util';
import { createFolder, DISK, writeNote } from '../../src/stores/disk.ts';
import { projectEnvironment, ROOT } from '../start/pinned-node.mjs';
import { createFastFolder, createRunFolder, describeGround, install, NEEDS, type Need } from './ground.ts';
import { failForGood, hasTag, type Outcome, readPlaywright, readVitest } from './outcomes.ts';
import { findTouched, listChangedFiles, MINUTES } from './rest.ts';

const USAGE = `Usage:
  npm test                      what a change has to pass
  npm test -- rest              what that leaves out
  npm test -- all               both at full length, which takes hours; SEED=… draws the random values of an earlier run
  npm test -- PART [ARGUMENT]…  one part: static, unit, fault, browser, firefox, edge, new-site, systems, screenshots,
                                pictures, which takes those of README and docs
  npm test -- again FILE…       a new test: ten times alone, and ten times beside a load
  npm test -- ground            installs what tests need, and says on what they run

Arguments go to the tool: "npm test -- browser crawl" runs the browser tests in crawl.spec.ts, "npm test -- unit savings"
the unit tests in files whose path has "savings". "npm test -- screenshots --update-snapshots" takes the images that
"npm test -- screenshots" compares with. "systems" starts WordPress and Ghost (docs/recipes/article-source.md).

Ends with 0 when nothing failed, 1 when something did, and 2 when a program could not be installed.`;

/** One program. vitest and playwright report each test; another counts as one, which passes with exit code 0. */
export interface Step {
  readonly title: string;
  readonly command: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly needs?: Need;
  /** Whether it runs the tests with the tag `measures`, which have the machine for themselves, or those without it. */
  readonly measures?: boolean;
  /** The half of the files, 0 or 1, that run in one process, in the order of their paths. */
  readonly half?: number;
}

const testWith = (title: string, project: string, more: Partial<Step> = {}): Step => ({
  title,
  command: `vitest run --project=${project}`,
  measures: false,
  ...more,
});

const browse = (title: string, project: string, needs: Need = 'chromium'): Step => ({
  title,
  command: `playwright test --project=${project}`,
  needs,
  env: { SITE_RUNTIME: project === 'workers' ? project : 'node' },
});

// Several checkers would read the shared types several times.
const tsc = 'node node_modules/typescript-native/bin/tsc --noEmit --checkers 1';
const astro =
  'astro check --noSync --tsconfig tsconfig.astro.json --minimumSeverity warning --minimumFailingSeverity warning';
const FIRST_HALF = testWith('Unit tests, first half', 'unit', { half: 0 });
const SECOND_HALF = testWith('Unit tests, second half', 'unit', { half: 1 });
const UNIT_MEASURES = testWith('Unit tests that measure', 'unit', { measures: true });
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
  unit: [FIRST_HALF, SECOND_HALF, UNIT_MEASURES],
  // The development server is seen in a browser.
  fault: [
    testWith('Fault tests', 'fault', { needs: 'chromium' }),
    testWith('Fault tests that measure', 'fault', { measures: true }),
  ],
  browser: [browse('Browser tests in Chromium', 'chromium')],
  firefox: [browse('Browser tests in Firefox', 'firefox', 'firefox')],
  edge: [
    { title: 'Build of the worker', command: 'node scripts/build/build-worker.ts', needs: 'workers' },
    { title: 'TypeScript of Workers', command: `${tsc} --project edge` },
    { title: 'TypeScript of the tests in workerd', command: `${tsc} --project edge/test` },
    { title: 'Tests in workerd', command: 'vitest run --config edge/vitest.config.ts' },
    testWith('The site on workerd', 'edge'),
    testWith('Tests on workerd that measure', 'edge', { measures: true }),
    browse('Browser tests on workerd', 'workers'),
  ],
  'new-site': [browse('Browser tests of a new site', 'new-site')],
  systems: [{ title: 'Tests with real systems', command: 'vitest run --project=systems' }],
  screenshots: [browse('Screenshots', 'screenshots')],
  pictures: [browse('Pictures of the documents', 'pictures')],
};

/** The steps of parts, one after another. */
const join = (...parts: readonly string[]) => parts.flatMap((part) => PARTS[part] ?? []);
/** Steps that run beside others, because tests wait more than they compute; what measures runs alone at the end. */
const USUAL = [[FIRST_HALF, UNIT_MEASURES], join('browser', 'fault'), [SECOND_HALF, ...join('static')]];
const REST = [
  [FIRST_HALF, UNIT_MEASURES, ...join('fault', 'edge')],
  [SECOND_HALF, ...join('browser', 'firefox', 'new-site')],
];
export const NAMES: readonly string[] = [...Object.keys(PARTS), 'rest', 'all', 'again', 'ground'];

/** Which tests of a part run; '': all of it, at the usual length. */
type Length = 'usual' | 'rest' | 'full' | '';

const MINUTE = 60_000;
/** After this time without output, and after this time in all, a step counts as hanging, in ms. */
const QUIET_MS = 10 * MINUTE;
const WHOLE_MS = 60 * MINUTE;
/** All that failed is tried again within this time, in ms, unless it is more than can be luck. */
const AGAIN_MS = 15 * MINUTE;
const MAX_REPEATED = 25;
const TIMES = 3;
const ENOUGH = 2;
/** What a contributor's `npm test` takes at most, in minutes. */
const USUAL_MINUTES = 6;
/** Lines that the messages of all failures have together: the end of a log is enough to repair them. */
const MESSAGE_LINES = 70;
/** Of what a program has said before it failed. */
const LAST_LINES = 30;

/** Programs that report each test. */
const TOOLS = /^(?:vitest|playwright) /;

const running = new Set<ChildProcess>();
/** The folders of this run: the reports, the temporary files, and those of tests that measure. */
export const folders = { reports: path.join(ROOT, '.cache/test-run'), usual: os.tmpdir(), disk: os.tmpdir() };

interface Run {
  readonly length: Length;
  readonly args: readonly string[];
  /** Counts the runs of what failed: each has its own report. */
  readonly again?: number;
  /** The one file that it runs. */
  readonly file?: string;
  /** ms in all, and ms without output, after which it counts as hanging. */
  readonly limit?: number;
  readonly quiet?: number;
}

/** Runs a step and returns how each of its tests ended. */
async function runStep(step: Step, run: Run): Promise<readonly Outcome[]> {
  const { length, args, again = 0, file, limit = WHOLE_MS, quiet = QUIET_MS } = run;
  const { title, command, env, measures, half } = step;
  const [program = '', ...words] = command.split(' ');
  const fail = (message: string) => [failForGood('', message, title)];
  const name = again === 0 ? title : `${title}, again ${again}`;
  const slug = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const report = path.join(folders.reports, `${slug}.json`);
  DISK.rmSync(report, { force: true });
  const environment = {
    ...projectEnvironment(),
    ...env,
    ...(measures === true || half !== undefined || again > 0 ? { TEST_WORKERS: '1' } : {}),
    ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}),
    TEST_LENGTH: length,
    TEST_REPORT: report,
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    TEST_OUTPUT: path.join('test-results', slug),
    NODE_COMPILE_CACHE: path.join(ROOT, '.cache/compile'),
    // What measures has a disk, as a site has.
    TMPDIR: measures === true ? folders.disk : folders.usual,
  };
  const tags = [
    ...(length === 'usual' ? ['!rest'] : length === 'rest' && !command.endsWith('=edge') ? ['rest'] : []),
    measures === true ? 'measures' : '!measures',
  ];
  const tools: Readonly<Record<string, readonly string[]>> = {
    vitest: [
      ...['--reporter=default', '--reporter=./scripts/test/outcomes.ts', '--passWithNoTests'],
      ...(measures === undefined ? [] : [`--tags-filter=${tags.join(' && ')}`]),
    ],
    playwright: ['--reporter=list,json', '--pass-with-no-tests'],
  };
  const options = tools[program];
  const isListed = options === undefined || file !== undefined;
  const files = isListed ? [file ?? []].flat() : await list(program, [...words, ...args], environment);
  if (files === null) return fail('Its files cannot be listed.');
  const wanted = measures === undefined ? [] : tags.filter((tag) => !tag.startsWith('!'));
  const chosen = files
    .filter((file) => wanted.every((tag) => hasTag(file, tag)))
    .filter((_, index) => half === undefined || index % 2 === half);
  if (options !== undefined && chosen.length === 0) return [];
  const flags = args.filter((word, index) => word.startsWith('-') || args[index - 1]?.startsWith('-'));
  const targets = chosen.length < files.length ? [...flags, ...chosen] : args;
  console.log(`\n── ${name} ${'─'.repeat(Math.max(3, 70 - name.length))}`);
  const child = spawn(program, options === undefined ? words : [...words, ...options, ...targets], {
    cwd: ROOT,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group, so that a step ends together with the servers and browsers that it has started.
    detached: true,
  });
  const began = performance.now();
  const scale = length === 'full' ? 8 : 1;
  const { ended, message } = await watch(child, quiet * scale, limit * scale);
  console.log(`── ${name}: ${Math.round((performance.now() - began) / 1000)} s`);
  if (options === undefined && ended === 0) return [{ ...failForGood('', '', title), state: 'passed' }];
  if (options === undefined || !existsSync(report)) return fail(message);
  const { outcomes, files: seen } = program === 'vitest' ? readVitest(report) : readPlaywright(report);
  const isSaid = ended === 0 || (ended === 1 && outcomes.some(({ state }) => state !== 'passed'));
  return [
    ...outcomes,
    ...chosen
      .filter((file) => ![...seen, ...outcomes.map((one) => one.file)].includes(file))
      .map((file) => failForGood(file, 'It has no result.')),
    ...(isSaid ? [] : fail(message)),
  ];
}

/** The test files that a step runs, as its tool lists them, in the order of their paths; null when it cannot. */
async function list(program: string, [, ...words]: readonly string[], env: NodeJS.ProcessEnv) {
  const isVitest = program === 'vitest';
  const options = isVitest
    ? ['list', '--filesOnly', '--json']
    : ['test', '--list', '--reporter=json', '--pass-with-no-tests'];
  const file = `${env['TEST_REPORT']}.listed`;
  try {
    const { stdout } = await promisify(execFile)(program, [...options, ...words], {
      cwd: ROOT,
      env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: file, FORCE_COLOR: '0' },
      maxBuffer: 1e9,
    });
    const listed = isVitest
      ? JSON.parse(stdout).map((one: { file: string }) => path.relative(ROOT, one.file))
      : readPlaywright(file).files;
    return [...new Set<string>(listed)].sort();
  } catch (error) {
    console.log(error);
    return null;
  }
}

/** Prints the lines of a program until it ends, or hangs. Resolves with its exit code, or why it has none, and the last lines. */
async function watch(child: ChildProcess, quiet: number, limit: number) {
  let reason = 'a signal';
  const last: string[] = [];
  const stopAfter = (ms: number, text: string) =>
    setTimeout(() => {
      reason = `no exit code: it was stopped after ${(ms / MINUTE).toFixed(1)} minutes${text}`;
      stop(child);
    }, ms);
  const timers = [stopAfter(quiet, ' without output'), stopAfter(limit, '')];
  running.add(child);
  for (const input of [child.stdout, child.stderr]) {
    if (input === null) continue;
    createInterface({ input }).on('line', (line) => {
      timers[0]?.refresh();
      console.log(line);
      if (line.trim() !== '') last.push(line);
      if (last.length > LAST_LINES) last.shift();
    });
  }
  const closed = once(child, 'close').catch(() => {});
  const [code] = await once(child, 'exit').catch((error: unknown) => [String(error)]);
  for (const timer of timers) clearTimeout(timer);
  stop(child);
  // A program that left the group may hold the output open.
  await Promise.race([closed, sleep(5_000, null, { ref: false })]);
  running.delete(child);
  const ended: number | string = code ?? reason;
  return { ended, message: [`It ended with ${ended}.`, ...last].join('\n') };
}

/** Ends a step with all the programs that it has started. */
function stop({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended in the meantime.
  }
}

/** What a step of this run has shown, and how what failed did alone. */
export interface Result extends Outcome {
  readonly step: Step;
  readonly run: Run;
  readonly alone: boolean[];
}

export async function runLanes(lanes: readonly (readonly Step[])[], run: Run): Promise<Result[]> {
  const results: Result[] = [];
  const runAll = async (steps: readonly Step[]) => {
    for (const step of steps)
      for (const outcome of await runStep(step, run)) results.push({ ...outcome, step, run, alone: [] });
  };
  await Promise.all(lanes.map((steps) => runAll(steps.filter(({ measures }) => measures !== true))));
  await runAll(lanes.flat().filter(({ measures }) => measures === true));
  return results;
}

let repeats = 0;

/**
 * Runs each failure again by file and name, nothing beside it, three times; the third time of unit tests, which share a
 * process, is their whole half in its order.
 */
async function repeat(failures: readonly Result[]): Promise<void> {
  const deadline = performance.now() + AGAIN_MS;
  const halves = new Map<string, readonly Outcome[]>();
  for (let time = 1; time <= TIMES; time += 1) {
    for (const { step, run, file, name, project, pattern, alone } of failures) {
      const limit = deadline - performance.now();
      if (limit <= 0) return;
      const { half, ...single } = step;
      const isWhole = half !== undefined && time === TIMES;
      const key = `${step.title} ${run.args}`;
      const isPlaywright = step.command.startsWith('playwright');
      const command = step.command.replace(/--project=\S+/, `--project=${project}`);
      const chosen = pattern === '' ? [file] : [file, isPlaywright ? '-g' : '-t', pattern];
      const known = isWhole ? halves.get(key) : undefined;
      if (known === undefined) repeats += 1;
      const outcomes =
        known ??
        (isWhole
          ? await runStep(step, { ...run, again: repeats, limit })
          : await runStep(
              { ...single, command: isPlaywright ? `${command} --no-deps` : command },
              { ...run, file, args: chosen, again: repeats, limit },
            ));
      if (isWhole) halves.set(key, outcomes);
      const own = outcomes.filter((one) => one.file === file && (name === '' || one.name === name));
      alone.push(own.length > 0 && (isWhole ? own : outcomes).every(({ state }) => state === 'passed'));
    }
  }
}

/** One line of the list that the commands of a run add to. */
interface Entry {
  readonly test: string;
  readonly state: 'failed' | 'unsteady';
  readonly how: string;
  readonly message: string;
}

const isUnsteady = ({ alone }: Result) => alone.filter(Boolean).length >= ENOUGH;

/**
 * Tries again what failed, unless it is more than luck. Prints it with what an earlier command of the run has noted, and the
 * counts; resolves with the exit code.
 */
export async function conclude(results: readonly Result[], isFirst: boolean): Promise<number> {
  const failures = results.filter(({ state }) => state !== 'passed');
  if (failures.length <= MAX_REPEATED) await repeat(failures.filter(({ state }) => state === 'failed'));
  const entries = failures.map((one): Entry => {
    const { file, name, message, step, alone, state } = one;
    const passed = `passed ${alone.filter(Boolean).length} of ${alone.length} alone`;
    const how =
      alone.length === 0 ? 'not run again' : alone.length < TIMES ? `${passed}, then time was over` : passed;
    return {
      test: [file, name].filter(Boolean).join(' > '),
      state: isUnsteady(one) ? 'unsteady' : 'failed',
      how: `${step.title}; ${state === 'failed' ? how : 'never run again'}`,
      message: stripVTControlCharacters(message).trim(),
    };
  });
  const file = path.join(folders.reports, 'unsteady.json');
  const before: readonly Entry[] = isFirst || !existsSync(file) ? [] : JSON.parse(readFileSync(file, 'utf8'));
  const all = [...before, ...entries];
  createFolder(folders.reports);
  writeNote(file, JSON.stringify(all, null, 2));
  const lines = Math.max(1, Math.floor(MESSAGE_LINES / all.length));
  for (const [title, state] of [
    ['Unsteady: failed, and passed alone. Each is a defect to repair in a change of its own', 'unsteady'],
    ['Failed', 'failed'],
  ]) {
    const listed = all.filter((one) => one.state === state);
    if (listed.length > 0) console.log(`\n${title}:`);
    for (const { test, how, message } of listed)
      console.log(`\n  ${test} (${how})\n    ${message.split('\n').slice(0, lines).join('\n    ')}`);
  }
  const failed = entries.filter(({ state }) => state === 'failed').length;
  console.log(`\n${results.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

/** The part of a test file. */
const findPart = (file: string) =>
  /^test\/(fault|edge)\//.exec(file)?.[1] ??
  (file.startsWith('edge/') ? 'edge' : file.startsWith('test/e2e/') ? 'browser' : 'unit');

/** Runs test files ten times alone, and ten times beside as many endless loops as there are processors. */
async function tryNew(files: readonly string[]): Promise<Result[]> {
  const steps = files.map((file) => join(findPart(file)).filter(({ command }) => TOOLS.test(command)));
  const results: Result[] = [];
  for (const loops of [0, os.availableParallelism()]) {
    const load = Array.from({ length: loops }, () =>
      spawn(process.execPath, ['-e', 'for (;;);'], { detached: true }),
    );
    for (const child of load) running.add(child);
    for (let time = 0; time < 10; time += 1) {
      repeats += 1;
      for (const [index, file] of files.entries())
        results.push(...(await runLanes([steps[index] ?? []], { length: '', args: [file], again: repeats })));
    }
    for (const child of load) stop(child);
  }
  return results;
}

/** What a change touches, as long as there is time; the rest is named. */
async function runTouched(): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const [part, args] of findTouched(listChangedFiles())) {
    if (performance.now() / MINUTE + (MINUTES[part] ?? 0) <= USUAL_MINUTES)
      results.push(...(await runLanes([join(part)], { length: 'rest', args })));
    else console.log(`\nThe change touches more, which npm test -- rest runs: ${[part, ...args].join(' ')}`);
  }
  return results;
}

/** Runs what the command line names. Resolves with the exit code. */
async function main(part: string | undefined, args: readonly string[]): Promise<number> {
  if (part !== undefined && !NAMES.includes(part)) {
    console.error(part === '--help' ? USAGE : `Unknown part "${part}".\n\n${USAGE}`);
    return part === '--help' ? 0 : 2;
  }
  const length = part === undefined ? 'usual' : part === 'rest' ? part : part === 'all' ? 'full' : '';
  const apart = part === 'unit' ? join(part).map((step) => [step]) : [join(part ?? '')];
  const lanes = { usual: USUAL, rest: REST, full: [[...join('static'), ...REST.flat()]], '': apart }[length];
  const chosen = part === 'again' ? args.flatMap((file) => join(findPart(file))) : lanes.flat();
  try {
    await install(part === 'ground' ? NEEDS : new Set(chosen.flatMap(({ needs }) => needs ?? [])));
  } catch (error) {
    console.error(`\nThe tests cannot run: ${error instanceof Error ? error.message : error}`);
    return 2;
  }
  folders.usual = createFastFolder();
  folders.disk = createRunFolder(os.tmpdir());
  const removeAll = () => {
    for (const child of running) stop(child);
    for (const folder of [folders.usual, folders.disk])
      DISK.rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  process.on('exit', removeAll);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
  console.log(describeGround(folders.usual));
  if (part === 'ground') return 0;
  if (length === 'full') {
    process.env['SEED'] ??= String(Date.now() % 2 ** 31);
    console.log(`The seed of random values; to repeat them: SEED=${process.env['SEED']} npm test -- all`);
  }
  const run = { length, args } as const;
  const results = part === 'again' ? await tryNew(args) : await runLanes(lanes, run);
  const isContributor = length === 'usual' && !process.env['CI'];
  if (isContributor) results.push(...(await runTouched()));
  if (results.length === 0) {
    console.error(`No test matches ${args.join(' ')}.`);
    console.log('\n0 passed, 0 failed');
    return 1;
  }
  return conclude(results, part !== 'rest');
}

if (import.meta.main) process.exitCode = await main(process.argv[2], process.argv.slice(3));
