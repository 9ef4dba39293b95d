import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { projectEnvironment, ROOT } from '../start/pinned-node.mjs';
import { REPORT_FILE, type ReportLine, readReport } from './report-lines.ts';
import { findReporter, type Stage } from './stages.ts';

/** Outcome of one stage, or of all. */
export interface TestCount {
  readonly passed: number;
  /** Name and whole message of each test that failed. */
  readonly failures: readonly string[];
  /** Name of each test that passed on a further try, with the message of the first. */
  readonly retried: readonly string[];
}

export interface StageRun {
  /** Arguments for the tool. */
  readonly args: readonly string[];
  /** Whether the output of the tool is shown while it runs; else it is stored in `.cache/test`. */
  readonly isShown: boolean;
  /** How many workers the tool starts. */
  readonly workers: number;
  readonly isFullLength: boolean;
}

/** A stage that hangs is ended after this time, so that the run ends and names it. */
const MAX_MINUTES = 25;
const FULL_LENGTH_FACTOR = 4;
const FOLDER = path.join(ROOT, '.cache/test');

const running = new Set<ChildProcess>();

/** Where the tests write: memory, if there is plenty, since they wait for a disk as long as for the processor. */
const TEMPORARY = hasRoom('/dev/shm') ? '/dev/shm' : os.tmpdir();

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return Math.min(bavail * bsize, os.freemem()) > 6e9;
  } catch {
    return false;
  }
}

/** Ends every running stage with all the programs that it has started. */
export function stopStages(): void {
  for (const child of running) stop(child);
}

/** How far a stage is, such as "12 of 80 files"; empty when its tool does not tell. */
export function describeProgress(stage: Stage): string {
  const lines = readReport(findReport(stage));
  const start = lines.find((line) => line.kind === 'start');
  const done = lines.filter(({ kind }) => kind === 'step').length;
  return start ? `${done} of ${start.total} ${start.unit}` : '';
}

/** Runs one stage and counts its tests. Never rejects. */
export async function runStage(stage: Stage, run: StageRun): Promise<TestCount> {
  mkdirSync(FOLDER, { recursive: true });
  const report = findReport(stage);
  rmSync(report, { force: true });
  try {
    stage.prepare?.();
  } catch (error) {
    return buildFailure(stage.title, error instanceof Error ? error.message : String(error));
  }
  const { code, output } = await runProgram(stage, report, run);
  const log = report.replace(/ndjson$/, 'log');
  writeFileSync(log, output);
  const exit = `ended with exit code ${code}${run.isShown ? '' : `; its output is in ${path.relative(ROOT, log)}`}`;
  if (!stage.tool) {
    return code === 0
      ? { passed: 1, failures: [], retried: [] }
      : buildFailure(stage.title, `${exit}\n${output.trim()}`);
  }
  const factor = (run.isFullLength ? FULL_LENGTH_FACTOR : 1) * readLoadFactor();
  const count = countTests(stage, readReport(report), factor);
  // A program can fail outside of its tests: by an unhandled error, or in its setup.
  if (code === 0 || count.failures.length > 0) return count;
  return { ...count, failures: [`${stage.title}: ${exit}`] };
}

/** Outcome of a stage that could not count its tests. */
export function buildFailure(title: string, reason: string): TestCount {
  return { passed: 0, failures: [`${title}: ${reason}`], retried: [] };
}

function findReport({ title }: Stage): string {
  return path.join(FOLDER, `${title.toLowerCase().replaceAll(' ', '-')}.ndjson`);
}

/** How much more work the machine has had in the last minutes than its cores can do at once, 1 at least. */
function readLoadFactor(): number {
  return Math.max(1, ...os.loadavg().map((load) => load / os.availableParallelism()));
}

/**
 * Counts the tests of a report. One that took longer than its stage allows has failed; `factor` is how many times as
 * long the tests of this run may take.
 */
export function countTests(stage: Stage, lines: readonly ReportLine[], factor: number): TestCount {
  const tests = lines.filter((line) => line.kind === 'test');
  const maxMs = (stage.maxSeconds ?? Infinity) * 1_000 * factor;
  const failures = tests.flatMap(({ name, passed, ms, message }) => {
    if (!passed) return [`${name}\n${message}`];
    if (ms <= maxMs) return [];
    return [
      `${name}\ntook ${(ms / 1_000).toFixed(1)} s; a test of this stage may take ${(maxMs / 1_000).toFixed(0)} s`,
    ];
  });
  const isComplete = lines.some(({ kind }) => kind === 'end');
  return {
    passed: tests.length - failures.length,
    failures: isComplete ? failures : [...failures, `${stage.title}: ended before its report did`],
    retried: tests.filter(({ retried }) => retried).map(({ name, message }) => `${name}\n${message}`),
  };
}

/** Arguments that make a tool write its report beside its usual output. */
function buildReporterArgs(tool: Stage['tool']): readonly string[] {
  if (tool === 'vitest') return ['--reporter=default', `--reporter=${findReporter(tool)}`];
  return tool === 'playwright' ? [`--reporter=list,${findReporter(tool)}`] : [];
}

/** A pattern may match the files of another stage of its part only. */
const ALLOW_NO_TEST = { vitest: '--passWithNoTests', playwright: '--pass-with-no-tests' };

function runProgram(
  stage: Stage,
  report: string,
  run: StageRun,
): Promise<{ readonly code: number; readonly output: string }> {
  const [program, ...args] = stage.command;
  const output = run.isShown ? 'inherit' : 'pipe';
  const filter = stage.tool && run.args.length > 0 ? [ALLOW_NO_TEST[stage.tool], ...run.args] : [];
  const child = spawn(program, [...args, ...buildReporterArgs(stage.tool), ...filter], {
    cwd: ROOT,
    env: {
      ...projectEnvironment(),
      NODE_COMPILE_CACHE: path.join(ROOT, '.cache/compile'),
      ...stage.env,
      [REPORT_FILE]: report,
      TEST_WORKERS: String(run.workers),
      // Each run of Playwright empties its folder.
      TEST_OUTPUT: path.join('test-results', run.isShown ? '' : path.basename(report, '.ndjson')),
      // What measures has a disk, as a site has.
      ...(stage.runsAlone ? {} : { TMPDIR: TEMPORARY }),
      ...(run.isFullLength ? { TEST_LENGTH: 'full' } : {}),
      // The headless shell has no windows.
      ...(run.args.includes('--headed') ? { HEADLESS_SHELL: '' } : {}),
    },
    stdio: ['ignore', output, output],
    // A process group, so that a stage ends together with the servers and browsers that it has started.
    detached: true,
  });
  running.add(child);
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  }
  const minutes = MAX_MINUTES * (run.isFullLength ? FULL_LENGTH_FACTOR : 1);
  const limit = setTimeout(() => {
    console.error(`${stage.title} did not end within ${minutes} minutes.`);
    stop(child);
  }, minutes * 60_000);
  return new Promise((resolve) => {
    const end = (code: number) => {
      clearTimeout(limit);
      running.delete(child);
      resolve({ code, output: chunks.join('') });
    };
    // A program that cannot be started need not close.
    child.once('error', (error) => {
      chunks.push(`${error.message}\n`);
      end(1);
    });
    child.once('close', (code) => end(code ?? 1));
  });
}

function stop(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended in the meantime.
  }
}
