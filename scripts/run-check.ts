import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Check } from './checks.ts';
import { projectEnvironment, ROOT } from './pinned-node.mjs';
import { type Count, readReport } from './read-report.ts';

/** A program that hangs is ended after this time, so that the run ends and says which one it was. */
const LIMIT_MINUTES = 14;

const running = new Set<ChildProcess>();

/** Ends every check that runs, with all the programs that it started. */
export function stopChecks(): void {
  for (const child of running) stop(child);
}

/** Runs one check, prints what it wrote under its heading and counts its tests. Never rejects. */
export async function runCheck(check: Check, extra: readonly string[]): Promise<Count> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'signpost-report-'));
  const report = path.join(folder, 'report.json');
  const started = performance.now();
  if (check.alone) console.log(heading(check.title));
  const { code, output } = await run(check, report, extra);
  const count = countOutcome(check, report, code);
  rmSync(folder, { recursive: true });
  if (!check.alone) console.log(heading(check.title) + (code === 0 ? '' : output));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${count.passed} passed, ${count.failed} failed (${seconds} s)`);
  return count;
}

function heading(title: string): string {
  return `\n── ${title} ${'─'.repeat(Math.max(3, 70 - title.length))}\n`;
}

function countOutcome(check: Check, report: string, code: number): Count {
  if (!check.report) return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  try {
    const { passed, failed } = readReport(check.report, report);
    // A program can fail outside of its tests: an unhandled error, a setup that broke.
    return { passed, failed: code === 0 ? failed : Math.max(failed, 1) };
  } catch (error) {
    console.error(`${check.title} left no report: ${error instanceof Error ? error.message : error}`);
    return { passed: 0, failed: 1 };
  }
}

function run(
  check: Check,
  report: string,
  extra: readonly string[],
): Promise<{ code: number; output: string }> {
  const [program, ...args] = check.command;
  const reporters = {
    vitest: ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    playwright: ['--reporter=list,json'],
    none: [],
  }[check.report ?? 'none'];
  const child = spawn(program, [...args, ...reporters, ...extra], {
    cwd: ROOT,
    env: { ...projectEnvironment(), PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    stdio: ['ignore', check.alone ? 'inherit' : 'pipe', check.alone ? 'inherit' : 'pipe'],
    // A group of its own, so that a check ends together with the servers and browsers that it started.
    detached: true,
  });
  running.add(child);
  let output = '';
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  const limit = setTimeout(() => {
    console.error(`${check.title} did not end within ${LIMIT_MINUTES} minutes.`);
    stop(child);
  }, LIMIT_MINUTES * 60_000);
  return new Promise((resolve) => {
    const end = (code: number) => {
      clearTimeout(limit);
      running.delete(child);
      resolve({ code, output });
    };
    child.once('error', (error) => {
      output += `${error.message}\n`;
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
    // It ended by itself in the meantime.
  }
}
